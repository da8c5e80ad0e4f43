"""What one page of a PDF gave."""

from dataclasses import dataclass, field
from typing import Any

from schemas.options import ParseOptions
from tasks.adapters.pictures import picture_of
from tasks.transforms.elements import Element


@dataclass
class PageResult:
    """What one page gave: elements with their size of type, pictures by index of element, and a reject if it failed.

    The first `n_top` and the last `n_bottom` elements stand apart at the page's edges; the document tells if they are furniture.
    """

    number: int
    width: float
    height: float
    ocr: bool = False
    elements: list[tuple[Element, float]] = field(default_factory=list)
    n_top: int = 0
    n_bottom: int = 0
    pictures: dict[int, bytes] = field(default_factory=dict)
    reject: dict[str, Any] | None = None


def add_pictures(page: Any, options: ParseOptions, result: PageResult) -> None:
    """Take a picture of every figure among the result's elements."""
    for index, (found, _) in enumerate(result.elements):
        if found["kind"] == "figure":
            result.pictures[index] = picture_of(page, tuple(found["bbox"].values()), options.figure_dpi)
