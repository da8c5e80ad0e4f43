"""Cloze: sentences with a gap, for a number, a name or a long word."""

import re
from collections.abc import Iterable, Iterator

from tasks.chunk.sentences import sentence_spans
from tasks.evaluate.questions.generated import Document, GeneratedQuestion
from tasks.evaluate.scoring import Span

ORIGIN = "generated: cloze"
GAP = "____"
SHORTEST, LONGEST = 40, 300
"""Lengths of a sentence, in characters."""
FEWEST_WORDS = 7
MOST_REPEATS = 10
"""How often the document may have the words of a gap."""
LONG_WORD = 7
"""Letters of a word that may be the gap if there is no number and no name."""

_NUMBER = re.compile(r"(?<![\w.,])[$€£]?\d[\d.,]*\d%?(?![\w])")
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]{2,}(?: [A-Z][a-z]+)*\b")
_WORD = re.compile(rf"\b[a-z]{{{LONG_WORD},}}\b")
_SENTENCE = re.compile(r"[A-Z0-9“\"][^{}<>|\\]*[.!]\Z")


def cloze_questions(document: Document, paragraphs: Iterable[Span]) -> Iterator[GeneratedQuestion]:
    """Yield a question for each of the paragraphs, in their order, that has a sentence with something to leave out."""
    for low, high in paragraphs:
        for start, end in sentence_spans(document.text, low, high):
            sentence = document.text[start:end].strip()
            if gap := _find_gap(sentence, document.text):
                kind, (at, to) = gap
                shown = " ".join(f"{sentence[:at]}{GAP}{sentence[to:]}".split())
                begin = document.text.index(sentence, start)
                question = f"Which {kind} fills the gap in “{shown}”?"
                yield GeneratedQuestion(document.path, question, (begin, begin + len(sentence)), sentence[at:to], ORIGIN)
                break


def _find_gap(sentence: str, text: str) -> tuple[str, Span] | None:
    """Return what is left out and its span: the last number, else the longest name, else the longest word.

    It stands once in the sentence, and seldom in the text.
    """
    if not SHORTEST <= len(sentence) <= LONGEST or len(sentence.split()) < FEWEST_WORDS or not _SENTENCE.match(sentence):
        return None
    for kind, pattern in (("number", _NUMBER), ("name", _NAME), ("word", _WORD)):
        found = sorted(pattern.finditer(sentence), key=lambda match: match.start() if kind == "number" else len(match.group()))
        for match in reversed(found):
            if sentence.count(match.group()) == 1 and text.count(match.group()) <= MOST_REPEATS:
                return kind, match.span()
    return None
