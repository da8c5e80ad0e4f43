"""Words, rows and rules of pages that tests make up."""

from collections.abc import Sequence

from tasks.parse.layout.geometry import Box
from tasks.parse.layout.page_model import PageModel, Source
from tasks.parse.layout.regions import Region
from tasks.parse.layout.rules import NO_RULES, Rule, Rules
from tasks.parse.layout.words import Word
from tasks.parse.passes.model import measured
from tasks.parse.passes.runner import Pass, run_passes
from tasks.parse.passes.table import READING_ORDER, TABLE_DETECTION

PAGE = (0.0, 0.0, 600.0, 800.0)


def correct(
    passes: Sequence[Pass],
    words: Sequence[Word],
    regions: Sequence[Region],
    rules: Rules = NO_RULES,
    box: Box = PAGE,
    typewritten: bool = False,
) -> list[Region]:
    """Return the regions of a page with a text layer after some passes."""
    model = measured(PageModel(box, Source.DIGITAL, words, regions, rules, typewritten=typewritten))
    return run_passes(model, model.seen, passes)


def with_tables(words: Sequence[Word], regions: Sequence[Region], rules: Rules, typewritten: bool = False) -> list[Region]:
    """Return the regions of a page after the passes that find tables."""
    return correct(TABLE_DETECTION, words, regions, rules, typewritten=typewritten)


def tables_in(words: Sequence[Word], rules: Rules, box: Box) -> list[Box]:
    """Return the boxes of what a table is split into by the passes that part tables beside and below each other."""
    passes = [one for one in TABLE_DETECTION if one.name.startswith(("split-tables-b", "split-tables-at-h"))]
    return [region.box for region in correct(passes, words, [Region(box, "table", spaced=True)], rules)]


def arrange(words: Sequence[Word], regions: Sequence[Region], box: Box = PAGE) -> list[Region]:
    """Return the regions of a page with all its words, in reading order."""
    return correct(READING_ORDER, words, regions, box=box)


def a_word(text: str, x: float, y: float) -> Word:
    """Return a word of type 10 points high, each character 5 points wide."""
    return Word((x, y, x + 5 * len(text), y + 10), text, 0, round(y))


def a_sentence(text: str, x: float, y: float) -> list[Word]:
    """Return words 3 points apart."""
    words = []
    for part in text.split():
        words.append(a_word(part, x, y))
        x += 5 * len(part) + 3
    return words


def a_row(y: float, *texts: str, left: float = 0.0, width: float = 100.0) -> list[Word]:
    """Return a line of cells, `width` points from one to the next."""
    return [word for n, text in enumerate(texts) for word in a_sentence(text, left + width * n, y)]


def lattice(ys: list[float], xs: list[float]) -> Rules:
    """Return rules across at `ys` and down at `xs`, all of full length."""
    return Rules(tuple(Rule(y, xs[0], xs[-1]) for y in ys), tuple(Rule(x, ys[0], ys[-1]) for x in xs))


def both(a: Rules, b: Rules) -> Rules:
    """Return the rules of two tables."""
    return Rules((*a.horizontals, *b.horizontals), (*a.verticals, *b.verticals))


def whole(x1: float, y1: float) -> Box:
    """Return the rectangle from the page's corner."""
    return -5.0, -5.0, x1, y1
