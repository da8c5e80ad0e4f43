"""The Prefect tasks of a fine-tuning. Each takes and returns values, and can be retried on its own.

Nothing is cached: results would hold texts of documents where no purge reaches.
"""

import logging

from prefect import task
from prefect.cache_policies import NO_CACHE

from tasks.finetune.card import Card, render_model_card
from tasks.finetune.io import collect, finetune
from tasks.finetune.io.collect import Finetuning, TrainingData
from tasks.finetune.io.finetune import MinedNegatives
from tasks.finetune.io.learn import TunedModel
from tasks.publish.io.reports.artifacts import create_artifact

MOST_LOGGED = 10
"""How often the loss is logged, at most."""

logger = logging.getLogger(__name__)


@task(task_run_name="collect questions about {title}", cache_policy=NO_CACHE)
def collect_examples(title: str, job: Finetuning) -> TrainingData:
    """Find the chunks that answer the questions, and others."""
    return collect.collect_training_data(job)


@task(task_run_name="mine negatives in {title}", cache_policy=NO_CACHE)
def mine_negatives(title: str, job: Finetuning, collected: TrainingData) -> MinedNegatives:
    """Find chunks that are near to a question and do not answer it."""
    return finetune.embed_and_mine_negatives(job, collected)


@task(task_run_name="learn from {title}", cache_policy=NO_CACHE)
def learn_model(title: str, job: Finetuning, collected: TrainingData, mined: MinedNegatives) -> TunedModel:
    """Tune the model; its loss is logged."""

    def log_step(step: int, total: int, loss: float) -> None:
        if step % max(1, total // MOST_LOGGED) == 0:
            logger.info("step %d of %d: loss %.3f", step, total, loss)

    return finetune.train_model(job, collected, mined, log_step)


@task(name="compare_and_write", task_run_name="compare and write the model for {title}", cache_policy=NO_CACHE)
def compare_and_write_model(
    title: str, job: Finetuning, collected: TrainingData, mined: MinedNegatives, learnt: TunedModel
) -> Card:
    """Compare the base model and the tuned one on the held-out questions, and write the tuned model's folder."""
    return finetune.compare_and_write_model(job, collected, mined, learnt)


@task(task_run_name="report on the model for {title}", cache_policy=NO_CACHE)
def report_model(title: str, job: Finetuning, card: Card) -> None:
    """Show the card in the UI."""
    create_artifact(
        "finetune", job.corpus.uri, render_model_card(card).split("---\n", 2)[2], f"model {card.name}, tuned with questions about"
    )
