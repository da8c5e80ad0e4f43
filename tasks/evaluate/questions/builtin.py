"""Built-in questions: made from the headings, captions, tables and sentences of a document, without a language model.

They repeat the document's own words, so full-text search finds them too easily. Their origin says how each was made.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from typing import Any

from tasks.evaluate.questions.cells import cell_questions
from tasks.evaluate.questions.cloze import cloze_questions
from tasks.evaluate.questions.contexts import remove_white_space
from tasks.evaluate.questions.generated import Document, GeneratedQuestion
from tasks.evaluate.questions.spread import interleave, split_passages, spread
from tasks.evaluate.scoring import Span

COLUMNS = ("kind", "text", "section", "start_char", "end_char", "position", "joined_by")
"""The columns of ELEMENTS that are read."""
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


def builtin_questions(document: Document, elements: Sequence[dict[str, Any]], most: int, seed: int) -> list[GeneratedQuestion]:
    """Return questions about a document, of all kinds in turn, at most `most` of a kind, each kind spread over the document.

    `elements` are rows with COLUMNS in reading order, without furniture.
    """
    tables = [element for element in elements if element["kind"] == "table" and element["joined_by"] is None]
    paragraphs = [_span(element) for element in elements if element["kind"] == "paragraph"]
    parts = [
        (start + low, start + high) for start, end in paragraphs for low, high in split_passages(document.text[start:end], PART)
    ]
    kinds: list[Iterable[GeneratedQuestion]] = [
        interleave([list(_ask_cells(document, elements, table, seed)) for table in spread(tables, seed)]),
        spread(list(_ask_headings(document, elements)), seed),
        cloze_questions(document, spread(parts, seed)),
        spread(list(_ask_captions(document, elements)), seed),
    ]
    return interleave([list(islice(kind, most)) for kind in kinds])


def _ask_headings(document: Document, elements: Sequence[dict[str, Any]]) -> Iterator[GeneratedQuestion]:
    """Ask about each heading that stands once in the document; the gold is the first paragraph below it."""
    sections = [(tuple(section), list(group)) for section, group in groupby(elements, key=lambda element: element["section"])]
    paths = [section for section, _ in sections]
    for section, group in sections:
        first = next((element for element in group if element["kind"] in BODY), None)
        if first is None or not section or paths.count(section) > 1 or not _is_name(section[-1]) or section[-1] == document.name:
            continue
        start, end = _span(first)
        if not SHORTEST_BODY <= end - start <= LONGEST_BODY or not document.text[start:end].rstrip().endswith(ENDS):
            continue
        above = section[-2] if len(section) > 1 and _is_name(section[-2]) else ""
        under = f" under “{above}”" if above and above != document.name else ""
        question = f"What does “{document.name}” say about “{section[-1]}”{under}?"
        yield GeneratedQuestion(document.path, question, (start, end), None, HEADING)


def _ask_captions(document: Document, elements: Sequence[dict[str, Any]]) -> Iterator[GeneratedQuestion]:
    """Ask which figure or table a caption belongs to. The text of a figure repeats its caption, so the gold is both."""
    for element in elements:
        if element["kind"] == "caption" and (caption := _CAPTION.match(element["text"].strip())):
            kind = _KINDS.get(caption["kind"], caption["kind"].lower())
            words = remove_white_space(element["text"])
            figures = [
                one
                for one in _neighbours(element, elements)
                if one["kind"] == "figure" and words in remove_white_space(one["text"])
            ]
            spans = [_span(one) for one in (element, *figures)]
            gold = (min(start for start, _ in spans), max(end for _, end in spans))
            question = f"Which {kind} of “{document.name}” shows “{_first_words(caption['rest'])}”?"
            yield GeneratedQuestion(document.path, question, gold, f"{kind.capitalize()} {caption['number']}", CAPTION)


def _ask_cells(
    document: Document, elements: Sequence[dict[str, Any]], table: dict[str, Any], seed: int
) -> Iterator[GeneratedQuestion]:
    """Ask about a table by its caption, which stands beside it, else by its heading, else by its document."""
    beside = [element for element in _neighbours(table, elements) if element["kind"] in ("caption", *BODY)]
    captions = [_CAPTION.match(element["text"].strip()) for element in beside]
    named = next((_first_words(caption["rest"]) for caption in captions if caption and caption["kind"] == "Table"), "")
    heading = table["section"][-1] if table["section"] and _is_name(table["section"][-1]) else ""
    return cell_questions(document, _span(table), named or heading or document.name, seed)


def _neighbours(element: dict[str, Any], elements: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [one for one in elements if abs(one["position"] - element["position"]) == 1]


def _first_words(text: str) -> str:
    """Return the first sentence of a caption, without its full stop, and not too long."""
    flat = re.split(r"(?<=\w\w)\.\s", " ".join(text.split()))[0].rstrip(".")
    return flat if len(flat) <= LONGEST_NAME else flat[:LONGEST_NAME].rsplit(" ", 1)[0] + " …"


def _is_name(text: str) -> bool:
    return 3 <= len(text) <= LONGEST_NAME and any(map(str.isalpha, text))


def _span(element: dict[str, Any]) -> Span:
    return element["start_char"], element["end_char"]
