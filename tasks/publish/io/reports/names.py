"""Names of a corpus: for people, and for its artifacts in the Prefect UI."""

import os
import re
import unicodedata
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from schemas.corpus import Corpus, is_in_store
from schemas.ids import digest
from schemas.shown import plain
from tasks.store.objects.paths import resolve_place

SLUG_CHARS = 40


def name_corpus(corpus: str) -> str:
    """Return the name of a corpus for people: the name of its folder.

    >>> name_corpus("/data/Annual Reports/"), name_corpus("/data/notes/.pagemill/candidates/e5")
    ('Annual Reports', 'notes, candidate e5')
    """
    home = Corpus(_make_place_absolute(corpus)).home
    if home:
        return f"{name_corpus(home.uri)}, candidate {plain(Path(corpus).name)}"
    return plain(Path(_make_place_absolute(corpus)).name) or "corpus"


def name_source(source: str) -> str:
    """Return the name of a source for people: the name of its folder, or else its host.

    >>> name_source("/data/Annual Reports"), name_source("sftp://ada@files/docs/annual"), name_source("https://files/")
    ('Annual Reports', 'annual', 'files')
    """
    if not is_in_store(source):
        return name_corpus(source)
    url = urlsplit(source)
    return plain(PurePosixPath(unquote(url.path)).name or url.hostname or source)


def make_artifact_key(kind: str, corpus: str) -> str:
    """Return the key of an artifact of one corpus. Corpora whose folders have the same name get different keys.

    >>> make_artifact_key("refresh-summary", "/data/Annual Reports")
    'refresh-summary-annual-reports-ef6f10'

    That of a candidate ends as that of its corpus does.

    >>> make_artifact_key("refresh-summary", "/data/Annual Reports/.pagemill/candidates/E5")
    'refresh-summary-e5-annual-reports-ef6f10'
    """
    home = Corpus(_make_place_absolute(corpus)).home
    if home:
        return make_artifact_key(f"{kind}-{_make_slug(Path(corpus).name)}", home.uri)
    return f"{kind}-{_make_slug(name_corpus(corpus))}-{digest(resolve_place(corpus))[:6]}"


def _make_place_absolute(corpus: str) -> str:
    return corpus.rstrip("/") if is_in_store(corpus) else os.path.abspath(corpus)


def _make_slug(name: str) -> str:
    ascii_name = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", ascii_name)[:SLUG_CHARS].strip("-") or "corpus"
