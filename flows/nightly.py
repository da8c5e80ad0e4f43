"""Nightly: refresh a corpus and, when questions are named, measure how well what is live answers them."""

from typing import Any

from prefect import flow

from flows.evaluate import evaluate
from flows.refresh import refresh
from schemas.options.sections import EvaluateOptions, RefreshOptions


@flow(name="nightly", flow_run_name="night of {corpus}")
def nightly(
    source: str,
    corpus: str,
    questions: str = "",
    options: RefreshOptions | None = None,
    evaluation: EvaluateOptions | None = None,
) -> Any:
    """Bring the corpus up to date; then score it with the JSON-lines file `questions`, unless that is blank.

    A refresh that fails leaves the corpus as it was, and nothing is scored. The evaluation has no hour of its own, at which the
    refresh might still be under way. It follows also a refresh that found nothing to do: one that failed is made up for.
    """
    state: Any = refresh(source, corpus, options, return_state=True)
    if state.is_completed() and questions.strip():
        evaluate(corpus, questions, evaluation)
    return state
