"""Setting aside: what is damaged is kept in `.pagemill/damaged`, where nothing reads it, before it is made anew."""

import os
from collections.abc import Iterable
from pathlib import Path

from schemas.corpus import Corpus
from tasks.store import files
from tasks.store.integrity.digests import list_below
from tasks.store.integrity.rest import DAMAGED, record_path
from tasks.store.objects.place import StorePath


def folder_of(corpus: Corpus, run_id: str) -> Path:
    """Return where a repair sets aside what it replaces."""
    return corpus.private / DAMAGED / run_id


def set_aside(corpus: Corpus, run_id: str, paths: Iterable[str], keep: bool = False) -> list[str]:
    """Move files of a corpus to where nothing reads them, or copy them, to `keep` them too; return those that were there."""
    found = [path for path in dict.fromkeys(paths) if (corpus.folder / path).is_file()]
    for path in found:
        source, target = corpus.folder / path, folder_of(corpus, run_id) / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(source, StorePath) or keep:
            files.link(source, target)
        else:
            os.replace(source, target)
        if isinstance(source, StorePath) and not keep:
            source.unlink()
    return found


def set_table_aside(corpus: Corpus, run_id: str, name: str) -> None:
    """Move all of a table away."""
    set_aside(corpus, run_id, list_below(corpus, [f"{name}.lance"]))
    if not corpus.in_store and corpus.table(name).exists():
        for at, _, _ in os.walk(corpus.table(name), topdown=False):
            os.rmdir(at)


def forget_record(corpus: Corpus) -> None:
    """Let all that no manifest names be recorded anew."""
    record_path(corpus).unlink(missing_ok=True)
