"""Tables: leaves out what passes take for tables and boosted trees, which see the whole region, do not."""

from collections.abc import Iterator, Sequence

import numpy as np

from tasks.parse.judge.table_features import FEATURES, features_of_tables
from tasks.parse.layout.geometry import share
from tasks.parse.layout.page_model import PageModel
from tasks.parse.layout.regions import Region, Remark
from tasks.parse.layout.words import words_in
from tasks.parse.tables.contents import entries_of

DOUBT = 0.2
"""A region that is less likely a table is none. F1 of tables on 90 labelled pages, each source left out, with .1, .15, .2 and .3:
.838, .843, .857 and .855 (the rules .824). From .2 on a table of the round trip's test split is lost.
"""
PART = 0.1
"""Least share of a region of text in a table that took its place."""


def with_judged_tables(page: PageModel, regions: Sequence[Region]) -> list[Region]:
    """Return the regions of a page without tables that its judge doubts, with the text that the layout model sees there.

    What it does not see as text becomes paragraphs later. Names that are calls are in no prose, whatever the judge says, and
    contents, which look like tables, are told apart later. Without a judge regions stay as they are.
    """
    doubted = [table for table, likely in judge_tables(page, regions) if likely < DOUBT]
    texts = [seen for seen in page.seen if seen.kind not in ("table", "figure")]
    back = [seen for seen in texts if any(share(seen.box, one.box) > PART for one in doubted)]
    gone = {one.number for one in (*doubted, *back)}
    return [*(region for region in regions if region.number not in gone), *back]


def explain_judged_tables(page: PageModel, regions: Sequence[Region]) -> Iterator[Remark]:
    """Yield how likely each table is one, and how likely it must be."""
    return (Remark(table.box, f"{likely:.2f} of {DOUBT:.2f} for a table") for table, likely in judge_tables(page, regions))


def judge_tables(page: PageModel, regions: Sequence[Region]) -> list[tuple[Region, float]]:
    """Return the tables among regions that are judged, each with how likely it is one, in [0, 1]."""
    tables = [region for region in regions if region.kind == "table" and not entries_of(words_in(page.words, region.box))]
    if not page.table_judge or not tables:
        return []
    rows = features_of_tables([table.box for table in tables], page)
    likely = np.where(rows[:, FEATURES.index("calls")] == 1, 1.0, page.table_judge(rows)[:, 0])
    return list(zip(tables, likely.tolist(), strict=True))
