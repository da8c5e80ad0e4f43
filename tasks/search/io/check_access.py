"""Check access: ask a live corpus as each of its groups, and compare what it tells with the groups of its documents.

What may be read is found anew here, document by document in Python, and not by the condition that the doors use.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any, NamedTuple

from schemas.access import EVERYONE, GROUPS, NOBODY, Principal, has_access
from schemas.corpus import Corpus
from schemas.errors import UnknownDocument
from schemas.options.search import QUESTION_CHARS
from tasks.search.io.ask import answer_question
from tasks.search.io.documents import list_page_of_documents, read_document_text
from tasks.search.io.retrieve import CorpusEmbedder, Searcher
from tasks.store import published
from tasks.store.published import Generation

ASKED = 20
"""Hidden documents, evenly spread, by whose titles and first words is asked."""
WORDS = 12
MOST = 50
"""Results of each search."""


class GroupCheck(NamedTuple):
    """What a group may read and what is hidden from it, how often was asked, and what was told of hidden documents."""

    group: str
    documents: int
    hidden: int
    asked: int
    leaks: tuple[str, ...]


def check_live_access(corpus: Corpus) -> list[GroupCheck]:
    """Ask the live generation as each of its groups, and without any; nothing if it does not say who may read.

    Raises:
        CorpusError: nothing is published, or it cannot be read.
    """
    live = published.read_live_generation(corpus)
    if not has_access(live.columns):
        return []
    rows = published.read_columns(corpus, live, "documents", ["document_id", "title", GROUPS]).to_pylist()
    groups = {row["document_id"]: frozenset(row[GROUPS] or ()) for row in rows}
    titles = {row["document_id"]: row["title"] for row in rows}
    differing = tuple(_find_differing_chunks(corpus, live, groups))
    embedding = CorpusEmbedder(corpus, live)
    known = sorted({group for mine in groups.values() for group in mine} - {EVERYONE, NOBODY})
    return [_check_group(corpus, live, group, groups, titles, differing, embedding) for group in ("", *known)]


def _find_differing_chunks(corpus: Corpus, live: Generation, groups: Mapping[str, Set[str]]) -> Iterator[str]:
    """Yield the documents whose chunks are for others than they are themselves."""
    found = set[str]()
    for part in published.read_batches(corpus, live, "chunks", ["document_id", GROUPS]):
        for name, mine in zip(part["document_id"].to_pylist(), part[GROUPS].to_pylist(), strict=True):
            if groups.get(name, frozenset()) != {*(mine or ())}:
                found.add(name)
    yield from (f"chunks of {name} are for others than the document" for name in sorted(found))


def _check_group(
    corpus: Corpus,
    live: Generation,
    group: str,
    groups: Mapping[str, Set[str]],
    titles: Mapping[str, str],
    differing: tuple[str, ...],
    embedding: CorpusEmbedder,
) -> GroupCheck:
    principal = Principal([group] if group else [])
    allowed = {name for name, mine in groups.items() if not mine.isdisjoint({EVERYONE, *principal.groups})}
    hidden = [name for name in groups if name not in allowed]
    searcher = Searcher(corpus, live, principal, embedding=embedding)
    leaks = list(differing)
    listed = {str(row["document_id"]) for row in list_page_of_documents(searcher.tables, live, None)[1]}
    leaks += _name_leaks("the list of documents", listed, allowed)
    if listed != allowed:
        leaks.append(f"the list of documents lacks {len(allowed - listed)} that may be read")
    figures = searcher.tables.read("figures", ["document_id"])["document_id"].to_pylist()
    leaks += _name_leaks("figures", figures, allowed)
    chosen = hidden[:: max(1, len(hidden) // ASKED)][:ASKED]
    for name in chosen:
        for question in _make_questions(corpus, live, name, titles[name]):
            for mode in ("hybrid", "fts"):
                hits = answer_question(searcher, question, MOST, mode, returned="chunks").hits
                leaks += _name_leaks(f"a search ({mode})", [hit.document_id for hit in hits], allowed)
        try:
            read_document_text(searcher.tables, live, name)
            leaks.append(f"reading tells {name}")
        except UnknownDocument:
            pass
    return GroupCheck(group, len(allowed), len(hidden), len(chosen), tuple(leaks))


def _make_questions(corpus: Corpus, live: Generation, document: str, title: str) -> Iterator[str]:
    """Yield what a hidden document is found by if it can be found: its title, and its first words."""
    where = f"document_id = '{document}'"
    text: dict[str, Any] = published.read_columns(corpus, live, "documents", ["text"], where).to_pylist()[0]
    for question in (title, " ".join(text["text"][:QUESTION_CHARS].split()[:WORDS])):
        if question.strip():
            yield question[:QUESTION_CHARS]


def _name_leaks(door: str, told: Sequence[str] | Set[str], allowed: Set[str]) -> list[str]:
    return [f"{door} tells {name}" for name in sorted({*told} - {*allowed})]
