"""How the commands' help is laid out."""

import argparse
import os


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """As wide as the terminal. Argparse loads a library to find that out, with each start of the service."""

    def __init__(self, prog: str) -> None:
        """Write the help of a program or command."""
        super().__init__(prog, width=_columns() - 2)


def _columns() -> int:
    text = os.environ.get("COLUMNS", "")
    if text.isdecimal() and int(text) > 0:
        return int(text)
    try:
        return os.get_terminal_size().columns or 80
    except OSError:
        return 80
