import json
from pathlib import Path
from typing import Any

import pytest

from schemas.corpus import Corpus
from schemas.errors import CorpusError, InputError
from tasks.evaluate.io.question_files import check_output_path, name_refused_file, read_questions, write_questions
from tasks.evaluate.io.questions.collect import check_questions, import_questions
from tests.tasks.small_corpus import publish_corpus

TEXTS = {
    "animals.txt": "The heron stands in shallow water.\nBadgers dig setts in woodland. Badgers sleep.",
    "metals.txt": "Copper conducts\nelectricity. Glass is brittle.",
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = str(tmp_path_factory.mktemp("corpus"))
    publish_corpus(folder, TEXTS, with_embedder=True)
    return Corpus(folder)


def asking(path: Path, *questions: dict[str, Any]) -> Path:
    path.write_text("\n".join(json.dumps({"id": str(at), **one}) for at, one in enumerate(questions, start=1)))
    return path


QUESTIONS: list[dict[str, Any]] = [
    {"question": "Where does the heron stand?", "document": "animals.txt", "quote": "shallow water"},
    {"question": "Where does a heron stand?", "document": "animals.txt", "quote": "shallow water"},
    {"question": "What conducts electricity?", "quote": "Copper conducts electricity."},
    {"question": "Who sleeps?", "document": "animals.txt", "quote": "Badgers"},
    {"question": "Which bird flies?", "document": "animals.txt", "quote": "flamingo"},
    {"question": "What is rusty?", "documents": ["iron.txt"]},
    {"question": "Is glass brittle?", "documents": ["metals.txt"]},
    {"question": "What is on the last page?", "document": "metals.txt", "page": 2},
    {"question": "And on the page after?", "document": "metals.txt", "page": 3},
    {"question": "What do badgers dig?", "document": "animals.txt", "start": 40, "end": 4000},
]


def test_an_import_keeps_what_is_located_and_says_why_it_refused_the_rest(corpus: Corpus, tmp_path: Path) -> None:
    found = import_questions(corpus, asking(tmp_path / "q.jsonl", *QUESTIONS))
    assert [one.question.id for one in found.placed] == ["1", "3", "7", "8"]
    assert {one.question_id: one.reason.partition(":")[0] for one in found.refused} == {
        "2": "it asks the same as " + str(tmp_path / "q.jsonl"),
        "4": "the quote occurs 2 times, give start and end",
        "5": "the quote does not occur in the text",
        "6": "the corpus has no document with this path, or more than one",
        "9": "page 3 is beyond the last page, 2",
        "10": "the span ends at 4000, beyond the text's 80 characters",
    }
    assert all(one.place == f"{tmp_path}/q.jsonl:{one.question_id}" for one in found.refused)
    (copper,) = next(one.question.gold for one in found.placed if one.question.id == "3")
    assert copper.quote == "Copper conducts\nelectricity."


def test_what_was_written_is_read_again_and_checks_out(corpus: Corpus, tmp_path: Path) -> None:
    found = import_questions(corpus, asking(tmp_path / "q.jsonl", *QUESTIONS))
    out = tmp_path / "out.jsonl"
    beside = write_questions(out, [one.question for one in found.placed], found.refused)
    assert read_questions(out) == [one.question for one in found.placed]
    assert {one.question.origin for one in found.placed} == {"imported: json lines"}
    assert len(beside.read_text().splitlines()) == 6
    checked = check_questions(corpus, out)
    assert (checked.placed, checked.refused) == (
        [one._replace(place=p.place) for one, p in zip(found.placed, checked.placed, strict=True)],
        [],
    )
    write_questions(out, [one.question for one in found.placed], [])
    assert not name_refused_file(out).exists()


def test_two_imports_write_the_same(corpus: Corpus, tmp_path: Path) -> None:
    path = asking(tmp_path / "q.jsonl", *QUESTIONS)
    assert import_questions(corpus, path) == import_questions(corpus, path)


def test_squad_finds_its_documents_by_its_contexts(corpus: Corpus, tmp_path: Path) -> None:
    asked = [
        {"id": "a", "question": "What conducts?", "answers": [{"text": "Copper", "answer_start": 0}]},
        {"id": "b", "question": "What is brittle?", "answers": [{"text": "Glass", "answer_start": 29}]},
    ]
    paragraphs = [{"context": "Copper conducts electricity. Glass is brittle.", "qas": asked}]
    paragraphs.append(
        {
            "context": "Iron rusts.",
            "qas": [{"id": "c", "question": "What rusts?", "answers": [{"text": "Iron", "answer_start": 0}]}],
        }
    )
    (tmp_path / "dev.json").write_text(json.dumps({"data": [{"paragraphs": paragraphs}]}))
    found = import_questions(corpus, tmp_path / "dev.json")
    assert [(one.question.gold[0].document, one.question.gold[0].start, one.question.gold[0].quote) for one in found.placed] == [
        ("metals.txt", 0, "Copper"),
        ("metals.txt", 29, "Glass"),
    ]
    (iron,) = found.refused
    assert (
        str(iron)
        == f"{tmp_path}/dev.json: data[0].paragraphs[1].qas[0]: question c: no document contains this text: 'Iron rusts.'"
    )


def test_ids_that_repeat_are_refused(corpus: Corpus, tmp_path: Path) -> None:
    one = {"question": "Is glass brittle?", "documents": ["metals.txt"], "id": "x"}
    found = import_questions(corpus, asking(tmp_path / "q.jsonl", one, {**one, "question": "Where is the heron?"}))
    assert [one.reason for one in found.refused] == [
        f"its id is already used in {tmp_path}/q.jsonl:1: give each question its own id"
    ]


def test_a_check_names_every_line_that_would_not_be_scored(corpus: Corpus, tmp_path: Path) -> None:
    good = {"question": "Is glass brittle?", "documents": ["metals.txt"]}
    path = asking(tmp_path / "q.jsonl", good, {**good, "documents": ["a.txt"]}, {"question": "Who?"})
    path.write_text(path.read_text() + "\n{\n" + json.dumps({"id": "1", **good}))
    found = check_questions(corpus, path)
    assert [one.place for one in found.placed] == [f"{path}:1"]
    assert sorted((one.place, one.reason.partition(":")[0].partition(" (")[0]) for one in found.refused) == [
        (f"{path}:2", "the corpus has no document with this path, or more than one"),
        (f"{path}:3", "Value error, give gold or documents"),
        (f"{path}:4", "not JSON"),
        (f"{path}:5", "id '1' is already used in line 1"),
    ]


def test_a_corpus_that_is_none_is_named(tmp_path: Path) -> None:
    path = asking(tmp_path / "q.jsonl", QUESTIONS[0])
    for collect in (import_questions, check_questions):
        with pytest.raises(CorpusError, match="holds no published corpus"):
            collect(Corpus(str(tmp_path / "none")), path)


def test_a_file_that_cannot_be_written_is_named_before_anything_is_read(tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").touch()
    for out, message in (
        (tmp_path, "is a folder"),
        (tmp_path / "no/q.jsonl", "does not exist"),
        (tmp_path / "q.jsonl", "is read"),
    ):
        with pytest.raises(InputError, match=message):
            check_output_path(out, tmp_path / "q.jsonl")
