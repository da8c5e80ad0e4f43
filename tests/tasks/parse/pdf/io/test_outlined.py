"""Text that is filled and then outlined is printed twice: the layout model is to see it once."""

import pymupdf
import pytest

from tasks.parse.pdf.io.page import _model_for
from tasks.parse.pdf.io.page_text import page_content_of

FILLED, OUTLINED, BOTH = 0, 1, 2
"""How PDF paints text."""


@pytest.mark.parametrize("mode", [FILLED, OUTLINED, BOTH])
def test_outlined_text_is_one_region_of_a_page_with_rules(mode: int) -> None:
    with pymupdf.open() as document:
        page = document.new_page()
        for n in range(6):
            page.insert_text((60, 100 + 14 * n), "A line of the text that is painted", render_mode=mode)
        page.draw_line((60, 102), (200, 102))
        model = _model_for(page_content_of(page))
        found = model(page)
    assert len(found) == 1
    assert model.keywords == {"ruled": True, "doubled": mode != FILLED}  # type: ignore[attr-defined]
