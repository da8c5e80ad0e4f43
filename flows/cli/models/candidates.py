"""Candidates: list them, put one in the place of the live generation, or give one up."""

from typing import Annotated

import typer

from flows.cli.output import As, CorpusOption, Json, print_json, print_line, print_rows

CandidateName = Annotated[str, typer.Argument(help="Name of the candidate, as given to refresh --candidate.")]


def add_candidate_commands(application: typer.Typer) -> None:
    """Add the commands."""
    application.command("candidates")(list_candidates_command)
    application.command("switch")(switch_to_candidate_command)
    application.command("discard")(discard_candidate_command)


def list_candidates_command(corpus: CorpusOption, asker: As = None, as_json: Json = False) -> None:
    """List the candidates of a corpus: built beside it by `pagemill refresh --candidate`, with another model or recipe."""
    from tasks.publish.io.candidates import describe_candidates
    from tasks.store.access import check_owner

    check_owner(corpus, asker)
    rows = describe_candidates(corpus)
    print_rows(rows, as_json, ["candidate", "generation", "documents", "n_chunks", "state"], "no candidates")
    for row in rows:
        for change in row.get("changes", ()):
            print_line(f"{row['candidate']}: {change}")


def switch_to_candidate_command(
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
        print_json(outcome)
        return
    print_line(f"generation {outcome['generation']} is live: what was candidate {name}")
    for option, value in outcome["options"].items():
        print_line(f"from now on, refresh with {option} = {value}")
    print_line(f"to go back: pagemill rollback {outcome['base']} --corpus {corpus.quoted}")


def discard_candidate_command(name: CandidateName, corpus: CorpusOption, as_json: Json = False) -> None:
    """Delete a candidate, and what was computed for it alone. The corpus stays as it is."""
    from tasks.publish.io.candidates import discard_candidate

    discard_candidate(corpus, name)
    print_json({"discarded": name}) if as_json else print_line(f"candidate {name} is deleted")
