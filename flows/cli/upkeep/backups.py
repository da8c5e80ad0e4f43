"""`pagemill backup` and `pagemill restore`."""

from typing import Annotated

import typer

from flows.cli.output import CorpusOption, Json, print_json, print_line
from schemas.corpus import Corpus

Target = Annotated[str, typer.Argument(help="Folder, or s3://bucket/prefix, that holds backups of one corpus.")]


def add_backup_commands(application: typer.Typer) -> None:
    """Add the commands."""
    for function in (backup, restore):
        application.command()(function)


def backup(
    target: Target,
    corpus: CorpusOption,
    keep: Annotated[int, typer.Option(min=1, help="Backups that stay; older ones are deleted.")] = 7,
    check: Annotated[bool, typer.Option("--check", help="Read again what TARGET has, and copy again what is damaged.")] = False,
    as_json: Json = False,
) -> None:
    """Copy the live generation and the logs of a corpus to TARGET, also while a refresh runs.

    What TARGET has already is not copied again. Staged files and candidates are left out: they only save computing.
    """
    from flows.settings import configure_object_store
    from tasks.publish.io.backups.backup import back_up_corpus

    configure_object_store(target)
    done = back_up_corpus(corpus, target, keep, check)
    if as_json:
        print_json(done)
        return
    size = f"{done['files']} files, {done['bytes'] / 2**20:.1f} MiB"
    print_line(f"backup {done['backup']}: generation {done['generation']} of {corpus}, {size}")
    print_line(
        f"copied and read again: {done['copied_files']} files, {done['copied_bytes'] / 2**20:.1f} MiB; the others were there"
    )


def restore(
    target: Target,
    corpus: Annotated[str, typer.Argument(help="Folder of the corpus to make; it must be new or empty.")],
    name: Annotated[str, typer.Option("--backup", help="Name of the backup; by default the newest.")] = "",
    as_json: Json = False,
) -> None:
    """Make a corpus of a backup; it is there once every file was read again."""
    from flows.settings import configure_object_store
    from tasks.publish.io.backups.restore import restore_backup as make

    configure_object_store(target, corpus)
    done = make(target, Corpus(corpus), name)
    size = f"{done['files']} files, {done['bytes'] / 2**20:.1f} MiB, each read again"
    print_json(done) if as_json else print_line(f"{corpus} is generation {done['generation']} of backup {done['backup']}: {size}")
