"""Regions of scanned pages: splits columns that the layout model merged, and joins paragraphs that it split."""

from collections.abc import Container, Sequence
from dataclasses import replace

from tasks.parse.layout.geometry import Box, overlap, union
from tasks.parse.layout.regions import Region
from tasks.parse.layout.rules import Rules
from tasks.parse.layout.words import Word, by_block, words_in
from tasks.parse.scans.typefaces.pitch import is_mostly_fixed
from tasks.parse.tables.cuts import SENTENCES

LISTED = 0.9
"""Least share of a listing's letters in fixed-width type."""


def cut_between_blocks(regions: Sequence[Region], words: Sequence[Word]) -> list[Region]:
    """Return regions with prose cut where OCR saw blocks beside each other. Tables and figures stay.

    OCR relies on the white space between columns and paragraphs; for the layout model it is one feature of many.
    """
    return [part for region in regions for part in _parts(region, words)]


def with_blocks_joined(regions: Sequence[Region], words: Sequence[Word]) -> list[Region]:
    """Return regions from top to bottom, pieces of a paragraph joined that are close below each other in one block of OCR."""
    joined: list[Region] = []
    blocks: list[set[int]] = []
    for region in sorted(regions, key=lambda region: region.box[1]):
        block = {word.block for word in words_in(words, region.box)} if region.kind == "paragraph" else set()
        n = next((n for n, other in enumerate(blocks) if len(block) == 1 and block == other), None)
        if n is not None and region.box[1] - joined[n].box[3] < _height(joined[n], words):
            joined[n] = replace(joined[n], box=union((joined[n].box, region.box)))
        else:
            joined.append(region)
            blocks.append(block)
    return joined


def _height(region: Region, words: Sequence[Word]) -> float:
    return max((word.size for word in words_in(words, region.box)), default=0.0)


def _parts(region: Region, words: Sequence[Word]) -> list[Region]:
    if region.kind not in SENTENCES:
        return [region]
    columns = _columns(by_block(words_in(words, region.box)))
    if sum(len({word.line for word in column}) > 1 for column in columns) < 2:  # single lines may be one with a gap
        return [region]
    return [replace(region, box=_box(column)) for column in columns]


def _columns(blocks: Sequence[Sequence[Word]]) -> list[list[Word]]:
    """Put blocks above each other into one column."""
    columns: list[list[Word]] = []
    end = float("-inf")
    for block in sorted(blocks, key=lambda block: _box(block)[0]):
        x0, _, x1, _ = _box(block)
        if x0 >= end:
            columns.append([])
        columns[-1] += block
        end = max(end, x1)
    return columns


def with_listed(regions: Sequence[Region], words: Sequence[Word], rules: Rules) -> list[Region]:
    """Return regions with tables as paragraphs that are listings: in fixed-width type, and with no rule between their lines.

    The picture of what a program prints in columns looks like a table's. On a typewritten page it may be one.
    """
    if is_mostly_fixed(words):
        return list(regions)
    return [
        replace(region, kind="paragraph", role="text") if _is_listing(region, words_in(words, region.box), rules) else region
        for region in regions
    ]


def _is_listing(region: Region, inside: Sequence[Word], rules: Rules) -> bool:
    letters = sum(len(word.text) for word in inside)
    if region.kind != "table" or sum(len(word.text) for word in inside if word.mono) <= LISTED * letters:
        return False
    x0, y0, x1, y1 = _box(inside)
    return not any(y0 < rule.at < y1 and overlap(x0, x1, rule.start, rule.end) > 0 for rule in rules.horizontals)


def without_noise(regions: Sequence[Region], noise: Container[Word]) -> list[Region]:
    """Return regions whose figures lack the words of `noise`: what OCR takes for letters in a photograph or drawing."""
    return [
        replace(region, words=[word for word in region.words if word not in noise]) if region.kind == "figure" else region
        for region in regions
    ]


def _box(words: Sequence[Word]) -> Box:
    return union(word.box for word in words)
