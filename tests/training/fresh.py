"""Figures that the bundled model was not trained on, calibrated by or measured by."""

from training.figure_set.kinds import Figure, figure
from training.figure_set.pictures import Gallery
from training.train_clip import FRESH_SEED, SEEDS


def fresh_figure(n: int, kind: str, hurt: bool = True) -> Figure:
    """Return the n-th figure of a kind that no training ever draws, worn by use if `hurt`."""
    assert 0 <= n < SEEDS - FRESH_SEED
    return figure(FRESH_SEED + n, kind, Gallery(), hurt)
