"""Generate questions: about the documents of a corpus, with known answers, by a language model or from the documents alone."""

from typing import Any

from prefect import flow

from flows.allowed import check_run_parameters
from flows.logs import send_logs_to_flow_run
from flows.settings import read_chat_options, read_generate_options
from flows.ui import name_question_generation_run, tag_run_with_corpus
from schemas.access import OWNER
from schemas.corpus import Corpus
from schemas.options.chat import ChatOptions
from schemas.options.questions import GenerateOptions
from tasks.evaluate.io.questions.generate import GenerationJob, GenerationResult, raise_early_end
from tasks.evaluate.questions.tasks import (
    ask_model_for_questions,
    make_questions_from_documents,
    report_questions,
    write_generated_questions,
)
from tasks.publish.io.reports.names import name_corpus


@flow(name="generate-questions", flow_run_name=name_question_generation_run)
def generate_questions(
    corpus: str, out: str, options: GenerateOptions | None = None, chat: ChatOptions | None = None
) -> dict[str, Any]:
    """Write questions about the live generation of `corpus` to the JSON-lines file `out`; return them, and what they cost.

    Options that are set here take precedence over PAGEMILL_ variables, and these over pagemill.toml. Without `chat.base_url` the
    questions are made from headings, captions, tables and sentences. What stopped a language model early fails the run, after
    what was made before is written; another run goes on from there.

    Args:
        corpus: folder of the corpus
        out: JSON-lines file to write the questions to
        options: options of this run alone; None: those of pagemill.toml
        chat: language model that asks, of this run alone; None: that of pagemill.toml
    """
    job = GenerationJob(
        corpus=Corpus(corpus),
        principal=OWNER,
        out=out,
        options=read_generate_options(options.model_dump(exclude_unset=True) if options else {}),
        chat=read_chat_options(chat.model_dump(exclude_unset=True) if chat else {}),
    )
    check_run_parameters(corpus=corpus, out=out, options=job.options.model_dump(), chat=job.chat.model_dump())
    name = name_corpus(corpus)
    with send_logs_to_flow_run(), tag_run_with_corpus(corpus):
        generated: GenerationResult = (ask_model_for_questions if job.chat.base_url else make_questions_from_documents)(name, job)
        write_generated_questions(name, job, generated)
        report_questions(name, job, generated)
    raise_early_end(job, generated)
    return generated.model_dump(mode="json")
