"""Grids of tables are those that PyMuPDF finds around the same model."""

from typing import Any

import numpy as np
import pymupdf
import pytest

from tasks.parse.layout.geometry import Box
from tasks.parse.layout.io import layout_model
from tasks.parse.layout.io.table_grids import grid_in

BOX: Box = (40.0, 60.0, 420.0, 260.0)


@pytest.fixture(scope="module")
def model() -> Any:
    layout_model.load()
    return layout_model._grids()


def table(n_rows: int, n_columns: int) -> tuple[Any, list[list[float]]]:
    """Draw a table without rules; return its page's picture and the boxes of its lines of text."""
    with pymupdf.open() as document:
        page = document.new_page(width=450, height=300)
        for row in range(n_rows):
            for column in range(n_columns):
                page.insert_text((50 + 360 * column / n_columns, 80 + 170 * row / n_rows), f"cell {row} {column}", fontsize=9)
        lines = [list(word[:4]) for word in page.get_text("words")]
        return layout_model._picture(page), lines


@pytest.mark.parametrize(("n_rows", "n_columns"), [(1, 1), (2, 3), (7, 4), (12, 2), (15, 7)])
def test_rules_are_where_pymupdf_finds_them(model: Any, n_rows: int, n_columns: int) -> None:
    picture, lines = table(n_rows, n_columns)
    x0, y0, x1, y1 = map(int, BOX)
    theirs, _ = model.predict(picture[y0:y1, x0:x1], np.array(lines) - np.array([x0, y0, x0, y0]))
    mine = grid_in(model, lines, BOX, picture)
    assert mine
    for found, expected, start in ((mine.horizontals, theirs.h_lines, y0), (mine.verticals, theirs.v_lines, x0)):
        np.testing.assert_allclose(found, np.array(expected) + start, atol=0.2)


def test_a_table_beyond_the_page_has_no_grid(model: Any) -> None:
    picture, lines = table(2, 2)
    assert grid_in(model, lines, (500.0, 10.0, 600.0, 50.0), picture) is None
