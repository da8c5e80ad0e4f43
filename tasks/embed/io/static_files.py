"""The files of static vectors, in the forms of model2vec, of sentence-transformers and of wordllama."""

from pathlib import Path
from typing import NamedTuple

from schemas.errors import InputError
from tasks.embed.io.model_folders import read_header

PLACES = ("", "0_StaticEmbedding", "weights")
"""Folders in which the vectors may lie: model2vec's, that of sentence-transformers, that of wordllama's package."""
MODEL2VEC, WORDLLAMA = "embeddings", "embedding.weight"
"""What the table of vectors is called. sentence-transformers calls it as wordllama does."""
OTHER_PARTS = {"weights", "mapping"}
"""What model2vec keeps beside its vectors: a factor for each token, and the row of each token."""
MOST_TOKENS = 1_000_000
"""A mean has no limit; what model2vec says is this or more."""


class StaticFiles(NamedTuple):
    """The files of a model, the name of its table and the table's shape: vectors, and numbers in each."""

    weights: Path
    tokenizer: Path
    table: str
    shape: tuple[int, int]


def find_static_files(folder: Path) -> StaticFiles | None:
    """Return the files of static vectors in `folder`; None if it holds no static vectors.

    Raises:
        InputError: it holds several, or their tokenizer is missing.
    """
    tables = [(path, *table) for path in _list_candidates(folder) if (table := _read_table_shape(path))]
    if not tables:
        return None
    if len(tables) > 1:
        names = ", ".join(str(path.relative_to(folder)) for path, _, _ in tables)
        raise InputError(f"{folder} holds several tables of static vectors ({names}): give a folder with one of them")
    [(weights, name, shape)] = tables
    return StaticFiles(weights, _find_tokenizer(folder, weights.parent), name, shape)


def _list_candidates(folder: Path) -> list[Path]:
    return [path for place in PLACES for path in sorted((folder / place).glob("*.safetensors"))]


def _read_table_shape(path: Path) -> tuple[str, tuple[int, int]] | None:
    """Return the name and the shape of the table of vectors in a file that holds nothing else."""
    try:
        header, _ = read_header(path)
    except ValueError:  # others tell of it
        return None
    for name, others in ((MODEL2VEC, OTHER_PARTS), (WORDLLAMA, set[str]())):
        if name in header and set(header) <= {name, *others}:
            shape = header[name].get("shape", [])
            return (name, (shape[0], shape[1])) if len(shape) == 2 else None
    return None


def _find_tokenizer(folder: Path, beside: Path) -> Path:
    """Return the file of the tokenizer. wordllama's is named after its vectors."""
    plain = [place / "tokenizer.json" for place in (beside, folder)]
    named = [path for place in (folder, folder / "tokenizers") for path in sorted(place.glob("*_tokenizer_config.json"))]
    for path in (*plain, *named):
        if path.is_file():
            return path
    raise InputError(f"{folder} has static vectors, but neither tokenizer.json nor *_tokenizer_config.json: copy the whole model")
