"""Numbers of lines in the margin are furniture; numbers that belong to what stands beside them are text."""

from collections.abc import Callable
from typing import Any

import pymupdf
import pytest

from schemas.options.sections import ParseOptions
from tasks.parse.pdf.io.document import parse_pdf
from tasks.parse.pdf.io.page_text import words_of
from tasks.parse.pdf.line_numbers import line_numbers

LINES = """The tenant says that the winch was greased on the first of May
by a fitter of the yard, and that no wear was seen on the rope or
on the drum at that time. The owner of the yard disputes this and
points to the book of the gate, which names no fitter on that day.
It follows that the rope was worn when the load fell on the quay,
and that the tenant must bear half of the loss. The tenant replies
that the book of the gate is kept by a clerk who was ill in May,
as his own letter shows, and that two men saw the fitter at work.
Both men were heard. One of them recalls the can of grease, and
the other recalls the smell of it on the following morning. The
court finds that the winch was greased, but that the rope itself
was never looked at. The loss is shared in equal parts by both.""".split("\n")
WIDTH, LEFT, FIRST, PITCH = 595, 110.0, 90.0, 22.0


class Sheet:
    """A page to write on."""

    def __init__(self) -> None:
        self.page = pymupdf.open().new_page(width=WIDTH, height=842)

    def text(
        self, x: float = LEFT, size: float = 11, lines: list[str] = LINES, pitch: float = PITCH, font: str = "helv"
    ) -> "Sheet":
        for n, line in enumerate(lines):
            self.page.insert_text((x, FIRST + pitch * n), line, fontsize=size, fontname=font)
        return self

    def numbers(
        self,
        values: dict[int, str],
        x: float = 60.0,
        size: float = 9,
        right: bool = True,
        top: float = FIRST,
        pitch: float = PITCH,
    ) -> "Sheet":
        """Write values by the index of their line, aligned at the right or left."""
        for n, value in values.items():
            at = x - pymupdf.get_text_length(value, fontsize=size) if right else x
            self.page.insert_text((at, top + pitch * n), value, fontsize=size)
        return self

    def also(self, x: float, y: float, text: str) -> "Sheet":
        self.page.insert_text((x, y), text, fontsize=9)
        return self


def each(first: int = 1, n: int = len(LINES)) -> dict[int, str]:
    return {k: str(first + k) for k in range(n)}


def every(step: int, first: int = 0) -> dict[int, str]:
    return {k: str(first + k + 1) for k in range(len(LINES)) if (first + k + 1) % step == 0}


RULER = {k: f"{k:03}" for k in range(54)}
CHINESE = ["港口办公室从下个月起更改开放时间星期一休息详情请咨询"] * 8
NUMBERED: dict[str, Callable[[], Sheet]] = {
    "each line": lambda: Sheet().text().numbers(each()),
    "each line, aligned at the left": lambda: Sheet().text().text(x=50, lines=list(each().values())),
    "each line in tiny type": lambda: Sheet().text().numbers(each(), size=5, x=95),
    "running from page to page": lambda: Sheet().text().numbers(each(first=1201)),
    "in the right margin": lambda: Sheet().text(x=72).numbers(each(), x=520),
    "in both margins": lambda: Sheet().text().numbers(each()).numbers(each(), x=550),
    "every second line": lambda: Sheet().text().numbers(every(2)),
    "every fifth line": lambda: Sheet().text().numbers(every(5)),
    "every fifth line, running": lambda: Sheet().text().numbers(every(5, first=43)),
    "every tenth line of a long text": lambda: Sheet().text(lines=LINES * 2, pitch=12).numbers({9: "10", 19: "20"}, pitch=12),
    "one number on a short page": lambda: Sheet().text(lines=LINES[:8]).numbers({4: "5"}),
    "a ruler beside the lines": lambda: Sheet().text().numbers(RULER, pitch=11.3).numbers(RULER, pitch=11.3, x=560),
    "pleading paper": lambda: Sheet().text(pitch=26).numbers(each(n=28), pitch=24, top=84),
    "two columns": lambda: Sheet().text(x=50, size=7).text(x=310, size=7).numbers(each(), x=40).numbers(each(first=13), x=575),
    "with a page number and a header": lambda: Sheet().text().numbers(each()).also(290, 810, "17").also(60, 40, "Draft of May"),
    "lines of Chinese": lambda: Sheet().text(lines=CHINESE, font="china-s").numbers(each(n=8)),
}


