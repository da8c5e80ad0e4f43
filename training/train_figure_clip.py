"""Train the figure model that Pagemill ships: draw what it learns from, train, calibrate, measure, write it with its card."""

from pathlib import Path
from typing import Any

from prefect import flow, task
from prefect.cache_policies import NO_CACHE

from training import train_clip
from training.train_clip import TrainOptions


@flow(name="train-figure-clip", validate_parameters=True)
def train_figure_clip(out: str, work: str, free_pictures: str, options: TrainOptions | None = None) -> dict[str, Any]:
    """Write the model to the folder `out`; the drawn figures are kept in `work`, and not drawn again.

    `free_pictures` is a folder into which the Debian packages that the model's card lists were unpacked. Returns the figures.
    """
    settings = options or TrainOptions()
    train_clip.check_sources(free_pictures)
    draw_figures(work, settings, free_pictures)
    return train_and_write(out, work, settings, free_pictures)


@task(cache_policy=NO_CACHE)
def draw_figures(work: str, options: TrainOptions, free_pictures: str) -> int:
    """Draw all figures; return how many there are."""
    return sum(len(pictures) for pictures in train_clip.draw(Path(work), options, free_pictures))


@task(cache_policy=NO_CACHE)
def train_and_write(out: str, work: str, options: TrainOptions, free_pictures: str) -> dict[str, Any]:
    """Train on the drawn figures, and write the model with its card."""
    model, confusion = train_clip.learn(train_clip.draw(Path(work), options, free_pictures), options, Path(work))
    return train_clip.write_model(model, confusion, options, Path(out))
