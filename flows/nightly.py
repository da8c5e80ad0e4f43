"""Nightly: refresh a corpus and, if there are questions, evaluate it."""

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
    """Bring the corpus up to date; then evaluate it with the JSON-lines file `questions`, unless that is blank.

    If the refresh fails, the corpus is not changed and not evaluated. The evaluation has no schedule of its own, because the
    refresh could still be running then. It also follows a refresh without changes, in case an earlier evaluation failed.
    """
    state: Any = refresh(source, corpus, options, return_state=True)
    if state.is_completed() and questions.strip():
        evaluate(corpus, questions, evaluation)
    return state
