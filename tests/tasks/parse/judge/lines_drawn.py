"""Lines and regions of a page, drawn for the judge of headings."""

from tasks.parse.layout.regions import Region
from tasks.parse.layout.words import Word


def line(text: str, y: float, number: int, size: float = 10.0, bold: bool = False) -> list[Word]:
    """Return the words of a line of a page."""
    words, x = [], 50.0
    for word in text.split():
        width = 0.5 * size * len(word)
        words.append(Word((x, y, x + width, y + size), word, number, number, size, bold=bold, font="Serif"))
        x += width + 0.3 * size
    return words


def region(kind: str, *lines: list[Word]) -> Region:
    """Return a region of lines."""
    words = [word for line in lines for word in line]
    return Region((50, words[0].box[1], 300, words[-1].box[3]), kind, words=words)


TEXT = region("paragraph", *(line("Ships sail with the wind, and sometimes against it.", 100 + 12 * n, n) for n in range(9)))
MIXED = region("paragraph", line("Of sails", 240, 20, 14, True), line("They are made of linen or of hemp.", 256, 21))
