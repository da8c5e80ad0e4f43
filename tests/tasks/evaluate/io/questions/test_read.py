import json
from pathlib import Path
from typing import Any

import pytest

from schemas.errors import InputError
from tasks.evaluate.io.questions.read import read_question_drafts
from tasks.evaluate.questions.formats import Context, QuestionDraft, RefusedQuestion


def written(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def drafts(path: Path) -> list[QuestionDraft]:
    found = read_question_drafts(path)
    assert all(isinstance(one, QuestionDraft) for one in found), found
    return [one for one in found if isinstance(one, QuestionDraft)]


def refusal(path: Path) -> RefusedQuestion:
    (found,) = [one for one in read_question_drafts(path) if isinstance(one, RefusedQuestion)]
    return found


def test_rows_of_a_csv_with_the_same_id_are_one_question(tmp_path: Path) -> None:
    path = written(
        tmp_path / "q.csv",
        "\ufeffid,question,document,quote,start,end,page,answer,domain\r\n"
        'a,"Who, where?",x.pdf,"first ""line""\nsecond",,,,Ada,law\r\n'
        "a,,y.pdf,,3,9,,,\r\n"
        "\r\n"
        ",When?,z.pdf,,,,4,,\r\n"
        ",What?,z.pdf,,,,,,\r\n"
        ",Why?,,because,,,,,\r\n",
    )
    first, when, what, why = drafts(path)
    assert first.place == f"{path}:2"
    assert first.values["gold"] == [
        {"document": "x.pdf", "quote": 'first "line"\nsecond'},
        {"document": "y.pdf", "start": "3", "end": "9"},
    ]
    assert {name: first.values[name] for name in ("id", "question", "answer", "domain", "origin")} == {
        "id": "a",
        "question": "Who, where?",
        "answer": "Ada",
        "domain": "law",
        "origin": "imported: csv",
    }
    assert (when.place, when.values["id"], when.values["gold"]) == (f"{path}:6", "6", [{"document": "z.pdf", "page": "4"}])
    assert (what.values["documents"], why.contexts) == (["z.pdf"], (Context("because"),))


def test_cells_of_a_tsv_are_separated_by_tabs(tmp_path: Path) -> None:
    assert drafts(written(tmp_path / "q.tsv", "question\tdocument\nWho, me?\tx.txt\n"))[0].values["question"] == "Who, me?"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("question,documnt\nWho?,x\n", r"q\.csv: in the first line, 'documnt' is no column: the columns are id, question"),
        ("id,document\n1,x\n", "there is no column question"),
        ("", "there is no column question"),
        ("question,document\n", "holds no questions"),
        (b"question\nca\xff\n", "not UTF-8"),
    ],
)
def test_a_csv_without_its_columns_is_refused(tmp_path: Path, content: str | bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_question_drafts(written(tmp_path / "q.csv", content))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("Who?,x,y", "the line has 3 cells, and the first line 2"),
        ("Who?", "the line has 1 cells"),
        ('"Who?', "not CSV"),
        ('"Who" ?,x', "not CSV"),
    ],
)
def test_a_bad_line_of_a_csv_is_refused_by_its_number(tmp_path: Path, line: str, message: str) -> None:
    path = written(tmp_path / "q.csv", f"question,document\nWhen?,x\n{line}\n")
    found = refusal(path)
    assert found.place == f"{path}:3"
    assert message in found.reason


def test_an_id_with_two_questions_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "q.csv", "id,question,document\n1,Who?,x\n1,When?,x\n")
    assert str(refusal(path)) == f"{path}:3: question 1: id '1' has another question in {path}:2: give each question its own id"


def test_json_lines_may_be_questions_or_flat_rows(tmp_path: Path) -> None:
    lines: list[Any] = [
        {"id": "1", "question": "Who?", "documents": ["x.txt"], "origin": "by hand"},
        {"id": "2", "question": "When?", "quote": "in May", "document": "x.txt"},
        {"id": "3", "question": "Why?", "golden": []},
        [1],
    ]
    path = written(tmp_path / "q.jsonl", "\n".join(map(json.dumps, lines)))
    found = read_question_drafts(path)
    assert [one.place for one in found] == [f"{path}:{n}" for n in (1, 2, 3, 4)]
    kept = {str(one.values["id"]): one.values for one in found if isinstance(one, QuestionDraft)}
    assert kept["1"]["origin"] == "by hand"
    assert kept["2"]["origin"] == "imported: json lines"
    assert {one.reason.split(":")[0] for one in found if isinstance(one, RefusedQuestion)} == {
        "golden is not a field",
        "not a JSON object",
    }


