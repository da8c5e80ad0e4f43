"""The lengths of the published chunks, kept beside the tables, so that a refresh reads only the chunks that it replaces."""

from pydantic import BaseModel, ValidationError

from expectations.lengths import Lengths
from schemas.corpus import Corpus
from tasks.store import files


class SavedLengths(BaseModel):
    """The lengths of the chunks at one version of their table."""

    version: int
    lengths: Lengths


def save_lengths(corpus: Corpus, version: int, lengths: Lengths) -> None:
    """Keep the lengths of the chunks at a version of their table; those of other versions are forgotten."""
    files.put(corpus.marker("lengths.json"), SavedLengths(version=version, lengths=lengths).model_dump_json().encode())


def load_lengths(corpus: Corpus, version: int) -> Lengths | None:
    """Return the lengths of the chunks at a version of their table, or None if they were not kept."""
    try:
        kept = SavedLengths.model_validate_json(corpus.marker("lengths.json").read_bytes())
    except (FileNotFoundError, ValidationError):  # lost or damaged: all chunks are read once
        return None
    return kept.lengths if kept.version == version else None
