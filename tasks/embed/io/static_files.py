"""The files of static vectors, in the forms of model2vec, of sentence-transformers and of wordllama."""

import json
from pathlib import Path
from typing import Any, NamedTuple

from schemas.errors import InputError

PLACES = ("", "0_StaticEmbedding", "weights")
"""Folders in which the vectors may lie: model2vec's, that of sentence-transformers, that of wordllama's package."""
MODEL2VEC, WORDLLAMA = "embeddings", "embedding.weight"
"""What the table of vectors is called. sentence-transformers calls it as wordllama does."""
OTHER_PARTS = {"weights", "mapping"}
"""What model2vec keeps beside its vectors: a factor for each token, and the row of each token."""
MOST_TOKENS = 1_000_000
"""A mean has no limit; what model2vec says is this or more."""
_MOST_HEADER = 1 << 20


class StaticFiles(NamedTuple):
    """The files of a model, the name of its table and the table's shape: vectors, and numbers in each."""

    weights: Path
    tokenizer: Path
    table: str
    shape: tuple[int, int]


def static_files(folder: Path) -> StaticFiles | None:
    """Return the files of static vectors in `folder`; None if it holds no static vectors.

    Raises:
        InputError: it holds several, or their tokenizer is missing.
    """
    tables = [(path, *table) for path in _candidates(folder) if (table := _table(path))]
    if not tables:
        return None
    if len(tables) > 1:
        names = ", ".join(str(path.relative_to(folder)) for path, _, _ in tables)
        raise InputError(f"{folder} holds several tables of static vectors ({names}): give a folder with one of them")
    [(weights, name, shape)] = tables
    return StaticFiles(weights, _tokenizer(folder, weights.parent), name, shape)


def _candidates(folder: Path) -> list[Path]:
    return [path for place in PLACES for path in sorted((folder / place).glob("*.safetensors"))]


def _table(path: Path) -> tuple[str, tuple[int, int]] | None:
    """Return the name and the shape of the table of vectors in a file that holds nothing else."""
    header = {name: part for name, part in _header(path).items() if name != "__metadata__"}
    for name, others in ((MODEL2VEC, OTHER_PARTS), (WORDLLAMA, set[str]())):
        if name in header and set(header) <= {name, *others}:
            shape = header[name].get("shape", [])
            return (name, (shape[0], shape[1])) if len(shape) == 2 else None
    return None


def _header(path: Path) -> dict[str, Any]:
    """Return the header of a safetensors file; nothing if it is damaged, or longer than that of any table: others tell of it."""
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if length > _MOST_HEADER:
            return {}
        try:
            found = json.loads(file.read(length))
        except ValueError:
            return {}
    return found if isinstance(found, dict) else {}


def _tokenizer(folder: Path, beside: Path) -> Path:
    """Return the file of the tokenizer. wordllama's is named after its vectors."""
    plain = [place / "tokenizer.json" for place in (beside, folder)]
    named = [path for place in (folder, folder / "tokenizers") for path in sorted(place.glob("*_tokenizer_config.json"))]
    for path in (*plain, *named):
        if path.is_file():
            return path
    raise InputError(f"{folder} has static vectors, but neither tokenizer.json nor *_tokenizer_config.json: copy the whole model")
