"""One figure of a kind by its seed, with words that describe it."""

from typing import NamedTuple

import numpy as np
from PIL import Image

from schemas.options.sections import FIGURE_LABELS
from training.figure_set import hands, maps, pictures, screens, sketches, typeset
from training.figure_set.charts import office, plots
from training.figure_set.damage import worn
from training.figure_set.pictures import Gallery
from training.figure_set.words import Generator, chance

KINDS = FIGURE_LABELS
"""What the model is taught to tell apart."""
OFFICE_SHARE = 0.5
"""Share of the charts that are not matplotlib's."""


class Figure(NamedTuple):
    """A drawn figure, and its kind."""

    picture: Image.Image
    kind: str


def figure(seed: int, kind: str, free: Gallery, hurt: bool = True) -> Figure:
    """Return the figure of `kind` with this seed, worn by use if `hurt`."""
    rng = np.random.default_rng([seed, KINDS.index(kind)])
    picture = _draw(rng, kind, free)
    if max(picture.size) > 1400:
        picture.thumbnail((1400, 1400))
    return Figure(worn(rng, picture) if hurt else picture, kind)


def _draw(rng: Generator, kind: str, free: Gallery) -> Image.Image:
    if kind in plots.PAINTERS:
        drawn = office.PAINTERS[kind](rng) if chance(rng, OFFICE_SHARE) else plots.chart(rng, kind)
        return screens.windowed(rng, drawn) if chance(rng, 0.04) else drawn
    if kind == "logo":
        return (pictures.drawing(rng, free) if chance(rng, 0.6) else None) or sketches.logo(rng)
    if kind == "map":
        return (pictures.free(rng, free.maps) if chance(rng, 0.35) else None) or maps.map_(rng)
    if kind in ("photograph", "screenshot"):
        return (pictures.photograph if kind == "photograph" else screens.screenshot)(rng, free)
    painters = {
        "table": typeset.table,
        "equation": typeset.equation,
        "text": typeset.text,
        "flow chart or diagram": sketches.diagram,
        "handwriting or signature": hands.handwriting,
    }
    return painters[kind](rng)
