"""Compare a model before and after: how both rank the pool's chunks for the held-out questions."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from schemas.options.sections import EmbedOptions, EvaluateOptions
from tasks.embed.io.providers import open_provider
from tasks.embed.provider import Prompts
from tasks.evaluate.comparison import Comparison, compare, holm, pair_scores
from tasks.evaluate.rankings import score_ranking
from tasks.evaluate.scoring import Scores
from tasks.finetune.card import Figure
from tasks.finetune.examples import Example
from tasks.finetune.negatives import AT_ONCE, Vectors

CUTOFFS = (1, 5, 10)
METRICS = (("chunk_recall", 1), ("chunk_recall", 5), ("chunk_recall", 10), ("chunk_mrr", 10), ("chunk_ndcg", 10))


def encode(options: EmbedOptions, texts: Sequence[str], questions: Sequence[str]) -> tuple[Vectors, Vectors]:
    """Return the vectors of the pool and of questions."""
    provider = open_provider(options)
    return provider.encode(texts), provider.encode_queries(questions)


def tuned_options(options: EmbedOptions, prompts: Prompts, folder: Path) -> EmbedOptions:
    """Return how the model in `folder` embeds: as that of `options` does, with its prompts."""
    asked = {"model": str(folder), "query_prompt": prompts.query, "document_prompt": prompts.document}
    return options.model_copy(update=asked)


def score_rankings(examples: Sequence[Example], questions: Vectors, chunks: Vectors) -> dict[str, Scores]:
    """Return the scores of each question's ranking of the chunks by cosine, by its id; ties by position."""
    found: dict[str, Scores] = {}
    for start in range(0, len(examples), AT_ONCE):
        cosines = questions[start : start + AT_ONCE] @ chunks.T
        for example, row in zip(examples[start : start + AT_ONCE], cosines, strict=True):
            ranked = np.argsort(-row, kind="stable")[: max(CUTOFFS)].tolist()
            found[example.question_id] = score_ranking(ranked, example.gold, CUTOFFS, "chunk_")
    return found


def compare_scores(
    examples: Sequence[Example], before: dict[str, Scores], after: dict[str, Scores], seed: int
) -> tuple[Figure, ...]:
    """Return how METRICS differ, by pairs."""
    options, documents = EvaluateOptions(), {one.question_id: one.document for one in examples}
    found = []
    for key in METRICS:
        a, b = ({name: of_one[key] for name, of_one in scores.items()} for scores in (before, after))
        pairs = pair_scores(a, b, documents)
        found.append(compare(*key, pairs, options.bootstrap_samples, options.confidence, seed))
    corrected = iter(holm([one.p_permutation for one in found if one.p_permutation is not None]))
    return tuple(_figure(one, None if one.p_permutation is None else next(corrected)) for one in found)


def _figure(one: Comparison, p_holm: float | None) -> Figure:
    return Figure(
        metric=one.metric,
        cutoff=one.cutoff,
        n=one.n,
        n_documents=one.n_documents,
        before=one.a,
        after=one.b,
        difference=one.difference,
        low=one.low,
        high=one.high,
        p_holm=p_holm,
        won=one.won,
        lost=one.lost,
        tied=one.tied,
    )
