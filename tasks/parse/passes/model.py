"""Models of pages: measures what follows from the words, the rules and the regions of a page, once."""

from dataclasses import replace

from tasks.parse.kinds.unpainted import without_unpainted
from tasks.parse.layout.page_model import PageModel, Source
from tasks.parse.passes.runner import seen_by
from tasks.parse.tables.frames import frames_of
from tasks.parse.tables.page_columns import page_gutters


def measured(page: PageModel) -> PageModel:
    """Return the model of a page with numbers for what the layout model sees, and with grids and gutters."""
    page = replace(page, seen=seen_by("layout-model", page.seen))
    if page.source not in Source.OWN_TABLES:
        return page
    painted = without_unpainted(page.seen, page.painted, page.drawn)
    return replace(page, grids=frames_of(page.rules), gutters=page_gutters(painted, page.words))
