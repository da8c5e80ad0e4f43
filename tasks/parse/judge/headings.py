"""Headings: cuts the regions of a page between its headings and its text, as boosted trees judge its lines."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

from schemas.tables.elements import HEADINGS
from tasks.parse.judge.line_features import PageLine, features_of_lines, lines_to_judge
from tasks.parse.kinds.whole_headings import with_whole_headings
from tasks.parse.layout.captions import LABEL
from tasks.parse.layout.geometry import union
from tasks.parse.layout.levels import scheme_of
from tasks.parse.layout.lines import LABEL as BULLET
from tasks.parse.layout.page_model import Array, PageModel
from tasks.parse.layout.regions import Region, Remark

DOUBT = 0.2
"""What the rules say of a line is overruled where it is less likely than this. F1 of lines with .5, .4, .3, .2 and .1: of sources
labelled by hand, each left out, .903, .901, .903, .902 and .890 (the rules .878); of DP-Bench .895, .924, .917, .927 and .941
(.938); of the round trip, packages left out, .967, .969, .970, .970 and .969 (.967)."""


class JudgedLine(NamedTuple):
    """A line, how likely it is a heading, in [0, 1], and from where on it is taken for one."""

    line: PageLine
    likely: float
    limit: float

    @property
    def is_heading(self) -> bool:
        """Whether the line is taken for a heading."""
        return self.likely >= self.limit


def with_judged_headings(regions: Sequence[Region], page: PageModel) -> list[Region]:
    """Return the regions of a page, in reading order, those in which headings and text are mixed cut between their lines.

    What the rules before it take for headings is among what the page's judge is told. What begins with the label of a caption is
    one, whatever it looks like. Without a judge regions stay as they are.
    """
    judged = judge_lines(regions, page)
    if not judged:
        return list(regions)
    found = list[Region]()
    for number, region in enumerate(regions):
        lines = judged.get(number)
        found += [_part(region, run) for run in _runs(lines)] if lines else [region]
    return with_whole_headings(found)


def explain_judged_lines(regions: Sequence[Region], page: PageModel) -> Iterator[Remark]:
    """Yield how likely each line that is judged is a heading, and how likely it must be, by what the rules say of it."""
    for number, lines in judge_lines(regions, page).items():
        for item in lines:
            what = f"{item.likely:.2f} of {item.limit:.2f} for a heading, {regions[number].kind} by the rules"
            yield Remark(union(word.box for word in item.line.line.words), f"{what}: {item.line.line.text}")


def judge_lines(regions: Sequence[Region], page: PageModel) -> dict[int, list[JudgedLine]]:
    """Return the judged lines of regions by the numbers of these."""
    lines = lines_to_judge(regions) if page.judge else []
    if not page.judge or not lines:
        return {}
    likely = _evened(lines, page.judge(features_of_lines(lines, regions, page.frames, page.lines))[:, 0])
    ruled = [regions[line.region].kind in HEADINGS for line in lines]
    judged = [
        JudgedLine(line, p, DOUBT if is_ruled else 1 - DOUBT)
        for line, p, is_ruled in zip(lines, likely.tolist(), ruled, strict=True)
    ]
    return {number: list(group) for number, group in groupby(judged, key=lambda item: item.line.region)}


def _evened(lines: Sequence[PageLine], likely: Array) -> Array:
    """Return probabilities, the same for lines of one look that follow each other in a region: the lines of one heading."""
    evened = likely.copy()
    runs = groupby(range(len(lines)), key=lambda n: (lines[n].region, lines[n].look))
    for _, run in runs:
        places = list(run)
        evened[places] = likely[places].mean()
    return evened


def _runs(lines: Sequence[JudgedLine]) -> Iterator[list[JudgedLine]]:
    """Yield lines that are of one heading, or of the text between headings; a number such as 1.3 begins another heading."""
    run: list[JudgedLine] = []
    for item in lines:
        numbered = item.is_heading and bool(run) and scheme_of(item.line.line.text)[0] == "decimal"
        if run and (item.is_heading != run[-1].is_heading or numbered):
            yield run
            run = []
        run.append(item)
    yield run


def _part(region: Region, run: Sequence[JudgedLine]) -> Region:
    """Return a run of a region's lines as a region; the whole region if these are all."""
    kind, is_whole = _kind(region, run), len(run) == run[0].line.of
    confidence = sum(item.likely for item in run) / len(run) if kind in HEADINGS else None
    if is_whole:
        return region if (kind, confidence) == (region.kind, None) else replace(region, kind=kind, confidence=confidence)
    places = {id(word) for item in run for word in item.line.line.words}
    words = [word for word in region.words if id(word) in places]
    return replace(region, box=union(word.box for word in words), kind=kind, words=words, confidence=confidence)


def _kind(region: Region, run: Sequence[JudgedLine]) -> str:
    text = run[0].line.line.text
    if run[0].is_heading:
        return "caption" if LABEL.match(text) else region.kind if region.kind in HEADINGS else "heading"
    if region.kind not in HEADINGS:
        return region.kind
    words = run[0].line.line.words
    return "caption" if LABEL.match(text) else "list_item" if len(words) > 1 and BULLET.match(words[0].text) else "paragraph"
