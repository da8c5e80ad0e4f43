"""The command that delivers the live generation."""

import logging
from typing import TYPE_CHECKING, Annotated

import typer

from flows.cli.output import CorpusOption, Json, print_json, print_line
from schemas.errors import InputError, PagemillError

if TYPE_CHECKING:
    from tasks.deliver.io.deliver import Outcome

logger = logging.getLogger(__name__)


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
    them in the corpus. One that fails keeps no other from it.
    """
    from flows.settings import choose_destinations, configure_object_store
    from tasks.deliver.io.deliver import deliver_live_generation

    destinations = choose_destinations(name)
    if not destinations:
        raise InputError("pagemill.toml names no destination: write a section [deliver.NAME], see docs/delivery.md")
    configure_object_store(*(options.to for options in destinations.values()))
    told: list[dict[str, object]] = []
    for destination, options in destinations.items():
        try:
            outcome = deliver_live_generation(corpus, destination, options, whole)
        except (PagemillError, OSError) as error:
            logger.error("%s: %s", destination, error)
            told.append({"destination": destination, "error": str(error)})
            continue
        told.append(outcome._asdict())
        if not as_json:
            print_line(describe_outcome(outcome))
    if as_json:
        print_json(told)
    if any("error" in one for one in told):
        raise typer.Exit(1)


def describe_outcome(outcome: "Outcome") -> str:
    """Return what a delivery did, as a line."""
    name, since, generation = outcome
    if since == generation:
        return f"{name}: holds generation {generation} already"
    return f"{name}: generation {generation} was delivered, {f'from generation {since}' if since else 'whole'}"
