"""An endpoint for vectors on the loopback: vectors made of the words of a text, and whatever may go wrong on the way."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from typing import Any

import numpy as np

from tests.chat_endpoint import ChatEndpoint, Reply, playing

Rows = Sequence[Sequence[float | None]]


def vector_of(text: str, dimension: int) -> list[float]:
    """Return the sum of a vector for each word, which chance gives it: texts with common words are near to each other."""
    found = np.zeros(dimension)
    for word in text.lower().replace(".", " ").split() or ["blank"]:
        seed = int.from_bytes(blake2b(word.encode(), digest_size=4).digest(), "big")
        found += np.random.default_rng(seed).normal(size=dimension)
    made: list[float] = found.tolist()
    return made


def answered(rows: Rows, order: Sequence[int] | None = None) -> Reply:
    """Return a response with a vector for each text, in another `order` if one is given."""
    items = [{"object": "embedding", "index": at, "embedding": list(row)} for at, row in enumerate(rows)]
    data = [items[at] for at in order] if order is not None else items
    return Reply(json.dumps({"object": "list", "data": data, "usage": {"prompt_tokens": 1}}).encode())


class VectorEndpoint(ChatEndpoint):
    """Answers as embedders do. First come the replies of `script`, then what `odd` returns of the texts, unless it is None."""

    def __init__(self, *script: Reply, dimension: int = 8, odd: Callable[[list[str]], Reply | None] = lambda texts: None) -> None:
        super().__init__(*script)
        self.dimension, self.odd = dimension, odd

    def reply(self, body: Mapping[str, Any]) -> Reply:
        """Return the next reply of the script, or vectors."""
        if self.script:
            return self.script.pop(0)
        texts, size = list(body["input"]), int(body.get("dimensions") or self.dimension)
        return self.odd(texts) or answered([vector_of(text, self.dimension)[:size] for text in texts])

    @property
    def texts(self) -> list[list[str]]:
        """The texts of every call."""
        return [one["input"] for one in self.asked]


@contextmanager
def serving(*script: Reply, **own: Any) -> Iterator[VectorEndpoint]:
    """Serve vectors for the length of the block."""
    served = VectorEndpoint(*script, **own)
    with playing(endpoint=served):
        yield served
