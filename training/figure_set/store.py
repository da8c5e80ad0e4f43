"""The training set as one array on disk: small squares, kinds in turn, so that row n shows KINDS[n % len(KINDS)]."""

import logging
import os
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from training.figure_set import fonts
from training.figure_set.damage import worn
from training.figure_set.kinds import KINDS, figure
from training.figure_set.pictures import gallery

SIDE = 224
"""Pixels of a stored picture; the model sees a part of it."""
RETRIES = 5
NEXT_SEED = 10_000_000
Pictures = NDArray[np.uint8]
logger = logging.getLogger(__name__)


class Order(NamedTuple):
    """What to draw: figures of each kind, the seed of the first, and whether they are worn twice over."""

    per_kind: int
    first_seed: int
    harder: bool


def draw_set(file: Path, order: Order, free: str) -> Pictures:
    """Return the set that `order` asks for, drawn into `file` unless it lies there. `free` is a folder of free pictures."""
    if not file.exists():
        part = file.with_suffix(".part")
        rows = order.per_kind * len(KINDS)
        drawn = np.lib.format.open_memmap(part, "w+", np.uint8, (rows, SIDE, SIDE, 3))
        with get_context("spawn").Pool(len(os.sched_getaffinity(0))) as pool:
            for row, picture in enumerate(pool.imap(partial(square, order=order, free=free), range(rows), 16)):
                drawn[row] = picture
        drawn.flush()
        part.rename(file)
    found: Pictures = np.load(file, mmap_mode="r")
    return found


def square(row: int, order: Order, free: str) -> Pictures:
    """Return the picture of one row; a figure that cannot be drawn is drawn by another seed."""
    fonts.use(free)
    seed = order.first_seed + row // len(KINDS)
    for attempt in range(RETRIES):
        try:
            picture = figure(seed + attempt * NEXT_SEED, KINDS[row % len(KINDS)], gallery(free)).picture
            break
        except (OSError, ValueError, RuntimeError) as error:
            logger.info("row %d cannot be drawn by seed %d: %s", row, seed + attempt * NEXT_SEED, error)
    else:
        raise ValueError(f"row {row} of the training set cannot be drawn")
    if order.harder:
        picture = worn(np.random.default_rng([seed, 99]), picture)
    small: Pictures = np.asarray(picture.resize((SIDE, SIDE), Image.Resampling.BICUBIC))
    return small