SQUAD: dict[str, Any] = {
    "version": "v2.0",
    "data": [
        {
            "title": "Mills",
            "paragraphs": [
                {
                    "context": "The mill was built in 1804.",
                    "qas": [
                        {"id": "a", "question": "When?", "answers": [{"text": "in 1804", "answer_start": 19}]},
                        {"id": "b", "question": "Where?", "answers": [], "is_impossible": True},
                        {"id": "c", "question": "What?", "answers": [{"text": "mill", "answer_start": 5}]},
                        {"id": "d", "question": "Who?"},
                        {"id": "e", "question": "Who?", "answers": [{"text": "mill"}]},
                    ],
                }
            ],
        }
    ],
}


def test_squad_answers_are_spans_of_contexts(tmp_path: Path) -> None:
    path = written(tmp_path / "dev.json", json.dumps(SQUAD))
    first, *others = read_question_drafts(path)
    assert isinstance(first, QuestionDraft)
    assert first.place == f"{path}: data[0].paragraphs[0].qas[0]"
    assert first.values == {"id": "a", "question": "When?", "origin": "imported: squad", "answer": "in 1804"}
    assert first.contexts == (Context("The mill was built in 1804.", (19, 26)),)
    assert [(one.question_id, one.reason.split(":")[0]) for one in others if isinstance(one, RefusedQuestion)] == [
        ("b", "the question has no answer, so no result is right"),
        ("c", "the answer 'mill' does not stand at 5 in its context"),
        ("d", "context, id, question or answers is missing"),
        ("e", "the first answer has no text or no answer_start"),
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[]", "not a JSON object"),
        ('{"rows": []}', r'not SQuAD, which is an object with a list "data"'),
        ('{"data": [{"title": "x"}]}', r"dev\.json: data\[0\] has no list 'paragraphs'"),
        ('{"data": [{"paragraphs": [3]}]}', r"data\[0\]\.paragraphs\[0\] has no list 'qas'"),
        ('{"data": []}', "holds no questions"),
        ("{", "not JSON"),
    ],
)
def test_json_that_is_not_squad_is_refused(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_question_drafts(written(tmp_path / "dev.json", content))


def beir(folder: Path, qrels: str = "query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td2\t2\nq2\td1\t0\n") -> Path:
    passages = [{"_id": "d1", "title": "Mill", "text": "It was built in 1804."}, {"_id": "d2", "title": "", "text": "It grinds."}]
    written(folder / "corpus.jsonl", "\n".join(map(json.dumps, passages)) + "\n\n")
    queries = [{"_id": "q1", "text": "When was it built?", "metadata": {}}, {"_id": "q2", "text": "Who?"}]
    written(folder / "queries.jsonl", "\n".join(map(json.dumps, queries)))
    written(folder / "qrels/test.tsv", qrels)
    return folder


def test_beir_passages_with_a_score_are_gold_and_the_file_is_the_split(tmp_path: Path) -> None:
    (found,) = drafts(beir(tmp_path))
    assert found.place == f"{tmp_path}/qrels/test.tsv:2"
    assert found.values == {"id": "q1", "question": "When was it built?", "split": "test", "origin": "imported: beir"}
    assert found.contexts == (Context("It was built in 1804."), Context("It grinds."))


def test_a_query_of_two_splits_has_two_ids(tmp_path: Path) -> None:
    beir(tmp_path)
    written(tmp_path / "qrels/dev.tsv", "q1\td1\t1\n")
    assert [(one.values["id"], one.values["split"]) for one in drafts(tmp_path)] == [("q1", "dev"), ("q1 (test)", "test")]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("q1\td9\t1", "corpus.jsonl has no passage d9"),
        ("q9\td1\t1", "queries.jsonl has no such query"),
        ("q1 d1 1", "not query-id, corpus-id and score"),
        ("q1\td1\thigh", "not query-id, corpus-id and score"),
    ],
)
def test_a_judgement_that_names_nothing_is_refused_by_its_line(tmp_path: Path, line: str, reason: str) -> None:
    found = refusal(beir(tmp_path, f"{line}\n"))
    assert (found.place, found.reason.startswith(reason)) == (f"{tmp_path}/qrels/test.tsv:1", True)


def test_a_folder_that_is_not_beir_and_a_bad_line_of_its_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a BEIR folder"):
        read_question_drafts(tmp_path)
    beir(tmp_path)
    written(tmp_path / "corpus.jsonl", '{"_id": "d1", "text": "x"}\n{"_id": 2, "text": "x"}\n')
    with pytest.raises(InputError, match=r"corpus\.jsonl:2: not an object with _id and text"):
        read_question_drafts(tmp_path)
