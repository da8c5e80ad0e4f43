"""Corpora of several kinds, built by a refresh, each with questions whose documents or places are known."""

import gzip
import json
import re
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pagemill
from benchmarks.ranking.drawn import draw_reports
from benchmarks.report import say
from schemas.corpus import Corpus
from schemas.options.chat import ChatOptions
from schemas.options.questions import GenerateOptions
from tasks.evaluate.io.questions.generate import GenerationJob, generate_questions_from_documents
from tasks.evaluate.questions.builtin import CLOZE_ORIGIN as CLOZE

MOST_NOTES = 400
PACKAGES = ("git-doc", "postgresql-doc-15", "debian-history", "debian-faq", "developers-reference")
NOTED = PACKAGES[2:]
GZIP = b"\x1f\x8b"
SHORTEST_NOTE, LONGEST_NOTE = 200, 900
"""Lengths of the paragraphs that become notes, in characters."""


class Gold(NamedTuple):
    """A place that answers: a document, and its span in characters (None: anywhere in the document)."""

    path: str
    span: tuple[int, int] | None


class Question(NamedTuple):
    """A question; a document that holds any of `gold` answers it. `named`: it says which document is meant."""

    text: str
    gold: tuple[Gold, ...]
    named: bool


class Kind(NamedTuple):
    """A corpus and its questions."""

    name: str
    corpus: Corpus
    questions: list[Question]


def kinds(folder: Path, kit: Path, packages: Path) -> Iterator[Kind]:
    """Yield the kinds. What is built lies in `folder`; `kit` is the benchmark kit, `packages` the unpacked Debian packages."""
    yield _kind(folder, "texts", lambda source: _texts(source, kit / "chunking"))
    yield reports(folder, kit)
    for names in ("words", "tickers", "numbers"):
        yield _kind(folder, f"yearly-{names}", partial(_yearly, names))
    yield _kind(folder, "manuals", lambda source: _manuals(source, packages))
    yield _kind(folder, "notes", lambda source: _notes(source, packages))


def reports(folder: Path, kit: Path) -> Kind:
    """Return the kind of quarterly reports."""
    return _kind(folder, "quarterly", lambda source: _reports(source, kit / "corpus"))


def _kind(folder: Path, name: str, draw: Callable[[Path], list[Question] | None]) -> Kind:
    source, corpus, asked = (folder / part / name for part in ("sources", "corpora", "questions"))
    kept = asked.with_suffix(".json")
    if not kept.exists():
        say(f"building {name}")
        for stale in (source, corpus):
            shutil.rmtree(stale, ignore_errors=True)
        source.mkdir(parents=True)
        questions = draw(source)
        pagemill.refresh(source, corpus)
        questions = _generate_questions(Corpus(str(corpus))) if questions is None else questions
        kept.parent.mkdir(exist_ok=True)
        kept.write_text(json.dumps(questions))
    return Kind(name, Corpus(str(corpus)), [_question(*row) for row in json.loads(kept.read_text())])


def _question(text: str, gold: list[tuple[str, tuple[int, int] | None]], named: bool) -> Question:
    return Question(text, tuple(Gold(path, span and (span[0], span[1])) for path, span in gold), named)


def _texts(source: Path, kit: Path) -> list[Question]:
    for path in (kit / "corpora").glob("*.md"):
        shutil.copy(path, source)
    rows = [json.loads(line) for line in (kit / "questions.jsonl").read_text(encoding="utf-8").splitlines()]
    return [Question(row["question"], tuple(_gold(row["corpus"], one) for one in row["references"]), False) for row in rows]


def _gold(corpus: str, reference: dict[str, int]) -> Gold:
    return Gold(f"{corpus}.md", (reference["start"], reference["end"]))


def _reports(source: Path, kit: Path) -> list[Question]:
    for path in (kit / "pdf").glob("*.pdf"):
        shutil.copy(path, source)
    rows = [json.loads(line) for line in (kit / "questions.jsonl").read_text(encoding="utf-8").splitlines()]
    return [Question(row["question"], tuple(Gold(name, None) for name in row["documents"]), True) for row in rows]


def _yearly(names: str, source: Path) -> list[Question]:
    asked = draw_reports(source, names)
    found = []
    for question, files, words in asked:
        text = (source / files[0]).read_text(encoding="utf-8")
        at = text.index(words)
        found.append(Question(question, (Gold(files[0], (at, at + len(words))),), True))
    return found


def _manuals(source: Path, packages: Path) -> None:
    """Pages of manuals, which share their headings; questions are generated from them."""
    for path in _pages(packages):
        shutil.copy(path, source / path.name)


def _pages(packages: Path) -> Iterator[Path]:
    yield from sorted(packages.glob("git-doc/usr/share/doc/git-doc/git-*.html"))[::2][:70]
    yield from sorted(packages.glob("postgresql-doc-15/usr/share/doc/postgresql-doc-15/html/sql-*.html"))[::3][:50]


def _notes(source: Path, packages: Path) -> None:
    """Paragraphs of a history and of answers to frequent questions, each a file of its own with a name that says nothing."""
    files = [path for name in NOTED for path in sorted((packages / name).glob("usr/share/doc/**/*.txt*"))]
    texts = [path.read_bytes() for path in files]
    plain = [(gzip.decompress(text) if text[:2] == GZIP else text).decode("utf-8", "replace") for text in texts]
    paragraphs = [" ".join(part.split()) for text in plain for part in re.split(r"\n\s*\n", text)]
    prose = [part for part in dict.fromkeys(paragraphs) if SHORTEST_NOTE <= len(part) <= LONGEST_NOTE and part.endswith(".")]
    for number, text in enumerate(prose[:MOST_NOTES]):
        (source / f"{number:04d}.txt").write_text(text + "\n", encoding="utf-8")


def _generate_questions(corpus: Corpus) -> list[Question]:
    """Return questions that are made from headings, captions, tables and sentences; all but those of sentences name documents."""
    made = generate_questions_from_documents(
        GenerationJob(corpus=corpus, out="", options=GenerateOptions(per_document=3), chat=ChatOptions())
    )
    return [
        Question(
            one.question, tuple(Gold(gold.document, (gold.start or 0, gold.end or 0)) for gold in one.gold), one.origin != CLOZE
        )
        for one in made.questions
    ]
