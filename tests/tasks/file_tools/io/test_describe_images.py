import json
from pathlib import Path

import pytest
from PIL import Image
from typer.testing import CliRunner

from flows.cli.main import make_cli_application
from schemas.errors import InputError
from schemas.options.sections import FIGURE_LABELS, RefreshOptions
from tasks.file_tools.io.describe_images import describe_images
from tests.training.fresh import fresh_figure


def test_each_picture_gets_a_line_and_a_broken_one_stops_nobody(tmp_path: Path) -> None:
    fresh_figure(1, "pie chart", hurt=False).picture.save(tmp_path / "pie.png")
    (tmp_path / "broken.png").write_bytes(b"no picture")
    Image.new("CMYK", (1, 1)).save(tmp_path / "dot.jpg")
    files = [str(tmp_path / name) for name in ("pie.png", "broken.png", "dot.jpg")]
    outcome = CliRunner().invoke(make_cli_application(), ["describe", *files, "--json"])
    rows = [json.loads(line) for line in outcome.stdout.splitlines()]
    assert [row["path"] for row in rows] == files
    assert rows[0]["type"] == "pie chart" and rows[0]["description"].startswith("Pie chart (confidence 0.")
    assert rows[1]["type"] is None
    assert (
        rows[1]["error"]
        == "cannot be described: the picture of a figure cannot be read: Pillow cannot read this kind of file as a picture"
    )
    assert rows[2]["type"] in (*FIGURE_LABELS, "figure") and rows[2]["error"] is None
    assert outcome.exit_code != 0


def test_a_path_that_is_no_file_is_refused_before_any_work(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is not a file"):
        next(describe_images([tmp_path], RefreshOptions()))
