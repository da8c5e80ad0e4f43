"""Entailment: which output of a model for natural language inference means that one text follows from another."""

from collections.abc import Mapping, Sequence


def find_entailment_label(labels: Mapping[int, str]) -> int | None:
    """Return the output whose label begins with `entail`, in any case; None if there is no such label, or more than one.

    >>> find_entailment_label({0: "CONTRADICTION", 1: "NEUTRAL", 2: "ENTAILMENT"})
    2
    """
    found = [number for number, label in labels.items() if label.lower().startswith("entail")]
    return found[0] if len(found) == 1 else None


def mean_entailment(shares: Sequence[Sequence[float]]) -> float:
    """Return the mean over the sentences of an answer of the highest probability that a text of the context entails it.

    `shares` has one row for each sentence, with one probability for each text of the context. Without context, nothing follows.

    >>> mean_entailment([[0.25, 1.0], [0.5, 0.0]])
    0.75
    """
    return sum(max(row, default=0.0) for row in shares) / len(shares)
