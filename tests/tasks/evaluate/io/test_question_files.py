import json
import os
from pathlib import Path

import pytest

from schemas.errors import InputError
from tasks.evaluate.io.question_files import read_questions

GOOD = {"id": "1", "question": "Who?", "documents": ["a.txt"]}


def written(folder: Path, *lines: object) -> Path:
    path = folder / "questions.jsonl"
    path.write_bytes(b"\n".join(line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines))
    return path


def test_questions_come_in_the_order_of_the_file(tmp_path: Path) -> None:
    gold = {"document": "b.pdf", "start": 3, "end": 5, "quote": "xy"}
    path = written(
        tmp_path,
        GOOD,
        b"",
        {"id": 7, "question": "What?", "gold": [gold], "answer": "xy", "domain": "law", "split": "dev"},
        {"id": "3", "question": "Where?", "gold": [{"document": "b.pdf", "page": 2}]},
        b"",
    )
    questions = read_questions(path)
    assert [question.id for question in questions] == ["1", "7", "3"]
    assert (questions[0].domain, questions[0].split) == ("general", "test")
    assert questions[1].gold[0].model_dump(exclude_none=True) == gold
    assert questions[2].document_paths == ("b.pdf",)


def test_a_byte_order_mark_is_no_part_of_the_first_line(tmp_path: Path) -> None:
    path = written(tmp_path, b"\xef\xbb\xbf" + json.dumps(GOOD).encode())
    assert len(read_questions(path)) == 1


def test_a_line_separator_inside_a_question_ends_no_line(tmp_path: Path) -> None:
    path = written(tmp_path, json.dumps({**GOOD, "question": "a\u2028b"}, ensure_ascii=False).encode())
    assert read_questions(path)[0].question == "a\u2028b"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"{", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[1]", "not a JSON object"),
        (b'"a"', "not a JSON object"),
        (b"\xff\xfe", "not UTF-8"),
        ({**GOOD, "id": "2", "question": "caf\udce9"}, "half of a surrogate pair"),
        ({"question": "Who?", "documents": ["a"]}, "id: Field required"),
        ({**GOOD, "id": "2", "question": " "}, "question is blank"),
        ({"id": "2", "question": "Who?"}, "give gold or documents"),
        ({**GOOD, "id": "2", "golden": []}, "golden: Extra inputs"),
        ({**GOOD, "id": "2", "split": "all"}, "names a mean over all"),
        ({**GOOD, "id": "2", "gold": [{"document": "a"}]}, r"gold.0: .*span .* or a page"),
        ({**GOOD, "id": "2", "gold": [{"document": "a", "start": 5, "end": 4}]}, "end 4 must come after start 5"),
        (GOOD, "id '1' is already used in line 1"),
    ],
)
def test_an_error_names_the_file_the_line_and_the_problem(tmp_path: Path, line: object, message: str) -> None:
    path = written(tmp_path, GOOD, line)
    with pytest.raises(InputError, match=message) as caught:
        read_questions(path)
    assert str(caught.value).startswith(f"{path}:2: ")


@pytest.mark.parametrize("content", [b"", b"\n \n"])
def test_a_file_without_questions_is_refused(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(InputError, match="holds no questions"):
        read_questions(written(tmp_path, content))


def test_a_missing_file_a_folder_and_a_pipe_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    for path in (tmp_path / "missing.jsonl", tmp_path, tmp_path / "pipe.jsonl"):
        with pytest.raises(InputError, match="cannot be read"):
            read_questions(path)
