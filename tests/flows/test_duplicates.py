"""Documents that say nearly the same are told apart from the newest of them, night for night, and a search shows that one."""

import json
from pathlib import Path

import pytest
from lance import dataset

from schemas.corpus import Corpus
from schemas.errors import GateError
from schemas.ids import document_id
from schemas.options.sections import EvaluateOptions
from tasks.evaluate.io.score import locate_gold_if_any, start_evaluation
from tasks.publish.io.purge import purge_document
from tasks.search.io.ask import answer_question
from tasks.search.io.retrieve import open_searcher
from tests.flows.conftest import Refresh
from tests.flows.corpora import paths, rows
from tests.soak.state import traces

WORDS = "the heron stands in the shallow river and waits for fish while ice drifts past the old mill and its broken wheel " * 12
LONG = " ".join(f"{word}{at}" for at, word in enumerate(WORDS.split()))


def marks(corpus: Path) -> dict[str, tuple[str | None, float | None]]:
    found = rows(corpus, "documents")
    names = {None: None, **{row["document_id"]: row["path"] for row in found}}
    return {row["path"]: (names[row["duplicate_of"]], row["similarity"]) for row in found}


def write(source: Path, name: str, text: str, date: str = "") -> None:
    (source / name).parent.mkdir(parents=True, exist_ok=True)
    (source / name).write_text(f"---\nmodified: '{date}'\n---\n{text}" if date else text)


def search(corpus: Path, **asked: object) -> list[tuple[str, list[str]]]:
    found = answer_question(open_searcher(Corpus(str(corpus))), "heron0 shallow5 river6", mode="fts", by="document", **asked)  # type: ignore[arg-type]
    return [(hit.path, hit.also_in) for hit in found.hits]


@pytest.fixture
def library(tmp_path: Path) -> Path:
    source = tmp_path / "library"
    for name, date in {"first.md": "2023-01-01", "second.md": "2024-01-01"}.items():
        write(source, name, LONG.replace("ice12", name), date)
    write(source, "copies/first.md", LONG, "2022-05-05")
    write(source, "mill.md", "The mill turns and grinds corn until the flood takes its wheel.")
    return source


def test_night_for_night_the_marks_are_those_of_a_corpus_made_at_once(plain: Refresh, library: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    plain(library, corpus)
    assert {path: head for path, (head, _) in marks(corpus).items()} == {
        "first.md": "second.md", "copies/first.md": "second.md", "second.md": None, "mill.md": None,
    }  # fmt: skip
    write(library, "third.md", LONG, "2025-01-01")
    (library / "second.md").unlink()
    plain(library, corpus, plan={"allow_removals": True})
    assert marks(corpus)["third.md"] == (None, None)
    assert marks(corpus)["first.md"][0] == marks(corpus)["copies/first.md"][0] == "third.md"
    write(library, "third.md", "The pump runs.", "2025-01-01")
    plain(library, corpus)
    plain(library, tmp_path / "at once")
    assert marks(corpus) == marks(tmp_path / "at once")
    assert marks(corpus)["copies/first.md"][0] == "first.md"


def test_search_shows_the_newest_and_names_the_others(plain: Refresh, library: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    plain(library, corpus)
    others = ["first.md", "copies/first.md"]
    assert search(corpus) == [("second.md", others)]
    assert {path for path, _ in search(corpus, show_all=True)} == {"second.md", *others}
    assert search(corpus, where="path LIKE '%first.md'") == [("first.md", ["second.md", "copies/first.md"])]
    assert search(corpus, where="path LIKE 'copies/%'") == [("copies/first.md", ["second.md", "first.md"])]


def test_with_a_similarity_of_one_only_the_same_words_are_duplicates(plain: Refresh, library: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    write(library, "copies/second.txt", (library / "second.md").read_text())
    plain(library, corpus)
    assert sum(head is not None for head, _ in marks(corpus).values()) == 3
    write(library, "pump.md", "The pump runs.")
    plain(library, corpus, publish={"least_similarity": 1.0})
    assert {path: mark for path, mark in marks(corpus).items() if mark[0]} == {"copies/second.txt": ("second.md", 1.0)}


def test_gold_in_a_duplicate_is_looked_for_in_what_is_shown(plain: Refresh, library: Path, tmp_path: Path) -> None:
    corpus, questions = tmp_path / "corpus", tmp_path / "questions.jsonl"
    plain(library, corpus)
    quotes = {"shared": "river6 and7", "changed": "ice12 drifts13"}
    golds = {name: [{"document": "copies/first.md", "quote": quote}] for name, quote in quotes.items()}
    asked = [{"id": name, "question": name, "gold": gold} for name, gold in golds.items()]
    questions.write_text("\n".join(map(json.dumps, asked)))
    located = locate_gold_if_any(start_evaluation("run", Corpus(str(corpus)), str(questions), EvaluateOptions()))
    assert {one.id: one.gold[0].document for one in located.questions} == {"shared": "second.md", "changed": "copies/first.md"}


def test_a_folder_that_is_copied_by_mistake_is_refused_with_the_remedy(plain: Refresh, tmp_path: Path) -> None:
    source, corpus = tmp_path / "source", tmp_path / "corpus"
    for at in range(10):
        write(source, f"{at}.md", f"Note {at} of the mill.")
    plain(source, corpus)
    for at in range(10):
        write(source, f"copy/{at}.md", f"Note {at} of the mill.")
    with pytest.raises(GateError, match=r"10 of 10 new documents are copies .* such as copy/.*; take the copies out"):
        plain(source, corpus)
    plain(source, corpus, gate={"max_copy_share": 1.0})
    assert len(paths(corpus)) == 20


def test_a_corpus_of_an_older_version_is_searched_and_compared_at_its_next_refresh(
    plain: Refresh, library: Path, tmp_path: Path
) -> None:
    corpus = tmp_path / "corpus"
    plain(library, corpus)
    made = marks(corpus)
    dataset(str(corpus / "documents.lance")).drop_columns(["signature", "duplicate_of", "similarity"])
    generations = dataset(str(corpus / "generations.lance"))
    versions = json.loads(generations.to_table(columns=["versions"])["versions"][0].as_py())
    versions["documents"] = dataset(str(corpus / "documents.lance")).version
    generations.update({"versions": f"'{json.dumps(versions)}'"})

    assert len(search(corpus)) == 3
    write(library, "pump.md", "The pump runs.")
    plain(library, corpus)
    assert marks(corpus) == {**made, "pump.md": (None, None)}


def test_a_purge_of_the_newest_leaves_no_mark_of_it_and_the_others_are_judged_anew(
    plain: Refresh, library: Path, tmp_path: Path
) -> None:
    corpus = tmp_path / "corpus"
    plain(library, corpus)
    purged = document_id("main", "second.md")
    assert traces(corpus / "documents.lance", purged.encode())
    purge_document(Corpus(str(corpus)), "main", "second.md", "purge")
    assert traces(corpus / "documents.lance", purged.encode()) == []
    assert search(corpus) == [("first.md", ["copies/first.md"])]
    (library / "second.md").unlink()
    write(library, "pump.md", "The pump runs.")
    plain(library, corpus)
    heads = {path: head for path, (head, _) in marks(corpus).items() if head}
    assert heads == {"copies/first.md": "first.md"}, "it has names of documents again"
