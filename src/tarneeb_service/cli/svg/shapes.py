"""The pieces of a picture: shapes, texts and cards as SVG, without fonts, scripts or files from elsewhere."""

from xml.sax.saxutils import escape

from tarneeb_service.cli.seen.words import RANKS

FONT = "DejaVu Sans, Verdana, Segoe UI, Helvetica, Arial, sans-serif"
INK, RED, BLACK, SOFT = "#22303c", "#c8102e", "#1a1a1a", "#6b7680"
GOLD, FELT, FELT_EDGE, PAPER, LINE = "#f2c14e", "#1f6f50", "#14523a", "#fbfaf6", "#d9d4c7"
LIGHT = "#e8f3ec"
CARD_WIDTH, CARD_HEIGHT = 46.0, 64.0
SUIT_COLOURS = ("", BLACK, RED, RED, BLACK)

# Drawn, since not every font has suits. Each fills a square of 100.
_SUITS = (
    "",
    "M50 4a22 22 0 0 1 19 33 23 23 0 1 1-15 41q1 12 12 18H34q11-6 12-18a23 23 0 1 1-15-41A22 22 0 0 1 50 4z",
    "M50 3Q66 28 87 50 66 72 50 97 34 72 13 50 34 28 50 3z",
    "M50 95C22 67 6 49 6 30A23 23 0 0 1 29 7q14 0 21 15Q57 7 71 7a23 23 0 0 1 23 23C94 49 78 67 50 95z",
    "M50 4c10 22 43 36 43 61a21 21 0 0 1-38 12q1 13 12 19H33q11-6 12-19A21 21 0 0 1 7 65C7 40 40 26 50 4z",
)

_LATTICE = (
    '<pattern id="lattice" width="9.5" height="9.5" patternUnits="userSpaceOnUse" x="4" y="4">'
    '<path d="M0 4.75 4.75 0 9.5 4.75 4.75 9.5z" fill="none" stroke="#8fb3d6" stroke-width="1"/></pattern>'
)


def number(value: float) -> str:
    """Return a coordinate, as short as it goes."""
    return f"{value:.1f}".removesuffix(".0")


class Drawing:
    """An SVG picture that grows by shapes."""

    def __init__(self, width: int, height: int, title: str, description: str) -> None:
        """Start a picture; title and description are read to those who can't see it."""
        suits = [
            f'<path id="suit{suit}" d="{path}" fill="{SUIT_COLOURS[suit]}"/>'
            for suit, path in enumerate(_SUITS)
            if path
        ]
        inner = f'x="4" y="4" width="{number(CARD_WIDTH - 8)}" height="{number(CARD_HEIGHT - 8)}" rx="3"'
        self._parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" {_size(width, height)} role="img" font-family="{FONT}">',
            f"<title>{escape(title)}</title>",
            f"<desc>{escape(description)}</desc>",
            "<defs>",
            *suits,
            _LATTICE,
            f'<g id="back">{_card_shape("#fff")}<rect {inner} fill="#2f5d8a"/><rect {inner} fill="url(#lattice)"/></g>',
            "</defs>",
        ]

    def add(self, part: str) -> None:
        """Add a shape."""
        self._parts.append(part)

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        fill: str,
        *,
        radius: float = 8,
        extra: str = "",
    ) -> None:
        """Draw a box with round corners."""
        self.add(
            f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}" '
            f'rx="{number(radius)}" fill="{fill}"{extra}/>'
        )

    def line(self, x1: float, y: float, x2: float) -> None:
        """Draw a thin rule."""
        self.add(f'<path d="M{number(x1)} {number(y)}H{number(x2)}" stroke="{LINE}"/>')

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = 13,
        fill: str = INK,
        bold: bool = False,
        anchor: str = "start",
    ) -> None:
        """Write a text from its base line."""
        weight = ' font-weight="bold"' if bold else ""
        place = "" if anchor == "start" else f' text-anchor="{anchor}"'
        self.add(
            f'<text x="{number(x)}" y="{number(y)}" font-size="{number(size)}" fill="{fill}"{weight}{place}>'
            f"{escape(text)}</text>"
        )

    def suit(self, x: float, y: float, suit: int, size: float) -> None:
        """Draw a suit with its upper left corner here."""
        self.add(
            f'<use href="#suit{suit}" transform="translate({number(x)} {number(y)}) scale({size / 100:g})"/>'
        )

    def card(
        self, x: float, y: float, card: int, *, beside: bool = False, covered: bool = False, scale: float = 1
    ) -> None:
        """Draw a card, its suit below the rank or ``beside`` it; one that is ``covered`` shows just these."""
        suit, rank = card >> 4, RANKS[card & 15]
        self.add(
            f'<g transform="translate({number(x)} {number(y)}){f" scale({scale:g})" if scale != 1 else ""}">'
        )
        self.add(_card_shape("#fff"))
        colour = SUIT_COLOURS[suit]
        if beside:
            self.text(14, 18.5, rank, size=15.5, fill=colour, bold=True, anchor="middle")
            self.suit(28, 6, suit, 13)
        else:
            # Ten has two digits for the same place.
            self.text(13, 18, rank, size=13 if rank == "10" else 16, fill=colour, bold=True, anchor="middle")
            self.suit(6.5, 22, suit, 13)
        if not covered:
            self.suit(CARD_WIDTH - 27, CARD_HEIGHT - 29, suit, 22)
        self.add("</g>")

    def back(self, x: float, y: float) -> None:
        """Draw a card face down."""
        self.add(f'<use href="#back" transform="translate({number(x)} {number(y)})"/>')

    def svg(self) -> str:
        """Return the picture."""
        return "\n".join([*self._parts, "</svg>", ""])


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Return about how wide a text is, in the widest of the fonts named."""
    return sum(0.36 if char in "ijl.,:; '|!-" else 0.66 for char in text) * size * (1.1 if bold else 1)


def shortened(text: str, size: float, width: float, *, bold: bool = False) -> str:
    """Return a text that is no wider than it may be."""
    if text_width(text, size, bold=bold) <= width:
        return text
    while text and text_width(text + "…", size, bold=bold) > width:
        text = text[:-1]
    return text.rstrip() + "…"


def fitted(text: str, size: float, width: float, *, bold: bool = False) -> tuple[str, float]:
    """Return a text and its size, smaller if need be and shortened when that is not enough."""
    smallest = size * 0.75
    while size > smallest and text_width(text, size, bold=bold) > width:
        size -= 0.5
    return shortened(text, size, width, bold=bold), size


def _card_shape(fill: str) -> str:
    return (
        f'<rect width="{number(CARD_WIDTH)}" height="{number(CARD_HEIGHT)}" rx="5" fill="{fill}" '
        'stroke="#8b8f94" stroke-width=".8"/>'
    )


def _size(width: int, height: int) -> str:
    return f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
