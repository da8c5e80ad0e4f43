"""Built-in questions: made from the headings, captions, tables and sentences of a document, without a language model.

They repeat the document's own words, so full-text search finds them too easily. Their origin says how each was made.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from typing import NamedTuple, TypedDict

from tasks.chunk.sentences import find_sentence_spans
from tasks.chunk.text_blocks import TABLE_DELIMITER, split_table_row
from tasks.evaluate.questions.contexts import remove_white_space
from tasks.evaluate.questions.generated import Document, GeneratedQuestion
from tasks.evaluate.questions.spread import interleave_kinds, split_into_passages, spread_evenly
from tasks.evaluate.scoring import Span

HEADING, CAPTION = "generated: heading", "generated: caption"
SHORTEST_BODY, LONGEST_BODY = 60, 1500
"""Lengths of a paragraph that a heading can be asked about, in characters."""
PART = 1000
"""Length of the parts of long paragraphs, in characters; each has one gap at most."""
ENDS = (".", "!", "?", ":", ".”", '."')
"""How a paragraph of prose ends."""
LONGEST_NAME = 120
BODY = ("paragraph", "list_item")

_CAPTION = re.compile(
    r"(?P<kind>Figure|Fig\.|Table|Chart|Map|Diagram)\s*(?P<number>[A-Z]?\d[\w.\u2013-]*?)"
    r"(?:\s*[:.\u2013\u2014|-]\s+|\s+(?=[A-Z“\"]))(?P<rest>\S.*)",
    re.DOTALL,
)
_KINDS = {"Fig.": "figure"}

CLOZE_ORIGIN = "generated: cloze"
GAP = "____"
SHORTEST_SENTENCE, LONGEST_SENTENCE = 40, 300
"""Lengths of a sentence, in characters."""
FEWEST_WORDS = 7
MOST_REPEATS = 10
"""How often the document may have the words of a gap."""
LONG_WORD = 7
"""Letters of a word that may be the gap if there is no number and no name."""

_NUMBER = re.compile(r"(?<![\w.,])[$€£]?\d[\d.,]*\d%?(?![\w])")
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]{2,}(?: [A-Z][a-z]+)*\b")
_WORD = re.compile(rf"\b[a-z]{{{LONG_WORD},}}\b")
_SENTENCE = re.compile(r"[A-Z0-9“\"][^{}<>|\\]*[.!]\Z")

CELL_ORIGIN = "generated: table cell"
MOST_HEADERS = 3
"""Rows of column names, at most."""
SHORTEST_YEAR = 4
PER_TABLE = 3
"""Questions about one table, at most."""


class TextElement(TypedDict):
    """A row of ELEMENTS, as far as questions depend on it."""

    kind: str
    text: str
    section: list[str]
    start_char: int
    end_char: int
    position: int
    joined_by: str | None


def make_builtin_questions(document: Document, elements: Sequence[TextElement], most: int, seed: int) -> list[GeneratedQuestion]:
    """Return questions about a document, of all kinds in turn, at most `most` of a kind, each kind spread over the document.

    `elements` are in reading order, without furniture.
    """
    tables = [element for element in elements if element["kind"] == "table" and element["joined_by"] is None]
    paragraphs = [_get_element_span(element) for element in elements if element["kind"] == "paragraph"]
    parts = [
        (start + low, start + high)
        for start, end in paragraphs
        for low, high in split_into_passages(document.text[start:end], PART)
    ]
    kinds: list[Iterable[GeneratedQuestion]] = [
        interleave_kinds([list(_ask_about_cells(document, elements, table, seed)) for table in spread_evenly(tables, seed)]),
        spread_evenly(list(_ask_about_headings(document, elements)), seed),
        make_cloze_questions(document, spread_evenly(parts, seed)),
        spread_evenly(list(_ask_about_captions(document, elements)), seed),
    ]
    return interleave_kinds([list(islice(kind, most)) for kind in kinds])


def _ask_about_headings(document: Document, elements: Sequence[TextElement]) -> Iterator[GeneratedQuestion]:
    """Ask about each heading that stands once in the document; the gold is the first paragraph below it."""
    sections = [(tuple(section), list(group)) for section, group in groupby(elements, key=lambda element: element["section"])]
    paths = [section for section, _ in sections]
    for section, group in sections:
        first = next((element for element in group if element["kind"] in BODY), None)
        if (
            first is None
            or not section
            or paths.count(section) > 1
            or not _is_element_name(section[-1])
            or section[-1] == document.name
        ):
            continue
        start, end = _get_element_span(first)
        if not SHORTEST_BODY <= end - start <= LONGEST_BODY or not document.text[start:end].rstrip().endswith(ENDS):
            continue
        above = section[-2] if len(section) > 1 and _is_element_name(section[-2]) else ""
        under = f" under “{above}”" if above and above != document.name else ""
        question = f"What does “{document.name}” say about “{section[-1]}”{under}?"
        yield GeneratedQuestion(document.path, question, (start, end), None, HEADING)


def _ask_about_captions(document: Document, elements: Sequence[TextElement]) -> Iterator[GeneratedQuestion]:
    """Ask which figure or table a caption belongs to. The text of a figure repeats its caption, so the gold is both."""
    for element in elements:
        if element["kind"] == "caption" and (caption := _CAPTION.match(element["text"].strip())):
            kind = _KINDS.get(caption["kind"], caption["kind"].lower())
            words = remove_white_space(element["text"])
            figures = [
                one
                for one in _find_neighbouring_elements(element, elements)
                if one["kind"] == "figure" and words in remove_white_space(one["text"])
            ]
            spans = [_get_element_span(one) for one in (element, *figures)]
            gold = (min(start for start, _ in spans), max(end for _, end in spans))
            question = f"Which {kind} of “{document.name}” shows “{_shorten_caption(caption['rest'])}”?"
            yield GeneratedQuestion(document.path, question, gold, f"{kind.capitalize()} {caption['number']}", CAPTION)


def _ask_about_cells(
    document: Document, elements: Sequence[TextElement], table: TextElement, seed: int
) -> Iterator[GeneratedQuestion]:
    """Ask about a table. Its name is that of its caption, else of its heading, else of its document."""
    beside = [element for element in _find_neighbouring_elements(table, elements) if element["kind"] in ("caption", *BODY)]
    captions = [_CAPTION.match(element["text"].strip()) for element in beside]
    named = next((_shorten_caption(caption["rest"]) for caption in captions if caption and caption["kind"] == "Table"), "")
    heading = table["section"][-1] if table["section"] and _is_element_name(table["section"][-1]) else ""
    return make_cell_questions(document, _get_element_span(table), named or heading or document.name, seed)


def _find_neighbouring_elements(element: TextElement, elements: Sequence[TextElement]) -> list[TextElement]:
    return [one for one in elements if abs(one["position"] - element["position"]) == 1]


def _shorten_caption(text: str) -> str:
    """Return the first sentence of a caption, without its full stop, and not too long."""
    flat = re.split(r"(?<=\w\w)\.\s", " ".join(text.split()))[0].rstrip(".")
    return flat if len(flat) <= LONGEST_NAME else flat[:LONGEST_NAME].rsplit(" ", 1)[0] + " …"


def _is_element_name(text: str) -> bool:
    return 3 <= len(text) <= LONGEST_NAME and any(map(str.isalpha, text))


def _get_element_span(element: TextElement) -> Span:
    return element["start_char"], element["end_char"]


def make_cloze_questions(document: Document, paragraphs: Iterable[Span]) -> Iterator[GeneratedQuestion]:
    """Yield a question for each of the paragraphs, in their order, that has a sentence with something to leave out."""
    for low, high in paragraphs:
        for start, end in find_sentence_spans(document.text, low, high):
            sentence = document.text[start:end].strip()
            if gap := _find_cloze_gap(sentence, document.text):
                kind, (at, to) = gap
                shown = " ".join(f"{sentence[:at]}{GAP}{sentence[to:]}".split())
                begin = document.text.index(sentence, start)
                question = f"Which {kind} fills the gap in “{shown}”?"
                yield GeneratedQuestion(document.path, question, (begin, begin + len(sentence)), sentence[at:to], CLOZE_ORIGIN)
                break


def _find_cloze_gap(sentence: str, text: str) -> tuple[str, Span] | None:
    """Return what is left out and its span: the last number, else the longest name, else the longest word.

    It stands once in the sentence, and seldom in the text.
    """
    if (
        not SHORTEST_SENTENCE <= len(sentence) <= LONGEST_SENTENCE
        or len(sentence.split()) < FEWEST_WORDS
        or not _SENTENCE.match(sentence)
    ):
        return None
    for kind, pattern in (("number", _NUMBER), ("name", _NAME), ("word", _WORD)):
        found = sorted(pattern.finditer(sentence), key=lambda match: match.start() if kind == "number" else len(match.group()))
        for match in reversed(found):
            if sentence.count(match.group()) == 1 and text.count(match.group()) <= MOST_REPEATS:
                return kind, match.span()
    return None


class Row(NamedTuple):
    """A row of a table: its cells, and its span in the document."""

    cells: list[str]
    span: Span


def make_cell_questions(document: Document, table: Span, name: str, seed: int) -> Iterator[GeneratedQuestion]:
    """Yield questions about cells of the Markdown table at `table`, which people call `name`."""
    rows = _read_table_rows(document.text, table)
    at = next(
        (number for number, row in enumerate(rows) if number and TABLE_DELIMITER.match(document.text[slice(*row.span)])), None
    )
    if at is None:
        return
    n_headers = _count_header_rows(rows[at + 1 :])
    columns = _name_columns([rows[at - 1], *rows[at + 1 : at + 1 + n_headers]])
    body = [row for row in rows[at + 1 + n_headers :] if row.cells and _is_row_name(row.cells[0])]
    labels = [row.cells[0] for row in body]
    unique = [row for row in body if labels.count(row.cells[0]) == 1]
    for number, row in enumerate(spread_evenly(unique, seed)[:PER_TABLE]):
        filled = [
            (column, cell)
            for column, cell in zip(columns[1:], row.cells[1:], strict=False)
            if _is_named_column(column) and columns.count(column) == 1 and any(map(str.isalnum, cell))
        ]
        if filled:
            column, cell = filled[number % len(filled)]
            of = f" of “{document.name}”" if name != document.name else ""
            question = f"What is the value of “{row.cells[0].rstrip(':')}” for “{column}” in the table “{name}”{of}?"
            yield GeneratedQuestion(document.path, question, row.span, cell, CELL_ORIGIN)


def _read_table_rows(text: str, table: Span) -> list[Row]:
    rows, start = [], table[0]
    for line in text[slice(*table)].split("\n"):
        rows.append(
            Row([" ".join(cell.split()) for cell in split_table_row(line)] if "|" in line else [], (start, start + len(line)))
        )
        start += len(line) + 1
    return rows


def _count_header_rows(rows: Sequence[Row]) -> int:
    """Return how many rows below the delimiter go on with column names: those without a name of their own."""
    named = next((number for number, row in enumerate(rows) if row.cells and row.cells[0]), len(rows))
    return named if named <= MOST_HEADERS else 0


def _name_columns(headers: Sequence[Row]) -> list[str]:
    """Return the name of each column. In all but the last row of names, a name also stands for the blank cells after it."""
    parts: list[list[str]] = []
    rows = [row.cells for row in headers if any(row.cells)]
    for number, cells in enumerate(rows):
        last = ""
        for column, cell in enumerate(cells):
            last = cell or (last if number < len(rows) - 1 else "")
            parts += [[] for _ in range(column + 1 - len(parts))]
            parts[column] += [last] if last else []
    return [", ".join(dict.fromkeys(name.rstrip(",") for name in names)) for names in parts]


def _is_row_name(cell: str) -> bool:
    return len(cell) <= LONGEST_NAME and any(map(str.isalpha, cell))


def _is_named_column(name: str) -> bool:
    """Return whether a column has a name, such as a word or a year. A lone digit is a number of the table."""
    return any(map(str.isalpha, name)) or len(name) >= SHORTEST_YEAR
