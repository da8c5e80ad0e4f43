"""Questions that name places: pages by their numbers, tables, figures and sections by theirs, in several languages.

They are made from the elements of books and reports. A page is asked for by two words that other pages have too; what a table, a
figure or a section says, by its number alone.
"""

import gzip
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.ranking.corpora import GZIP, Gold
from schemas.corpus import Corpus
from tasks.evaluate.questions.spread import spread_evenly
from tasks.language.detection import parse_language_code
from tasks.store import published

BOOKS = (
    "debmake-doc/usr/share/doc/debmake-doc/debmake-doc.en.pdf",
    "developers-reference/usr/share/developers-reference/developers-reference.pdf",
    "debian-policy/usr/share/doc/debian-policy/policy.pdf.gz",
    "debian-policy/usr/share/doc/debian-policy/fhs/fhs-3.0.pdf.gz",
    "pari-doc/usr/share/pari/doc/tutorial.pdf",
    "pari-doc/usr/share/pari/doc/develop.pdf",
    "installation-guide-amd64/usr/share/doc/installation-guide-amd64/en/install.en.pdf.gz",
)
TONGUES = (
    "debmake-doc/usr/share/doc/debmake-doc/debmake-doc.de.pdf",
    "debmake-doc/usr/share/doc/debmake-doc/debmake-doc.ru.pdf",
    "debmake-doc/usr/share/doc/debmake-doc/debmake-doc.ja.pdf",
    "debmake-doc/usr/share/doc/debmake-doc/debmake-doc.zh-cn.pdf",
    "live-manual-pdf/usr/share/doc/live-manual/pdf/live-manual.portrait.fr.a4.pdf.gz",
    "live-manual-pdf/usr/share/doc/live-manual/pdf/live-manual.portrait.pl.a4.pdf.gz",
)
PACKAGES = tuple(dict.fromkeys(name.split("/")[0] for name in (*BOOKS, *TONGUES)))
FORMS = {
    "en": ("What does page {} say about {}?", "What is in {}?", "What does section {} say?"),
    "de": ("Was steht auf Seite {} über {}?", "Was ist in {}?", "Was steht in Abschnitt {}?"),
    "fr": ("Que dit la page {} sur {} ?", "Que contient {} ?", "Que dit la section {} ?"),
    "pl": ("Co jest na stronie {} o {}?", "Co zawiera {}?", "Co mówi rozdział {}?"),
    "ru": ("Что сказано на странице {} про {}?", "Что содержит {}?", "Что сказано в разделе {}?"),
    "ja": ("{}ページに{}について何が書かれていますか。", "{}には何がありますか。", "{}節には何が書かれていますか。"),
    "zh": ("第{}页关于{}说了什么?", "{}里有什么?", "第{}节说了什么?"),
}
"""How a page and two words, a caption's label, and a section's number are asked for."""
MOST_OF_A_KIND = 8
OFF = 3
"""Whoever errs names a page so many pages behind."""
LEAST_PAGES = 3
SHORTEST, LONGEST = 120, 1500
COLUMNS = ["document_id", "position", "page_number", "kind", "text", "section", "start_char", "end_char"]

_LABEL = re.compile(r"((?:[^\W\d_]+\.?|[図表图])\s?(?:[A-Z]\.)?\d+(?:[.\-]\d+)*)(?=[\s:.\u2014]|$)")
_NUMBERED = re.compile(r"(\d+(?:\.\d+)+)[.\s]\s*\S")
_WORD = re.compile(r"[^\W\d_]{5,}|[\u3400-\u9fff]{2,4}|[\u30a0-\u30ff]{3,}")


class Placed(NamedTuple):
    """A question that names a place of a document, and what lies there. `kind`: page, part or section.

    `wrong` is the same with a page OFF pages behind; "" for other kinds.
    """

    kind: str
    text: str
    gold: Gold
    document_id: str
    title: str
    wrong: str


def copy_books(source: Path, packages: Path, names: Sequence[str]) -> None:
    """Copy PDFs of packages, unpacked."""
    for name in names:
        data = (packages / name).read_bytes()
        target = source / Path(name).name.removesuffix(".gz")
        target.write_bytes(gzip.decompress(data) if data[:2] == GZIP else data)


def placed_questions(corpus: Corpus) -> list[Placed]:
    """Return questions about the documents of a corpus, of each kind MOST_OF_A_KIND for each document at most."""
    live = published.read_live_generation(corpus)
    elements = published.read_columns(corpus, live, "elements", COLUMNS).to_pylist()
    of_document: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for element in sorted(elements, key=lambda one: one["position"]):
        if element["start_char"] is not None:
            of_document[element["document_id"]].append(element)
    documents = published.read_columns(corpus, live, "documents", ["document_id", "path", "title", "language"]).to_pylist()
    return [
        Placed(
            kind,
            question,
            Gold(row["path"], span),
            row["document_id"],
            row["title"] or Path(row["path"]).stem,
            _wrong(kind, question),
        )
        for row in documents
        for kind, found in _of_document(
            of_document[row["document_id"]], FORMS.get(parse_language_code(row["language"] or ""), FORMS["en"])
        )
        for question, span in islice(found, MOST_OF_A_KIND)
    ]


def _wrong(kind: str, question: str) -> str:
    return re.sub(r"\d+", lambda found: str(int(found[0]) + OFF), question, count=1) if kind == "page" else ""


Asked = Iterator[tuple[str, tuple[int, int]]]


def _of_document(elements: Sequence[dict[str, Any]], forms: Sequence[str]) -> Iterator[tuple[str, Asked]]:
    yield "page", _pages(elements, forms[0])
    yield "part", _parts(elements, forms[1])
    yield "section", _sections(elements, forms[2])


def _pages(elements: Sequence[dict[str, Any]], form: str) -> Asked:
    pages: dict[str, set[int]] = defaultdict(set)
    for element in elements:
        for word in _WORD.findall(element["text"].lower()):
            pages[word].add(element["page_number"])
    bodies = [one for one in elements if one["kind"] == "paragraph" and SHORTEST <= len(one["text"]) <= LONGEST]
    for element in spread_evenly(bodies, 0):
        words = dict.fromkeys(_WORD.findall(element["text"].lower()))
        shared = sorted((word for word in words if len(pages[word]) >= LEAST_PAGES), key=lambda word: (len(pages[word]), word))
        if len(shared) > 1:
            yield form.format(element["page_number"], " & ".join(shared[:2])), _span(element)


def _parts(elements: Sequence[dict[str, Any]], form: str) -> Asked:
    labels = [
        (at, found[1])
        for at, one in enumerate(elements)
        if one["kind"] == "caption" and (found := _LABEL.match(one["text"].strip()))
    ]
    counts = Counter(label for _, label in labels)
    for at, label in spread_evenly(labels, 0):
        if counts[label] == 1:
            yield form.format(label), _span(elements[at])


def _sections(elements: Sequence[dict[str, Any]], form: str) -> Asked:
    heads = [
        (at, found[1])
        for at, one in enumerate(elements)
        if one["kind"] == "heading" and (found := _NUMBERED.match(one["text"].strip()))
    ]
    counts = Counter(number for _, number in heads)
    for at, number in spread_evenly(heads, 0):
        after = elements[at + 1] if at + 1 < len(elements) else None
        if after and counts[number] == 1 and after["kind"] == "paragraph" and len(after["text"]) <= LONGEST:
            yield form.format(number), _span(after)


def _span(element: dict[str, Any]) -> tuple[int, int]:
    return element["start_char"], element["end_char"]
