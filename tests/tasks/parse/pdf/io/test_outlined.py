"""Text that is filled and then outlined is printed twice: the layout model is to see it once."""

import pymupdf
import pytest

from tasks.parse.layout.io.layout_model import regions_of
from tasks.parse.pdf.io.page import _styles_and_segments
from tasks.parse.pdf.io.page_text import page_content_of

FILLED, OUTLINED, BOTH = 0, 1, 2
"""How PDF paints text."""


@pytest.mark.parametrize("ruled", [False, True])
@pytest.mark.parametrize("mode", [FILLED, OUTLINED, BOTH])
def test_outlined_text_is_one_region_and_styles_are_looked_for_where_it_or_rules_may_show_any(mode: int, ruled: bool) -> None:
    with pymupdf.open() as document:
        page = document.new_page()
        for n in range(6):
            page.insert_text((60, 100 + 14 * n), "A line of the text that is painted", render_mode=mode)
        if ruled:
            page.draw_line((60, 102), (200, 102))
        styled, segmented = _styles_and_segments(page_content_of(page))
        found = regions_of(page, styled, segmented)
    assert len(found) == 1
    assert (styled, segmented) == (ruled or mode != FILLED, True)
