"""The result of reading one page of a PDF."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from schemas.options.sections import ParseOptions
from schemas.records import Element, FigurePicture, Reason
from tasks.parse.elements.from_regions import MadeElement
from tasks.parse.layout.figure_lines import words_on
from tasks.parse.layout.geometry import Box, area, common
from tasks.parse.layout.io.page_pictures import picture_of
from tasks.parse.layout.regions import Change, Region, Remark

if TYPE_CHECKING:
    import pymupdf


@dataclass
class PageResult:
    """The result of one page: elements with their type sizes, figures by index of element, and a reject if it failed.

    A figure is a value of `schemas.staged.PARSED_FIGURE` without its position. The first `n_top` and the last `n_bottom` elements
    are set apart at the edges of the page; other pages show whether they are furniture. `asides` are elements that are no part of
    its layout: notes and hidden text. `changes` say what made the elements what they are, each in turn, those of `asides` last.
    `remarks` say what else passes did on the page; none unless they are asked for.
    """

    number: int
    width: float
    height: float
    ocr: bool = False
    elements: list[tuple[Element, float]] = field(default_factory=list)
    n_top: int = 0
    n_bottom: int = 0
    figures: dict[int, FigurePicture] = field(default_factory=dict)
    reject: Reason | None = None
    asides: list[tuple[Element, float]] = field(default_factory=list)
    changes: list[tuple[Change, ...]] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)

    def add(self, made: Iterable[MadeElement]) -> None:
        """Add elements of the page's layout."""
        for found, size, changes in made:
            self.elements.append((found, size))
            self.changes.append(changes)


def add_figures(
    page: "pymupdf.Page", options: ParseOptions, result: PageResult, regions: Sequence[Region], images: Sequence[Box] = ()
) -> None:
    """Render every figure among the result's elements, and add the words in it.

    The elements were made from `regions`. `images` are the boxes of the page's pictures: they show how much of a figure is an
    image.
    """
    drawn = [region for region in regions if region.kind == "figure"]
    places = [index for index, (found, _) in enumerate(result.elements) if found["kind"] == "figure"]
    for index, region in zip(places, drawn, strict=True):
        part = picture_of(page, region.box, options.figure_dpi)
        covered = sum(area(common(image, region.box)) for image in images)
        result.figures[index] = {
            "image": part.image,
            "words": words_on(region.words, part.scale, (part.left, part.top)),
            "raster": min(1.0, covered / max(1.0, area(region.box))),
        }
