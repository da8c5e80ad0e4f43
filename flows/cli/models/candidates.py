"""Candidates: list them, compare one with the live generation, put one in its place, or give one up."""

from typing import TYPE_CHECKING, Annotated

import typer

from flows.cli.compare import comparison_as_json, say_comparison
from flows.cli.evaluate import run_evaluation
from flows.cli.output import CorpusOption, Json, say, say_json, say_table
from schemas.corpus import Corpus
from schemas.options.sections import EvaluateOptions

if TYPE_CHECKING:
    from tasks.evaluate.io.compare import EvaluationComparison

CandidateName = Annotated[str, typer.Argument(help="Name of the candidate, as given to refresh --candidate.")]
METRIC, CUTOFF = "recall", 5
"""The metric whose questions are shown, if it was measured at that cutoff."""


def register(application: typer.Typer) -> None:
    """Add the commands."""
    application.command("candidates")(candidates_command)
    application.command("switch")(switch_command)
    application.command("discard")(discard_command)


def candidates_command(corpus: CorpusOption, as_json: Json = False) -> None:
    """List the candidates of a corpus: built beside it by `pagemill refresh --candidate`, with another model or recipe."""
    from tasks.publish.io.candidates import describe_candidates

    rows = describe_candidates(corpus)
    if as_json:
        say_json(rows)
        return
    say_table(rows, ["candidate", "generation", "documents", "n_chunks", "state"], "no candidates")
    for row in rows:
        for change in row.get("changes", ()):
            say(f"{row['candidate']}: {change}")


def switch_command(
    name: CandidateName,
    corpus: CorpusOption,
    accept_differences: Annotated[
        bool, typer.Option("--accept-differences", help="Also if the candidate has other documents than the corpus.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Publish a candidate in the place of the live generation, at once. `pagemill rollback` goes back."""
    from tasks.publish.io.switch import switch

    outcome = switch(corpus, name, accept_differences)
    if as_json:
        say_json(outcome)
        return
    say(f"generation {outcome['generation']} is live: what was candidate {name}")
    for option, value in outcome["options"].items():
        say(f"from now on, refresh with {option} = {value}")
    say(f"to go back: pagemill rollback {outcome['base']}")


def discard_command(name: CandidateName, corpus: CorpusOption) -> None:
    """Delete a candidate, and what was computed for it alone. The corpus stays as it is."""
    from tasks.publish.io.candidates import discard_candidate

    discard_candidate(corpus, name)
    say(f"candidate {name} is deleted")


def evaluate_candidate(corpus: Corpus, name: str, questions: str, options: EvaluateOptions, as_json: bool) -> None:
    """Evaluate the live generation and a candidate with the same questions, and print how they differ, question by question."""
    from tasks.publish.io.candidates import find_candidate

    candidate = find_candidate(corpus, name)
    compared = compare_candidate(corpus, candidate, questions, options)
    if as_json:
        say_json(comparison_as_json(compared))
        return
    say_comparison(compared, ("the corpus: ", f"candidate {name}: "))


def compare_candidate(corpus: Corpus, candidate: Corpus, questions: str, options: EvaluateOptions) -> "EvaluationComparison":
    """Evaluate both, each in its own logs; return how the candidate differs from the corpus.

    Raises:
        CorpusError: one of them was never published.
        InputError: no question can be scored in both.
    """
    from flows.settings import chat_options
    from tasks.evaluate.io.compare import compare_across, find_by_run

    logged = []
    for one in (corpus, candidate):
        rows = run_evaluation(one, questions, options, chat_options({}))
        logged.append((one, find_by_run(one, rows[0]["run_id"])))
    cutoff = CUTOFF if CUTOFF in options.cutoffs else options.cutoffs[-1]
    return compare_across(logged[0], logged[1], METRIC, cutoff, options)
