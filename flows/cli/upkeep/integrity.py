"""`pagemill verify` and `pagemill repair`."""

from typing import Annotated

import typer

from flows.cli.output import CorpusOption, Json, print_json, print_line
from schemas.corpus import Corpus
from schemas.errors import DamageError


def add_integrity_commands(application: typer.Typer) -> None:
    """Add the commands."""
    for function in (verify, repair):
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
    from tasks.publish.integrity import describe_verification
    from tasks.publish.io.integrity.verify import record_missing_manifests, verify_corpus_and_candidates

    if record:
        record_missing_manifests(corpus)
    found = verify_corpus_and_candidates(corpus, deep)
    if as_json:
        print_json([one.as_values() for one in found])
    else:
        for one in found:
            for line in describe_verification(one):
                print_line(line)
    damaged = [one.corpus for one in found if not one.whole]
    if damaged:
        raise DamageError(f"{', '.join(damaged)}: damaged, see the findings")


def repair(
    corpus: CorpusOption,
    source: Annotated[
        str | None, typer.Option("--source", help="Folder of the documents: rows that are lost are computed again from it.")
    ] = None,
    accept_differences: Annotated[
        bool, typer.Option("--accept-differences", help="Publish what was computed again, also if it differs from what was lost.")
    ] = False,
    new_logs: Annotated[
        bool, typer.Option("--new-logs", help="Begin logs anew (metrics, questions and others) whose rows are lost.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Make anew what is damaged, as far as the rest of the corpus and the source allow; what is replaced is set aside.

    Indexes, tags and the table of generations come from what is whole; rows of documents are computed again, with what is staged.
    """
    done = run_repair(corpus, source, accept_differences, new_logs)
    if as_json:
        print_json({"corpus": str(corpus), "done": done})
        return
    for line in done or ["nothing is damaged"]:
        print_line(line)


def run_repair(corpus: Corpus, source: str | None, accept_differences: bool = False, new_logs: bool = False) -> list[str]:
    """Repair a corpus; return what was done, in words.

    Raises:
        CorpusError: it could not be repaired, or not all of it; says why, and what helps. The corpus is as it was, or better.
    """
    from tasks.publish.integrity import describe_verification
    from tasks.publish.io.integrity.repair import repair_corpus, replace_damaged_generation
    from tasks.publish.io.integrity.verify import verify_corpus

    mended = repair_corpus(corpus, new_logs)
    done = mended.done
    if mended.lost:
        if source is None:
            raise DamageError(_suggest_backup_or_rollback(corpus, mended.lost, mended.whole))
        rebuild_as_candidate(corpus, source)
        done += replace_damaged_generation(corpus, mended.lost, accept_differences)
    left = verify_corpus(corpus, deep=True)
    if not left.whole:
        raise DamageError(f"{'; '.join(done) or 'nothing was done'}; still damaged: {'; '.join(describe_verification(left))}")
    return done


def _suggest_backup_or_rollback(corpus: Corpus, lost: list[str], whole: list[int]) -> str:
    said = f"{corpus}: rows of {', '.join(lost)} are lost: give --source FOLDER to compute them again from the documents"
    back = f", or go back to a generation that is whole: pagemill rollback {whole[0]} --corpus {corpus.quoted}" if whole else ""
    return said + back


def rebuild_as_candidate(corpus: Corpus, source: str) -> None:
    """Build a candidate with the options of the live generation; what is staged is not computed again."""
    from flows.cli.refresh import run_refresh
    from schemas.options.sections import RefreshOptions
    from tasks.publish.io.candidates import place_candidate
    from tasks.publish.io.integrity.repair import CANDIDATE
    from tasks.store import published

    options = RefreshOptions.model_validate(published.read_live_generation(corpus).options)
    once = options.publish.model_copy(update={"rebuild": False, "release": False})
    candidate = place_candidate(corpus, CANDIDATE)
    run_refresh(source, candidate.uri, options.model_copy(update={"publish": once}), dry_run=False, url=None)


def describe_wholeness(corpus: Corpus) -> dict[str, str]:
    """Return what the last verification said, and what names and sizes say now."""
    from tasks.publish.io.integrity.verify import read_last_verification, verify_corpus

    last, now = read_last_verification(corpus), verify_corpus(corpus)
    said = [f"{finding.place} {finding.what}" for finding in now.findings if finding.is_damage]
    verified = f"{last['at']}, {'deep, ' if last['deep'] else ''}{'whole' if last['whole'] else 'damaged'}" if last else "never"
    shown = "whole (names and sizes)" if now.whole else f"damaged, run pagemill verify: {'; '.join(said[:3])}"
    return {"verified": verified, "files": shown}
