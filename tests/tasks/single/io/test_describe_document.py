import json
from pathlib import Path

import pyarrow as pa

from schemas.options.sections import RefreshOptions
from tasks.single.forms import rendered
from tasks.single.io.describe_document import described
from tasks.single.io.inputs import content_of
from tests.tasks import drawn


def output(path: Path, form: str, furniture: bool) -> bytes:
    return rendered(described(content_of(path), RefreshOptions(), lambda _: None), form, furniture)


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
