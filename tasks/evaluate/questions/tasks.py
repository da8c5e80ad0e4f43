"""The Prefect tasks of generating questions. Each takes and returns values, and can be retried on its own.

What a language model answered is kept in the corpus, so another try, or another run, asks nothing twice.
"""

import logging
from collections import Counter

from prefect import task
from prefect.cache_policies import NO_CACHE

from schemas.shown import plain
from tasks.evaluate.io.questions import generate
from tasks.evaluate.io.questions.generate import GenerationJob, GenerationResult
from tasks.publish.escaping import format_titled_markdown_table
from tasks.publish.io.reports.artifacts import create_artifact

MOST_SHOWN = 200
"""How many questions, and how many refused ones, artifacts show at most. The files have all."""

logger = logging.getLogger(__name__)


@task(name="ask_model", task_run_name="ask {job.chat.model} for {title}", cache_policy=NO_CACHE)
def ask_model_for_questions(title: str, job: GenerationJob) -> GenerationResult:
    """Ask a language model about passages of the documents."""
    return generate.generate_questions_from_model(job)


@task(name="make_from_documents", task_run_name="make questions from {title}", cache_policy=NO_CACHE)
def make_questions_from_documents(title: str, job: GenerationJob) -> GenerationResult:
    """Make questions from headings, captions, tables and sentences."""
    return generate.generate_questions_from_documents(job)


@task(name="write_generated", task_run_name="write questions about {title}", cache_policy=NO_CACHE)
def write_generated_questions(title: str, job: GenerationJob, generated: GenerationResult) -> str:
    """Write the questions, and the refused ones beside them; return the file of these."""
    for one in generated.refused:
        logger.info("refused: %s", plain(str(one)))
    return str(generate.write_generated_questions(job, generated))


@task(task_run_name="report on questions about {title}", cache_policy=NO_CACHE)
def report_questions(title: str, job: GenerationJob, generated: GenerationResult) -> None:
    """Show the questions, and why others were refused, in the UI."""
    origins = ", ".join(f"{name}: {n}" for name, n in Counter(one.origin for one in generated.questions).most_common())
    spent = f"{generated.spent.calls} calls, {generated.spent.dollars:.4f} dollars"
    questions = [
        {"document": one.gold[0].document, "question": one.question, "answer": one.answer or "", "origin": one.origin}
        for one in generated.questions[:MOST_SHOWN]
    ]
    about = f"{len(generated.questions)} questions ({origins or 'none'}), {spent}, about"
    create_artifact("questions", job.corpus.uri, format_titled_markdown_table("Questions", questions), about)
    refused = [one.model_dump(include={"document", "question", "reason"}) for one in generated.refused[:MOST_SHOWN]]
    create_artifact(
        "questions-refused",
        job.corpus.uri,
        format_titled_markdown_table("Refused", refused),
        f"{len(generated.refused)} refused questions about",
    )
