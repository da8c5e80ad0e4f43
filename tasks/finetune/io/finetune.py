"""Fine-tune: find negatives, learn, compare, write the model."""

from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tasks.evaluate.scoring import Scores
from tasks.finetune.card import Card, Counts, render_card
from tasks.finetune.io import compare, learn, model_folder
from tasks.finetune.io.collect import Finetuning, TrainingData
from tasks.finetune.io.learn import TunedModel
from tasks.finetune.negatives import mine_hard_negatives
from tasks.store.fingerprints import weights_digest

LIBRARIES = ("tokenizers", "torch", "transformers")


class MinedNegatives(NamedTuple):
    """Hard negatives for each example, as rows of the pool; and how the base model ranks the pool for the held-out questions."""

    negatives: list[list[int]]
    before: dict[str, Scores]


def mine(job: Finetuning, collected: TrainingData) -> MinedNegatives:
    """Embed the pool and the questions with the base model; return what is near to the questions and does not answer them.

    Raises:
        InputError: the model cannot be loaded.
    """
    options, train, held_out = job.options, collected.train, collected.held_out
    asked = [one.question for one in (*train, *held_out)]
    chunks, questions = compare.encode(job.embedding, collected.texts, asked)
    gold = [one.gold for one in train]
    negatives = mine_hard_negatives(questions[: len(train)], chunks, gold, options.negatives, options.most_like)
    return MinedNegatives(negatives, compare.score_rankings(held_out, questions[len(train) :], chunks))


def learn_model(
    job: Finetuning, collected: TrainingData, mined: MinedNegatives, advanced: Callable[[int, int, float], None] = lambda *_: None
) -> TunedModel:
    """Return the tuned model.

    Raises:
        InputError: the model cannot be loaded, or the learning rate is too high.
    """
    return learn.tune(job.embedding, job.options, collected.train, collected.texts, mined.negatives, advanced)


def compare_and_write(job: Finetuning, collected: TrainingData, mined: MinedNegatives, learnt: TunedModel) -> Card:
    """Write the tuned model to its folder, with a card of how it ranks the pool for the held-out questions.

    Raises:
        InputError: the folder is there already, or cannot be written.
    """
    from tasks.embed.io.providers import settled_prompts

    base, out = learn.base_folder(job.embedding), Path(job.out)
    with model_folder.new_folder(out) as folder:
        digest = model_folder.write_model(folder, base, learnt.model)
        options = compare.tuned_options(job.embedding, settled_prompts(job.embedding), folder)
        chunks, questions = compare.encode(options, collected.texts, [one.question for one in collected.held_out])
        after = compare.score_rankings(collected.held_out, questions, chunks)
        figures = compare.compare_scores(collected.held_out, mined.before, after, job.options.seed)
        per_epoch = np.array_split(np.array(learnt.losses), job.options.epochs)
        card = Card(
            name=out.name,
            base=job.embedding.model if not Path(job.embedding.model).is_dir() else base.name,
            base_weights=weights_digest(base),
            weights=digest,
            corpus_recipe=job.live.recipe,
            generation=job.live.generation,
            counts=_counts(collected, len(learnt.losses)),
            options=job.options.model_dump(mode="json"),
            first_loss=float(per_epoch[0].mean()),
            last_loss=float(per_epoch[-1].mean()),
            figures=figures,
            libraries=", ".join(f"{name} {version(name)}" for name in LIBRARIES),
        )
        model_folder.write_card(folder, render_card(card))
    return card


def _counts(collected: TrainingData, n_steps: int) -> Counts:
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
