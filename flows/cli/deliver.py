"""The command that delivers the live generation."""

from typing import Annotated

import typer

from flows.cli.output import CorpusOption, Json, print_json, print_line
from schemas.errors import InputError


def add_deliver_command(application: typer.Typer) -> None:
    """Add the command."""
    application.command()(deliver)


def deliver(
    corpus: CorpusOption,
    name: Annotated[str, typer.Argument(help="Destination, as pagemill.toml calls it; by default, all of them.")] = "",
    whole: Annotated[
        bool, typer.Option("--whole", help="Replace what is there, whatever it is, instead of bringing what changed.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Bring the destinations that pagemill.toml names up to the live generation.

    What is delivered is what changed since the generation that the destination holds. It holds all documents, whoever may read
    them in the corpus.
    """
    from flows.settings import choose_destinations, configure_object_store
    from tasks.deliver.io.deliver import deliver_live_generation

    destinations = choose_destinations(name)
    if not destinations:
        raise InputError("pagemill.toml names no destination: write a section [deliver.NAME], see docs/delivery.md")
    configure_object_store(*(options.to for options in destinations.values()))
    outcomes = [deliver_live_generation(corpus, destination, options, whole) for destination, options in destinations.items()]
    if as_json:
        print_json([outcome._asdict() for outcome in outcomes])
        return
    for found in outcomes:
        how = f"from generation {found.since}" if found.since else "whole"
        print_line(
            f"{found.destination}: holds generation {found.generation} already"
            if found.since == found.generation
            else f"{found.destination}: generation {found.generation} was delivered, {how}"
        )
