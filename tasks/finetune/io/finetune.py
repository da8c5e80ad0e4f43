"""Fine-tune: find negatives, compare the model before and after, write it with a card."""

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from schemas.errors import InputError
from schemas.options.sections import EmbedOptions, EvaluateOptions
from tasks.embed.io.providers import open_provider, resolve_prompts
from tasks.embed.provider import Prompts
from tasks.embed.vectors import Vectors
from tasks.evaluate.comparison import Comparison, compare_metric, holm, pair_scores
from tasks.evaluate.scoring import Scores, score_ranking
from tasks.finetune.card import Card, Counts, Figure, render_model_card
from tasks.finetune.examples import AT_ONCE, Example, mine_hard_negatives
from tasks.finetune.io.collect import Finetuning, TrainingData
from tasks.finetune.io.learn import OnStep, TunedModel, find_base_model_folder, ignore_training_step, tune_model
from tasks.store import local
from tasks.store.fingerprints import compute_weights_digest

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedModel

LIBRARIES = ("tokenizers", "torch", "transformers")

CUTOFFS = (1, 5, 10)
METRICS = (("chunk_recall", 1), ("chunk_recall", 5), ("chunk_recall", 10), ("chunk_mrr", 10), ("chunk_ndcg", 10))

CARD = "README.md"
"""The name that model hubs show. It is no part of what identifies the model."""
KEPT = ("*.json", "*.txt", "*/config.json")
"""Files of the base model that its tuned form needs: configuration, tokenizer, and the modules of sentence-transformers."""
SPARE = "pooler."
"""Weights that no embedder uses, and that were made up where the base has none."""


class MinedNegatives(NamedTuple):
    """Hard negatives for each example, as rows of the pool; and how the base model ranks the pool for the held-out questions."""

    negatives: list[list[int]]
    before: dict[str, Scores]


def embed_and_mine_negatives(job: Finetuning, collected: TrainingData) -> MinedNegatives:
    """Embed the pool and the questions with the base model; return what is near to the questions and does not answer them.

    Raises:
        InputError: the model cannot be loaded.
    """
    options, train, held_out = job.options, collected.train, collected.held_out
    asked = [one.question for one in (*train, *held_out)]
    chunks, questions = embed_pool_and_questions(job.embedding, collected.texts, asked)
    gold = [one.gold for one in train]
    negatives = mine_hard_negatives(questions[: len(train)], chunks, gold, options.negatives, options.most_like)
    return MinedNegatives(negatives, score_rankings(held_out, questions[len(train) :], chunks))


def train_model(
    job: Finetuning, collected: TrainingData, mined: MinedNegatives, on_step: OnStep = ignore_training_step
) -> TunedModel:
    """Return the tuned model; see `tune_model`."""
    return tune_model(job.embedding, job.options, collected.train, collected.texts, mined.negatives, on_step)


def compare_and_write_model(job: Finetuning, collected: TrainingData, mined: MinedNegatives, learnt: TunedModel) -> Card:
    """Write the tuned model to its folder, with a card of how it ranks the pool for the held-out questions.

    Raises:
        InputError: the folder is there already, or cannot be written.
    """
    base, out = find_base_model_folder(job.embedding), Path(job.out)
    with create_folder_atomically(out) as folder:
        digest = write_model(folder, base, learnt.model)
        options = make_tuned_options(job.embedding, resolve_prompts(job.embedding), folder)
        chunks, questions = embed_pool_and_questions(options, collected.texts, [one.question for one in collected.held_out])
        after = score_rankings(collected.held_out, questions, chunks)
        figures = compare_scores(collected.held_out, mined.before, after, job.options.seed)
        per_epoch = np.array_split(np.array(learnt.losses), job.options.epochs)
        card = Card(
            name=out.name,
            base=job.embedding.model if not Path(job.embedding.model).is_dir() else base.name,
            base_weights=compute_weights_digest(base),
            weights=digest,
            corpus_recipe=job.live.recipe,
            generation=job.live.generation,
            counts=_count_training_data(collected, len(learnt.losses)),
            options=job.options.model_dump(mode="json"),
            first_loss=float(per_epoch[0].mean()),
            last_loss=float(per_epoch[-1].mean()),
            figures=figures,
            libraries=", ".join(f"{name} {version(name)}" for name in LIBRARIES),
        )
        write_model_card(folder, render_model_card(card))
    return card


def _count_training_data(collected: TrainingData, n_steps: int) -> Counts:
    return Counts(
        train=len(collected.train),
        held_out=len(collected.held_out),
        unplaced=collected.n_unplaced,
        left_out=collected.n_left_out,
        shortened=collected.n_shortened,
        chunks=len(collected.texts),
        chunks_of_corpus=collected.n_chunks,
        steps=n_steps,
    )


def embed_pool_and_questions(options: EmbedOptions, texts: Sequence[str], questions: Sequence[str]) -> tuple[Vectors, Vectors]:
    """Return the vectors of the pool and of questions."""
    provider = open_provider(options)
    return provider.encode(texts), provider.encode_queries(questions)


def make_tuned_options(options: EmbedOptions, prompts: Prompts, folder: Path) -> EmbedOptions:
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
        found.append(compare_metric(*key, pairs, options.bootstrap_samples, options.confidence, seed))
    corrected = iter(holm([one.p_permutation for one in found if one.p_permutation is not None]))
    return tuple(_make_figure(one, None if one.p_permutation is None else next(corrected)) for one in found)


def _make_figure(one: Comparison, p_holm: float | None) -> Figure:
    shared = {name: value for name, value in one._asdict().items() if name in Figure.model_fields}
    return Figure(before=one.a, after=one.b, p_holm=p_holm, **shared)


@contextmanager
def create_folder_atomically(out: Path) -> Iterator[Path]:
    """Make a folder that takes the name `out` when the block ends well.

    Raises:
        InputError: `out` is there already, or cannot be made.
    """
    try:
        with local.make_temporary_folder(out.absolute().parent) as folder:
            made = folder / "model"
            made.mkdir()
            yield made
            if out.exists():
                raise InputError(f"{out} is there already: name a new folder for the model")
            os.replace(made, out)
    except OSError as error:
        raise InputError(f"the model cannot be written to {out}: {local.explain_os_error(error)}") from error


def write_model(folder: Path, base: Path, model: object) -> str:
    """Write the weights of `model`, made from that in the folder `base`, and what else it needs; return their digest."""
    from safetensors.torch import save_file

    save_file(_collect_weights(model), folder / "model.safetensors", metadata={"format": "pt"})
    for pattern in KEPT:
        for path in base.glob(pattern):
            if not path.name.endswith(".index.json"):  # it names the files of weights that were in pieces
                (folder / path.relative_to(base)).parent.mkdir(exist_ok=True)
                shutil.copyfile(path, folder / path.relative_to(base))
    return compute_weights_digest(folder)


def _collect_weights(model: "PreTrainedModel") -> "dict[str, torch.Tensor]":
    """Return the weights by name, each once: some models have several names for one, and know so when they are loaded."""
    found: dict[tuple[int, tuple[int, ...]], tuple[str, torch.Tensor]] = {}
    for name, tensor in model.state_dict().items():
        if not name.startswith(SPARE):
            found.setdefault((tensor.data_ptr(), tuple(tensor.shape)), (name, tensor.contiguous().cpu()))
    return dict(found.values())


def write_model_card(folder: Path, text: str) -> None:
    """Write the card."""
    (folder / CARD).write_text(text, encoding="utf-8")
