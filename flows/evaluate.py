"""Evaluate: search the live generation with questions whose answers are known, and log how well it finds the answers."""

from uuid import uuid4

from prefect import flow
from prefect.runtime import flow_run

from flows.allowed import check_run_parameters
from flows.logs import send_logs_to_flow_run
from flows.settings import configure_object_store, read_chat_options, read_evaluate_options
from flows.ui import name_evaluation_run, show_corpus_status, tag_run_with_corpus
from schemas.access import OWNER
from schemas.corpus import Corpus
from schemas.options.chat import ChatOptions
from schemas.options.sections import EvaluateOptions
from schemas.records import MetricRow
from tasks.evaluate.io.score import start_evaluation
from tasks.evaluate.tasks import (
    answer_questions,
    locate_gold,
    log_metrics,
    measure_index,
    report_evaluation,
    score_chunks,
    search_questions,
)
from tasks.publish.io.reports.names import name_corpus


@flow(name="evaluate", flow_run_name=name_evaluation_run)
def evaluate(
    corpus: str, questions: str, options: EvaluateOptions | None = None, chat: ChatOptions | None = None
) -> list[MetricRow]:
    """Score the live generation of `corpus` with a JSON-lines file of questions; return the rows of `metrics`.

    Options that are set here take precedence over PAGEMILL_ variables, and these over pagemill.toml. A question whose gold is no
    longer in the corpus is logged as a warning and not scored. The metric `located` is the share of all other questions.
    Answers that `chat` is asked for are kept in the corpus: another run asks nothing twice.

    Args:
        corpus: folder of the corpus
        questions: JSON-lines file of questions whose answers are known
        options: options of this run alone; None: those of pagemill.toml
        chat: language model that answers or judges, of this run alone; None: that of pagemill.toml
    """
    settings = read_evaluate_options(options.model_dump(exclude_unset=True) if options else {})
    model = read_chat_options(chat.model_dump(exclude_unset=True) if chat else {})
    check_run_parameters(corpus=corpus, questions=questions, options=settings.model_dump(), chat=model.model_dump())
    configure_object_store(corpus)
    asked, name = name_corpus(questions), name_corpus(corpus)
    evaluation = start_evaluation(flow_run.get_id() or uuid4().hex, Corpus(corpus), questions, settings, model, OWNER)
    with send_logs_to_flow_run(), tag_run_with_corpus(corpus):
        located = locate_gold(asked, evaluation)
        found = search_questions(asked, evaluation, located)
        answered = answer_questions(asked, evaluation, located, found)
        scored, costs = score_chunks(asked, evaluation, located, found, answered), measure_index(asked, evaluation, located)
        metrics = log_metrics(name, evaluation, located, found, scored, costs)
        report_evaluation(name, evaluation, located, metrics)
        show_corpus_status(corpus)
    return metrics
