"""Deliver: bring a destination to the live generation, by what changed since the one that it holds, or from nothing."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from schemas.corpus import Corpus, is_in_store
from schemas.errors import InputError
from schemas.options.delivering import DestinationOptions
from tasks.deliver.io.changes import read_changes
from tasks.deliver.io.destination import Delivered, Delivery, Destination
from tasks.deliver.io.function import Function
from tasks.deliver.io.parquet import ParquetFolder
from tasks.deliver.io.postgres import PostgresTables
from tasks.publish.io.tags import list_restorable_generations
from tasks.store import published
from tasks.store.locks import hold_lock
from tasks.store.objects.paths import SCHEME, resolve_place
from tasks.store.published import Generation
from tasks.store.sources.logins import find_destination_login
from tasks.store.sources.places import resolve_source
from tasks.store.sources.remote_files import PLACES

DATABASE = "postgresql"
FUNCTION = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")


class Outcome(NamedTuple):
    """A destination holds `generation` now, and was brought there from generation `since`; 0: from nothing."""

    destination: str
    since: int
    generation: int


def deliver_live_generation(corpus: Corpus, name: str, options: DestinationOptions, whole: bool = False) -> Outcome:
    """Bring the destination `name` to the live generation; with `whole`, or where it cannot be gone on from, from nothing.

    Raises:
        InputError: the destination is wrong, or holds another corpus and not `whole`.
        ConflictError: another process delivers there.
        CorpusError: nothing is published, or it cannot be read.
        StoreError: the destination refuses, or does not answer.
    """
    destination, place = _open_destination(corpus, name, options), resolve_place(corpus.uri)
    with hold_lock(corpus.lock(f"deliver-{name}"), 0, f"a delivery of {corpus} to {name}"):
        live, before = published.read_live_generation(corpus), destination.read_delivered()
        if before and before.corpus != place and not whole:
            raise InputError(
                f"deliver.{name}: {options.to} holds generation {before.generation} of another corpus, {before.corpus}: name "
                "another place, or replace what is there with --whole"
            )
        stops = [] if before is None or whole else _find_stops(before, live, list_restorable_generations(corpus), options)
        since = at = stops[0].generation if stops else 0
        for stop in stops[1:] or [live]:
            if stop.generation != at:
                said = Delivered(corpus=place, generation=stop.generation, run_id=stop.run_id, tables=options.tables)
                changes = read_changes(corpus, at, stop.generation, rows=True, names=options.tables)
                destination.apply(Delivery(corpus, stop, changes, said))
                at = stop.generation
    return Outcome(name, since, live.generation)


def _find_stops(before: Delivered, live: Generation, kept: Sequence[Generation], options: DestinationOptions) -> list[Generation]:
    """Return the generations that lead from what a destination holds to the live one; none if there is no way.

    One that a killed process had begun comes between: what it brought must be known before it can be taken away.
    """
    known = {found.generation: found for found in kept}
    numbers = [before.generation, *([before.begun] if before.begun else []), live.generation]
    if not {*numbers} <= known.keys() or known[before.generation].run_id != before.run_id or before.tables != options.tables:
        return []
    return [known[number] for number in numbers]


def resolve_destination(to: str, folder: str) -> str:
    """Return the one name of a place, whatever it is called; a path is relative to `folder`. A function keeps its name.

    Raises:
        InputError: nothing can be written to places of the kind, or there is a password in it.
    """
    if FUNCTION.fullmatch(to):
        return to
    place = resolve_source(to, folder)
    scheme = place.partition("://")[0] if is_in_store(place) else ""
    if scheme not in ("", SCHEME, DATABASE, *PLACES) or scheme == "github":
        raise InputError(f"nothing can be delivered to {scheme}://: see docs/delivery.md")
    return place


def _open_destination(corpus: Corpus, name: str, options: DestinationOptions) -> Destination:
    if FUNCTION.fullmatch(options.to):
        return Function(corpus, name, options.to)
    login = find_destination_login(name)
    if options.to.startswith(f"{DATABASE}://"):
        return PostgresTables(options.to, login, options.database_schema)
    return ParquetFolder(options.to, login)
