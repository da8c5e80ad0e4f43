"""Drawn sources: always the same, unlike in the two splits, and whole trees."""

import re

import pytest
from lxml import html

from benchmarks.roundtrip.drawn import KINDS, drawn_sources
from benchmarks.roundtrip.drawn.figures import FORMATS
from benchmarks.roundtrip.drawn.words import TRADES
from benchmarks.roundtrip.markup.tree import classes, grid_of, holes
from benchmarks.roundtrip.source import Source

SOURCES = {split: drawn_sources(split) for split in ("train", "test")}


@pytest.mark.parametrize("split", SOURCES)
def test_a_split_has_some_150_sources_and_draws_the_same_ones_again(split: str) -> None:
    assert 140 <= len(SOURCES[split]) <= 170
    assert drawn_sources(split) == SOURCES[split]


def test_names_are_unique_and_say_the_split() -> None:
    names = [source.name for split in SOURCES for source in SOURCES[split]]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z0-9-]+", name) for name in names)


@pytest.mark.parametrize("kind", KINDS)
def test_the_halves_say_different_things(kind: str) -> None:
    train, test = ({source.body for source in SOURCES[split] if source.package == f"drawn-{kind}"} for split in ("train", "test"))
    assert train and test and not train & test


def test_the_halves_share_neither_words_of_tables_nor_formats_of_figures() -> None:
    train, test = ({word for trade in TRADES[split] for word in (*trade.items, *trade.places)} for split in ("train", "test"))
    assert not train & test
    assert not set(FORMATS["train"]) & set(FORMATS["test"])


@pytest.mark.parametrize("source", [source for split in SOURCES for source in SOURCES[split]], ids=lambda source: source.name)
def test_the_cells_of_every_table_fill_their_places_once(source: Source) -> None:
    for table in html.fragment_fromstring(source.body, create_parent="div").iter("table"):
        grid = grid_of(table)
        assert not list(holes(grid))
        assert sum(cell.rows * cell.columns for cell in grid.cells) == grid.rows * grid.columns


def test_spans_of_rows_stand_in_tables_whose_rules_show_them() -> None:
    for source in SOURCES["train"]:
        for table in html.fragment_fromstring(source.body, create_parent="div").iter("table"):
            if any(cell.rows > 1 for cell in grid_of(table).cells):
                assert "grid" in classes(table)
