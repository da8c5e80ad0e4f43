import base64
import json
from pathlib import Path

import pyarrow as pa
import pymupdf
import pytest

from schemas.options.sections import LimitOptions, RefreshOptions
from tasks.file_tools.io.chunk_file import chunk_file
from tasks.file_tools.io.convert import OutputForm, convert_documents
from tasks.file_tools.io.describe_document import describe_contents, describe_document
from tasks.file_tools.io.inputs import hash_content
from tasks.file_tools.io.inspect import inspect_page
from tasks.file_tools.rendering import DescribedDocument, render_document
from tasks.parse.tables.html_cells import grid_of
from tasks.workers.pool import WorkerPool
from tests.tasks import drawn


def output(path: Path, form: str, furniture: bool) -> bytes:
    return render_document(describe_document(hash_content(path), RefreshOptions(), lambda _: None), form, furniture)


def test_markdown_says_a_figures_caption_once_and_its_words(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(drawn.with_figure())
    text = output(tmp_path / "a.pdf", "md", False).decode()
    assert text.count("Sales of flour by region") == 1
    assert "Sales by region" in text


def test_elements_are_the_same_as_json_lines_and_as_arrow(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(drawn.ruled_table())
    lines, table = (output(tmp_path / "a.pdf", form, True) for form in ("jsonl", "arrow"))
    rows = pa.ipc.open_file(table).read_all().to_pylist()
    assert [json.loads(line) for line in lines.decode().splitlines()] == json.loads(json.dumps(rows))
    assert "table" in {row["kind"] for row in rows}


def test_a_document_of_nothing_but_furniture_gives_an_empty_table(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("---\n")
    table = output(tmp_path / "a.md", "arrow", False)
    assert pa.ipc.open_file(table).read_all().num_rows == 0


def with_pictured_table(path: Path) -> Path:
    """Write a page with the picture of a table between two paragraphs."""
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    page.insert_textbox((60, 60, 535, 140), drawn.RIGHT * 3, fontsize=10)
    page.insert_image((60, 170, 490, 275), stream=drawn.table_png())
    page.insert_textbox((60, 300, 535, 380), drawn.RIGHT * 3, fontsize=10)
    path.write_bytes(drawn.bytes_of(document))
    return path


def test_every_command_sees_the_same_document_with_the_table_that_a_picture_shows(tmp_path: Path) -> None:
    path = with_pictured_table(tmp_path / "a.pdf")
    for outcome in convert_documents([path], tmp_path / "out", OutputForm("jsonl", False, False), RefreshOptions()):
        assert outcome["error"] is None
    parsed = [json.loads(line) for line in (tmp_path / "out/a.jsonl").read_text().splitlines()]
    inspected = inspect_page(path, 1, None, False, RefreshOptions())["elements"]
    chunks = list(chunk_file(path, RefreshOptions()).chunks)
    table = parsed[1]
    assert [element["kind"] for element in parsed] == ["paragraph", "table", "paragraph"]
    assert grid_of(table["html"]) == drawn.ROWS
    assert list(table["bbox"].values()) == pytest.approx([65, 175, 485, 271], abs=4)
    assert [(element["kind"], element["text"], element["bbox"]) for element in inspected] == [
        (element["kind"], element["text"], element["bbox"]) for element in parsed
    ]
    assert any(chunk["kind"] == "table" and table["text"] in chunk["text"] for chunk in chunks)


def test_many_documents_come_one_by_one_and_a_broken_one_is_an_error(tmp_path: Path) -> None:
    for n in range(3):
        (tmp_path / f"{n}.md").write_text(f"Mill {n} is old.")
    (tmp_path / "bad.pdf").write_bytes(b"no PDF")
    (tmp_path / "none.md").write_text("")
    contents = [hash_content(path) for path in sorted(tmp_path.iterdir())]
    with WorkerPool(LimitOptions(workers=2)) as pool:
        found = dict(describe_contents(pool, contents, RefreshOptions()))
    documents = [document for _, document in sorted(found.items()) if isinstance(document, DescribedDocument)]
    assert [document.table["text"][0].as_py() for document in documents[:3]] == [f"Mill {n} is old." for n in range(3)]
    assert [bool(document.refusal) for document in documents] == [False, False, False, True, True]


def test_figures_in_a_web_page_are_typed_and_tables_in_them_read(tmp_path: Path) -> None:
    picture = base64.b64encode(drawn.table_png()).decode()
    (tmp_path / "a.html").write_text(f'<p>Before.</p><img src="data:image/png;base64,{picture}"><p>After.</p>')
    text = output(tmp_path / "a.html", "md", False).decode()
    assert "| North | 120 | 135 |" in text
