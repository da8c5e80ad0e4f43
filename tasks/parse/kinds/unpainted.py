"""Unpainted figures: parts of a page that the layout model takes for pictures although nothing but text is painted there."""

from collections.abc import Sequence
from dataclasses import replace

from tasks.parse.layout.geometry import Box, area, common, grown, share
from tasks.parse.layout.regions import Region

MOSTLY = 0.5
"""Least share of a drawing in the figure that it is part of. Larger ones are backgrounds and frames."""


def without_unpainted(regions: Sequence[Region], pictures: Sequence[Box], drawn: Sequence[Box]) -> list[Region]:
    """Return the regions of a page, figures in which there is neither one of `pictures` nor most of one `drawn` as paragraphs."""
    return [
        region
        if region.kind != "figure" or _is_painted(region.box, pictures, drawn)
        else replace(region, kind="paragraph", role="text")
        for region in regions
    ]


def _is_painted(box: Box, pictures: Sequence[Box], drawn: Sequence[Box]) -> bool:
    return any(area(common(box, picture)) > 0 for picture in pictures) or any(
        share(grown(drawing, 0.1, 0.1), box) > MOSTLY for drawing in drawn
    )
