"""Texts for large corpora: the sentences of manuals, as they follow each other and, beyond that, drawn anew."""

import html
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, repeat

from benchmarks.debian import unpack_package

PACKAGES = ("postgresql-doc-15", "sqlite3-doc", "git-doc", "python3.11-doc", "anarchism", "apache2-doc")
ENGLISH = re.compile(r"\.html(\.en)?(\.gz)?$")
BLOCK_ENDS = re.compile(r"(?i)</(?:p|li|h\d|pre|td|dd|dt|div)>")
OUTSIDE = re.compile(r"(?is)<(script|style|head)\b.*?</\1>|<[^>]+>")
SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
CHUNK_CHARS = 500
"""About 128 tokens, as chunks have them by default."""
LEAST_SENTENCE = 25


def sentences() -> list[str]:
    """Return the sentences of the manuals, in order; equal ones once."""
    found: dict[str, None] = {}
    for name in PACKAGES:
        for path in sorted(unpack_package(name).rglob("*.html*")):
            if not ENGLISH.search(path.name) or path.is_symlink():
                continue
            for block in BLOCK_ENDS.split(path.read_text(encoding="utf-8", errors="replace")):
                text = " ".join(html.unescape(OUTSIDE.sub(" ", block)).split())
                found.update((part, None) for part in SENTENCE_END.split(text) if LEAST_SENTENCE < len(part) < CHUNK_CHARS)
    return list(found)


def chunks(known: Sequence[str], n: int) -> Iterator[list[str]]:
    """Yield the sentences of `n` chunks: those `known` in order, then some drawn from all of them."""
    dice = random.Random(0)
    drawn = map(dice.choice, repeat(known))
    return islice(chain(_chunks(known), _chunks(drawn)), n)


def _chunks(source: Iterable[str]) -> Iterator[list[str]]:
    waiting: list[str] = []
    for sentence in source:
        waiting.append(sentence)
        if sum(map(len, waiting)) > CHUNK_CHARS - 50:
            yield waiting
            waiting = []


def questions(texts: list[str], n: int) -> list[str]:
    """Return questions that one of the texts answers: some words of one of its sentences, in order."""
    dice = random.Random(1)
    found: list[str] = []
    while len(found) < n:
        words = dice.choice(SENTENCE_END.split(dice.choice(texts))).split()
        if len(words) >= 8:
            found.append("What about " + " ".join(word.strip(".,;:()") for word in words[: dice.randint(8, 14)]) + "?")
    return found
