"""Plausible words: whether what OCR read is text, or nonsense from a picture or a script that it was not told of."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from tasks.parse.layout.words import Word
from tasks.parse.scans.words import OcrWord, ScannedWord, mean_confidence

NONSENSE = 0.5
"""Words with at most this mean confidence of a letter are nonsense.

Measured on 167 readings of pages and photographs whose words are known or that have none, in 13 languages and 11 scripts: manuals
of Debian (two sources) and translated messages, at 150 to 300 dpi with noise and skew; newspapers and receipts of the bench's ocr
folder; its pages, rasterised; photographs. The words of text agree with the truth by 0.6 and more (F1), those of nonsense by
less than 0.4. Of the readings above 0.5, 0.967 are text, and all text is above; of those below, all are nonsense, and 0.917 of
nonsense is below: the rest is Vietnamese read without its accents, and English read as Russian. Chosen without one of the six
sources, the threshold is 0.5 to 0.6, and as right on that source."""
MIN_PART = 0.1
"""Smallest share of a page's letters that counts as a part in a script of its own: a page number or a name is less."""

LETTERS = 3
"""Fewest letters of a word that can be nonsense by itself: marks and numbers are often read as shorter ones."""


def is_nonsense(words: Sequence[OcrWord]) -> bool:
    """Return whether the words that OCR read in a picture are no text; True for no words."""
    return mean_confidence(words) <= NONSENSE


def unread_share(words: Sequence[OcrWord]) -> float:
    """Return the share of the letters on a page that are in words which are nonsense by themselves, in [0, 1]."""
    doubtful = sum(
        len(word.text) for word in words if word.confidence <= NONSENSE and sum(map(str.isalpha, word.text)) >= LETTERS
    )
    return doubtful / max(sum(len(word.text) for word in words), 1)


def nonsense_in(seen: Sequence[ScannedWord]) -> frozenset[Word]:
    """Return the words of those paragraphs on a page that are nonsense.

    A paragraph is long enough to judge: by lines, three times as many letters of true text would go.
    """
    letters: dict[int, int] = defaultdict(int)
    sure: dict[int, float] = defaultdict(float)
    for word, confidence, _ in seen:
        n = sum(map(str.isalnum, word.text))
        letters[word.block] += n
        sure[word.block] += confidence * n
    return frozenset(word for word, *_ in seen if sure[word.block] <= NONSENSE * letters[word.block])


def share_of(part: Iterable[Word], seen: Sequence[ScannedWord]) -> float:
    """Return the share of the letters of `seen` that are in the words of `part`, in [0, 1]."""
    whole = sum(len(word.text) for word, *_ in seen)
    return sum(len(word.text) for word in part) / whole if whole else 0.0
