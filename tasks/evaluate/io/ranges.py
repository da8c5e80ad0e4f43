"""Ranges: gold, results and chunks as ranges of tokens and of characters in published documents."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from schemas.hits import Hit
from tasks.evaluate.gold import Gold, Question
from tasks.evaluate.scoring import (
    Relevant,
    Retrieved,
    Scores,
    Span,
    first_within,
    score_characters,
    score_question,
    size,
    token_span,
)

if TYPE_CHECKING:
    from tasks.embed.io.tokenizer import Tokenizer

WORD = re.compile(r"\S+")


class Document(NamedTuple):
    """A published document that questions name."""

    document_id: str
    text: str


class Ranges:
    """Gold and hits as ranges. In a document without gold, a hit's tokens are a range from 0 with their number."""

    def __init__(self, tokenizer: "Tokenizer", documents: Mapping[str, Document], questions: Iterable[Question]) -> None:
        self._tokenizer = tokenizer
        self._documents = documents
        named = {gold.document for question in questions for gold in question.gold if gold.page is None}
        self._offsets = {documents[path].document_id: self._tokens(documents[path].text) for path in sorted(named)}
        self._lengths: dict[str, int] = {}

    def id_of(self, path: str) -> str:
        """Return the id of the document at `path`."""
        return self._documents[path].document_id

    def in_tokens(self, question: Question) -> Relevant:
        """Return what answers a question, with spans in tokens."""
        return self._relevant(question, lambda gold: [self.gold(gold)])

    def in_characters(self, question: Question) -> Relevant:
        """Return what answers a question, with spans in characters."""
        return self._relevant(question, lambda gold: [_span(gold)])

    def in_words(self, question: Question) -> Relevant:
        """Return what answers a question, with the spans in characters of its words: white space is not looked for."""
        return self._relevant(question, self._words)

    def _relevant(self, question: Question, spans_of: Any) -> Relevant:
        spans: dict[str, list[Span]] = {}
        for gold in question.gold:
            if gold.page is None:
                spans.setdefault(self.id_of(gold.document), []).extend(spans_of(gold))
        pages = {(self.id_of(gold.document), gold.page) for gold in question.gold if gold.page is not None}
        return Relevant(spans, pages, {self.id_of(path) for path in question.documents})

    def _words(self, gold: Gold) -> list[Span]:
        start, end = _span(gold)
        return [match.span() for match in WORD.finditer(self._documents[gold.document].text, start, end)]

    def gold(self, gold: Gold) -> Span:
        """Return the token range of a gold span."""
        return token_span(self._offsets[self.id_of(gold.document)], _span(gold))

    def hit(self, hit: Hit) -> Retrieved:
        """Return the token range of a result."""
        if hit.document_id in self._offsets:
            start, end = token_span(self._offsets[hit.document_id], (hit.start_char, hit.end_char))
            return Retrieved(hit.document_id, start, end, tuple(hit.pages))
        if hit.text not in self._lengths:
            self._lengths[hit.text] = len(self._tokens(hit.text))
        return Retrieved(hit.document_id, 0, self._lengths[hit.text], tuple(hit.pages))

    def _tokens(self, text: str) -> Any:
        offsets = np.array(self._tokenizer.offsets(text), dtype=np.int64).reshape(-1, 2)
        return offsets[offsets[:, 0] < offsets[:, 1]]


def _span(gold: Gold) -> Span:
    assert gold.start is not None and gold.end is not None
    return gold.start, gold.end


def characters_of(hit: Hit) -> Retrieved:
    """Return the range of characters of a result."""
    return Retrieved(hit.document_id, hit.start_char, hit.end_char, tuple(hit.pages))


def score_hits(question: Question, hits: Mapping[int, Sequence[Hit]], ranges: Ranges) -> Scores:
    """Return the scores of one question, by metric and cutoff, from its results for each cutoff."""
    in_tokens, in_characters = ranges.in_tokens(question), ranges.in_characters(question)
    scores: Scores = {}
    for k, found in hits.items():
        retrieved = [ranges.hit(hit) for hit in found]
        scores["tokens", k] = float(size(result.span for result in retrieved))
        scores |= score_question(in_tokens, retrieved, (k,))
        scores |= score_characters(in_characters, [characters_of(hit) for hit in found], (k,))
    return scores


def score_budget(question: Question, hits: Sequence[Hit], budget: int, ranges: Ranges) -> Scores:
    """Return the scores of the first `hits` that fit into `budget` tokens; the names of the metrics begin with budget_."""
    kept = first_within([ranges.hit(hit) for hit in hits], budget)
    scores = score_question(ranges.in_tokens(question), kept, (max(1, len(kept)),))
    return {(f"budget_{metric}", budget): value for (metric, _), value in scores.items()}
