"""The card of a fine-tuned model: what it was made of, with which figures before and after. It quotes no document or question."""

import json
from collections.abc import Sequence
from typing import Any

from schemas.references import Frozen


class Counts(Frozen):
    """How many questions and chunks a model was made of."""

    train: int
    held_out: int
    unplaced: int
    left_out: int
    shortened: int
    chunks: int
    chunks_of_corpus: int
    steps: int


class Figure(Frozen):
    """A metric of the held-out questions before and after: means, difference with interval, and p after Holm's correction."""

    metric: str
    cutoff: int
    n: int
    n_documents: int
    before: float
    after: float
    difference: float
    low: float | None
    high: float | None
    p_holm: float | None
    won: int
    lost: int
    tied: int


class Card(Frozen):
    """All that a card says. Digests are those of the models' weights."""

    name: str
    base: str
    base_weights: str
    weights: str
    corpus_recipe: str
    generation: int
    counts: Counts
    options: dict[str, Any]
    first_loss: float
    last_loss: float
    figures: tuple[Figure, ...]
    libraries: str


def render_model_card(card: Card) -> str:
    """Return the card as Markdown with a YAML head, which model hubs read. All that it says stands at its end as JSON too."""
    head = {"base_model": card.base, "tags": ["sentence-similarity", "feature-extraction"], "library_name": "transformers"}
    counts = card.counts
    return "\n".join(
        [
            "---",
            *(f"{name}: {json.dumps(value)}" for name, value in head.items()),
            "---",
            "",
            f"# {card.name}",
            "",
            f"Fine-tuned by Pagemill from {card.base} (weights {card.base_weights[:12]}) to weights {card.weights[:12]}, "
            f"with questions about one corpus: generation {card.generation}, recipe {card.corpus_recipe[:12]}. "
            "What it does with other texts was not measured.",
            "",
            f"- Learnt from {counts.train} questions in {counts.steps} steps; InfoNCE over the chunks of a batch and mined hard "
            f"negatives; loss {card.first_loss:.3f} in the first epoch, {card.last_loss:.3f} in the last.",
            f"- Compared with {counts.held_out} held-out questions, over {counts.chunks} of {counts.chunks_of_corpus} chunks.",
            f"- {counts.left_out} training questions were left out, and {counts.shortened} lost a chunk, because a held-out "
            f"question asks the same or has the same answer. Questions that no chunk answers: {counts.unplaced}.",
            "",
            *_render_figures_table(card.figures),
            "",
            "Ranked by vectors alone; differences are by pairs, with an interval over documents.",
            "",
            "```json",
            json.dumps(card.model_dump(mode="json"), indent=2),
            "```",
            "",
        ]
    )


def _render_figures_table(figures: Sequence[Figure]) -> list[str]:
    rows = ["| metric | before | after | difference | p (Holm) | won / lost / tied |", "|---|---|---|---|---|---|"]
    for one in figures:
        interval = "" if one.low is None else f" [{one.low:+.3f} {one.high:+.3f}]"
        p = "" if one.p_holm is None else f"{one.p_holm:.3f}"
        cells = [f"{one.metric}@{one.cutoff}", f"{one.before:.3f}", f"{one.after:.3f}", f"{one.difference:+.3f}{interval}", p]
        rows.append(f"| {' | '.join(cells)} | {one.won} / {one.lost} / {one.tied} |")
    return rows
