"""Candidates: list them, put one in the place of the live generation, or give one up."""

from typing import Annotated

import typer

from flows.cli.output import CorpusOption, Json, say, say_json, say_table

CandidateName = Annotated[str, typer.Argument(help="Name of the candidate, as given to refresh --candidate.")]


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
    from tasks.publish.io.switch import switch_to_candidate

    outcome = switch_to_candidate(corpus, name, accept_differences)
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
