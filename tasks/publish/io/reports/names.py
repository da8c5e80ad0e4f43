"""Names of a corpus: for people, and for its artifacts in the Prefect UI."""

import os
import re
import unicodedata
from pathlib import Path

from schemas.ids import digest
from schemas.shown import plain

SLUG_CHARS = 40


def corpus_name(corpus: str) -> str:
    """Return the name of a corpus for people: the name of its folder.

    >>> corpus_name("/data/Annual Reports/")
    'Annual Reports'
    """
    return plain(Path(os.path.abspath(corpus)).name) or "corpus"


def artifact_key(kind: str, corpus: str) -> str:
    """Return the key of an artifact of one corpus. Corpora whose folders have the same name get different keys.

    >>> artifact_key("refresh-summary", "/data/Annual Reports")
    'refresh-summary-annual-reports-ef6f10'
    """
    name = unicodedata.normalize("NFKD", corpus_name(corpus)).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", name)[:SLUG_CHARS].strip("-") or "corpus"
    return f"{kind}-{slug}-{digest(os.path.realpath(corpus))[:6]}"
