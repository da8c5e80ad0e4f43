"""`pagemill verify` and `pagemill repair`."""

from typing import Annotated

import typer

from flows.cli.output import CorpusOption, Json, say, say_json
from schemas.corpus import Corpus
from schemas.errors import DamageError


def register(application: typer.Typer) -> None:
    """Add the commands."""
    for function in (verify,):
        application.command()(function)


def verify(
    corpus: CorpusOption,
    deep: Annotated[bool, typer.Option("--deep", help="Read all bytes: digests, keys, texts, vectors, indexes.")] = False,
    record: Annotated[
        bool, typer.Option("--record", help="Take the files of generations that have no manifest as they are, and make one.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Check that every file that the corpus and its candidates need is there and as it was written. Exits with 1 if not."""
    from tasks.publish.integrity import lines
    from tasks.publish.io.integrity.verify import record_missing, verify_all

    if record:
        record_missing(corpus)
    found = verify_all(corpus, deep)
    if as_json:
        say_json([one.as_values() for one in found])
    else:
        for one in found:
            for line in lines(one):
                say(line)
    damaged = [one.corpus for one in found if not one.whole]
    if damaged:
        raise DamageError(f"{', '.join(damaged)}: damaged, see the findings")


def wholeness(corpus: Corpus) -> dict[str, str]:
    """Return what the last verification said, and what names and sizes say now."""
    from tasks.publish.io.integrity.verify import last_verification, verify

    last, now = last_verification(corpus), verify(corpus)
    said = [f"{finding.place} {finding.what}" for finding in now.findings if finding.damage]
    told = f"{last['at']}, {'deep, ' if last['deep'] else ''}{'whole' if last['whole'] else 'damaged'}" if last else "never"
    shown = "whole (names and sizes)" if now.whole else f"damaged, run pagemill verify: {'; '.join(said[:3])}"
    return {"verified": told, "files": shown}
