"""The command line: its commands, what they print and what they draw."""