@pytest.mark.parametrize("way", NUMBERED)
def test_numbers_of_lines_are_found_in_whatever_way_they_are_set(way: str) -> None:
    words = words_of(NUMBERED[way]().page)
    found = line_numbers(words)
    own = [word for word in words if word.text.isdecimal() and word.box[1] < 790]
    assert sorted(word.text for word in found) == sorted(word.text for word in own)


ITEMS = [f"{line[0].upper()}{line[1:]}" for line in LINES]
SHORT = ["apples from the north", "pears", "plums of the second harvest", "quinces", "cherries in a can", "figs"]
PRICES = ["12.50"] * 12
OTHERS: dict[str, Callable[[], Sheet]] = {
    "a list of sentences": lambda: Sheet().text(lines=ITEMS).numbers(each()),
    "a list of short names": lambda: Sheet().text(lines=SHORT).numbers(each(n=6)),
    "rows of a table": lambda: Sheet().text(lines=SHORT).text(x=300, lines=["12.50"] * 6).numbers(each(n=6)),
    "rows of a table of sentences": lambda: (
        Sheet().text(size=8).text(x=450, lines=PRICES).text(x=500, lines=PRICES).numbers(each())
    ),
    "years": lambda: Sheet().text().numbers({0: "1988", 4: "1990", 7: "1993"}),
    "numbers in no order": lambda: Sheet().text().numbers({0: "4", 1: "2", 2: "9", 3: "1"}),
    "chapters of a contents": lambda: Sheet().text(lines=["Winches", "Ropes", "Drums", "Grease", "Gates"]).numbers(each(n=5)),
    "numbers within the text": lambda: Sheet().text(x=60, lines=[f"{n} {line}" for n, line in enumerate(LINES, 1)]),
    "every fifth number at the wrong lines": lambda: Sheet().text().numbers({1: "5", 3: "10", 9: "15"}),
    "one number at another line": lambda: Sheet().text().numbers({6: "5"}),
    "a single note": lambda: Sheet().text().numbers({2: "3"}),
    "numbered paragraphs": lambda: Sheet().text().numbers({0: "1", 4: "2", 8: "3"}),
    "a page number": lambda: Sheet().text().also(60, 810, "17"),
    "nothing else": lambda: Sheet().numbers(each()),
}


@pytest.mark.parametrize("way", OTHERS)
def test_other_numbers_stay(way: str) -> None:
    assert line_numbers(words_of(OTHERS[way]().page)) == []


def read(page: Any) -> list[tuple[str, str]]:
    row = parse_pdf(page.parent.tobytes(), ParseOptions(), lambda _: None)
    return [(found["kind"], found["text"]) for found in row["elements"]]


@pytest.mark.parametrize("way", ["each line", "every fifth line", "in both margins", "pleading paper"])
def test_a_numbered_page_reads_like_one_without_numbers(way: str) -> None:
    elements = read(NUMBERED[way]().page)
    assert " ".join(text for kind, text in elements if kind != "furniture") == " ".join(LINES)
    assert any(kind == "furniture" and "5" in text.split() for kind, text in elements), "and nothing is lost"


def test_a_numbered_page_with_a_table_has_paragraphs_and_no_list() -> None:
    page = Sheet().text().numbers(each()).page
    for row, y in enumerate((400, 420)):
        page.insert_text((115, y), ("Port", "Askvoll")[row], fontsize=11)
        page.insert_text((315, y), ("Fee", "31")[row], fontsize=11)
    for y in (386, 406, 426):
        page.draw_line((110, y), (460, y))
    for x in (110, 310, 460):
        page.draw_line((x, 386), (x, 426))
    elements = read(page)
    assert [kind for kind, _ in elements] == ["paragraph", "table", "furniture"]
    assert elements[0][1] == " ".join(LINES)
