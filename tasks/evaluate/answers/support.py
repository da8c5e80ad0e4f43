"""Support: how far the sentences of an answer stand in its context, without a language model.

The metric is called faithfulness (lexical and embedding support). It sees words and topics, not truth: a sentence that denies
what the context says has almost the same words.
"""

from collections.abc import Sequence

import numpy as np

from tasks.embed.remembered import Vectors
from tasks.evaluate.answers.overlap import split_words


def lexical_support(sentence: str, context: Sequence[str]) -> float:
    """Return the largest share of the distinct words of `sentence` that one sentence of `context` has, in [0, 1].

    A sentence without words that count claims nothing: 1.
    """
    words = set(split_words(sentence))
    if not words:
        return 1.0
    return max((len(words & set(split_words(other))) / len(words) for other in context), default=0.0)


def embedding_support(sentence: Vectors, context: Vectors) -> float:
    """Return the cosine of `sentence` with the nearest row of `context`, at least 0; 0 without context. All have length 1."""
    return float(np.clip((context @ sentence).max(), 0, 1)) if len(context) else 0.0


def faithfulness(lexical: Sequence[float], embedded: Sequence[float]) -> float:
    """Return the mean over the sentences of an answer of what supports each better: its words or its vector."""
    return float(np.mean([max(pair) for pair in zip(lexical, embedded, strict=True)]))
