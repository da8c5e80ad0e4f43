"""Run-in headings: headings with which the first line of a paragraph begins. The layout model takes the whole line for one."""

from collections.abc import Sequence
from dataclasses import replace

from tasks.parse.kinds.headings import HEADINGS, is_upright
from tasks.parse.kinds.set_as_text import NO_LARGER, TextType, text_type
from tasks.parse.layout.geometry import union
from tasks.parse.layout.regions import Region
from tasks.parse.layout.words import Word

ENDS = (".", ":", "\u2014", "\u2013", "\u3002", "\uff1a")
"""What ends a heading before the text begins in its line."""
FEWEST = 2
"""Fewest words of text behind a heading; one alone may be emphasised otherwise."""
CLOSE = 0.8
"""Largest space between the lines of a paragraph, in type sizes."""


def without_run_in(regions: Sequence[Region]) -> list[Region]:
    """Return the regions of a page, in reading order, headings that end within a line without the text behind them.

    They end with a point or colon where the type becomes that of the text. That text begins the paragraph below, if there is one.
    """
    usual = text_type(regions)
    if usual is None or not usual.fonts:
        return list(regions)
    found: list[Region] = []
    begun: Region | None = None
    for region in regions:
        if begun and _goes_on(begun, region):
            region = replace(region, box=union((begun.box, region.box)), words=[*begun.words, *region.words])
            found.pop()
        begun = None
        end = _end_of_heading(region, usual)
        if end:
            begun = _part(region, region.words[end:], "paragraph")
            found += [_part(region, region.words[:end], region.kind), begun]
        else:
            found.append(region)
    return found


def _end_of_heading(region: Region, usual: TextType) -> int:
    """Return how many words of a region are its heading, 0 if all of them or none are."""
    if region.kind not in HEADINGS or not is_upright(region):
        return 0
    n_text = 0
    for word in reversed(region.words):
        if not _is_text(word, usual):
            break
        n_text += 1
    end = len(region.words) - n_text
    return end if end and n_text >= FEWEST and region.words[end - 1].text.endswith(ENDS) else 0


def _is_text(word: Word, usual: TextType) -> bool:
    return not word.bold and word.font in usual.fonts and word.ink == usual.ink and word.size <= NO_LARGER * usual.size


def _part(region: Region, words: Sequence[Word], kind: str) -> Region:
    return replace(region, box=union(word.box for word in words), kind=kind, words=words)


def _goes_on(begun: Region, region: Region) -> bool:
    """Return whether a region continues the text of a first line: a paragraph close below it."""
    if region.kind != "paragraph" or not region.words or not is_upright(region):
        return False
    size = begun.words[0].size
    top = min(word.box[1] for word in region.words)
    return -size < top - begun.box[3] <= CLOSE * size and region.box[0] < begun.box[2] and begun.box[0] < region.box[2]
