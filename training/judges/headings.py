"""The judge of headings: trains its trees on lines of all sources, and scores it on each source that it has not seen."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from tasks.parse.judge.line_features import FEATURES
from tasks.parse.judge.trees import Array, Trees
from training.judges.boosting import train_trees
from training.judges.heading_lines import LabelledLines


class Score(NamedTuple):
    """How well headings were told from other lines: `wrong` lines were taken for headings, `missed` were not."""

    headings: int
    wrong: int
    missed: int

    @property
    def f1(self) -> float:
        """Return the harmonic mean of precision and recall."""
        right = self.headings - self.missed
        return 2 * right / max(1, 2 * right + self.wrong + self.missed)


def train_headings(sources: Mapping[str, LabelledLines], weights: Mapping[str, float]) -> Trees:
    """Return trees trained on all known lines; those of a source weigh together what `weights` says, each the same."""
    parts = [(lines, lines.labels >= 0, weights[name]) for name, lines in sources.items() if weights[name]]
    each = np.concatenate([np.full(known.sum(), weight / known.sum()) for _, known, weight in parts])
    rows = np.concatenate([lines.features[known] for lines, known, _ in parts])
    labels = np.concatenate([lines.labels[known] for lines, known, _ in parts])
    return train_trees(rows, labels, each * len(each) / each.sum(), [name.replace(" ", "_") for name in FEATURES])


def score_left_out(sources: Mapping[str, LabelledLines], weights: Mapping[str, float]) -> dict[str, Score]:
    """Return the score on each source of trees that were trained on all others."""
    found = {}
    for name, lines in sources.items():
        trees = train_headings({other: part for other, part in sources.items() if other != name}, weights)
        found[name] = score(lines.labels, trees.probabilities(lines.features)[:, 0] >= 0.5)
    return found


def score(labels: Array, found: Array) -> Score:
    """Return the score of `found` (n) against `labels` (n). Lines whose label is not known do not count.

    >>> score(np.array([1, 1, 0, -1]), np.array([True, False, True, True]))
    Score(headings=2, wrong=1, missed=1)
    """
    return Score(int((labels == 1).sum()), int(((labels == 0) & found).sum()), int(((labels == 1) & ~found).sum()))


def write_scores(scores: Mapping[str, Score], sources: Mapping[str, LabelledLines]) -> str:
    """Return a table in Markdown of scores on left-out sources, beside those of the rules, which the judge is told."""
    rows = [
        "| source left out | documents | lines | headings | rules | judge | wrong | missed |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, found in scores.items():
        lines = sources[name]
        known, alone = int((lines.labels >= 0).sum()), score(lines.labels, lines.ruled)
        counts = f"{len(set(lines.documents))} | {known:,} | {found.headings}"
        rows.append(f"| {name} | {counts} | {alone.f1:.3f} | {found.f1:.3f} | {found.wrong} | {found.missed} |")
    return "\n".join(rows) + "\n"
