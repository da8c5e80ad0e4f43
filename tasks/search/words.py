"""Words of questions, names and chunks, and what each weighs by how few texts have it (idf)."""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache, reduce
from itertools import pairwise

import pyarrow as pa
import pyarrow.compute as pc

from tasks.language.words import is_unspaced_writing, split_letter_pairs

STEM_CHARS = 6
"""Words are compared by their first letters, this many: forms of one word are equal, and most different words are not."""
FUNCTION_WORDS = frozenset(
    "a an and are as at be but by for from had has have how if in into is it its of on or that the their there these they "
    "this to was were what when where which who whom whose why will with would do does did can could should about than then "
    "i you he she we me my your his her our us them not no so such some any".split()
)
"""Common English words of questions. Common words of other languages count little anyway, because they are frequent."""
REMEMBERED = 16_384
"""Texts whose stems are remembered: an evaluation finds the same sentences for many questions."""

_WORD = re.compile(r"\w+")
_CUTS = (
    (r"(\d)-(\pL)", r"\1\2"),
    (r"(\p{Ll})(\p{Lu})", r"\1 \2"),
    (r"(\pL)((?:19|20)\d\d)(\D|$)", r"\1 \2\3"),
    (r"(^|\D)((?:19|20)\d\d)(\pL)", r"\1\2 \3"),
)
"""10-K and 10K are the same; AnnualReport, FY2018 and 2023Q3 are two words each."""
_CUTS_OF_ONE = (
    (re.compile(r"(\d)-([^\W\d_])"), r"\1\2"),
    (re.compile(r"([^\W\d_])((?:19|20)\d\d)(?!\d)"), r"\1 \2"),
    (re.compile(r"(?<!\d)((?:19|20)\d\d)([^\W\d_])"), r"\1 \2"),
)
_NAME_WORD = re.compile(r"[^\W_]+")
_BETWEEN = r"[^\p{L}\p{N}]+"


def split_names_into_words(names: Sequence[str]) -> pa.ListArray:
    """Return the words of each name in lower case. Names are also cut at capital letters, and where letters and years meet.

    >>> split_names_into_words(["3M_FY2018 10-K, AnnualReports"]).to_pylist()
    [['3m', 'fy', '2018', '10k', 'annual', 'reports']]
    """
    cut = reduce(lambda array, how: pc.replace_substring_regex(array, *how), _CUTS, pa.array(names, pa.string()))
    lists = pc.split_pattern_regex(pc.utf8_lower(cut), _BETWEEN)
    return pa.ListArray.from_arrays(lists.offsets, lists.values.dictionary_encode())


def split_name_into_words(name: str) -> list[str]:
    """Return the words of one name, as `split_names_into_words` does for many, in a fraction of the time.

    >>> split_name_into_words("What was 3M's FY2018 10-K?")
    ['what', 'was', '3m', 's', 'fy', '2018', '10k']
    """
    cut = "".join(f" {two[1]}" if two[0].islower() and two[1].isupper() else two[1] for two in pairwise(f" {name}"))
    for pattern, put in _CUTS_OF_ONE:
        cut = pattern.sub(put, cut)
    return _NAME_WORD.findall(cut.lower())


def strip_plural_s(word: str) -> str:
    """Return a word without a plural s.

    >>> strip_plural_s("mills"), strip_plural_s("glass"), strip_plural_s("gas")
    ('mill', 'glass', 'gas')
    """
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def split_into_singular_words(text: str) -> list[str]:
    """Return the words of a text in lower case, without a plural s at the end; pairs of letters where no blanks part words.

    >>> split_into_singular_words("Charts of 2 glass boxes")
    ['chart', 'of', '2', 'glass', 'boxe']
    """
    return [strip_plural_s(piece) for word in _WORD.findall(text) for piece in split_letter_pairs(word.casefold())]


@lru_cache(maxsize=REMEMBERED)
def extract_stems(text: str) -> frozenset[str]:
    """Return the first letters of the words of a text, without function words; pairs of letters where no blanks part words.

    >>> sorted(extract_stems("What did the millers grind?"))
    ['grind', 'miller']
    """
    words = (word for word in _WORD.findall(text.lower()) if word not in FUNCTION_WORDS)
    return frozenset(piece[:STEM_CHARS] for word in words for piece in split_letter_pairs(word))


def find_wanted_stems(wanted: Collection[str], texts: Iterable[str]) -> list[frozenset[str]]:
    """Return which of the `wanted` stems each text has.

    >>> texts = ["The mills by a mill.", "Rivers, 新的堤坝", "river"]
    >>> [sorted(found) for found in find_wanted_stems(["mill", "river", "堤坝"], texts)]
    [['mill'], ['堤坝'], ['river']]
    """
    apart = frozenset(filter(is_unspaced_writing, wanted))
    whole = (stem if len(stem) == STEM_CHARS else rf"{stem}\b" for stem in wanted if stem not in apart)
    forms = re.compile(rf"\b({'|'.join(whole) or '(?!)'})")
    lowered = (text.lower() for text in texts)
    return [frozenset(forms.findall(text)) | {stem for stem in apart if stem in text} for text in lowered]


def idf(n_having: int, n: int) -> float:
    """Return the inverse document frequency of a word that `n_having` of `n` texts have, as in BM25.

    >>> idf(0, 10) > idf(1, 10) > idf(10, 10) > 0
    True
    """
    return math.log(1 + (n - n_having + 0.5) / (n_having + 0.5))


def normalize_idf(wanted: Iterable[str], found: Sequence[frozenset[str]]) -> dict[str, float]:
    """Return the idf of each of the `wanted` stems, divided by their sum; `found` has those of each text."""
    counts = Counter(stem for of_text in found for stem in of_text)
    weights = {stem: idf(counts[stem], len(found)) for stem in wanted}
    total = sum(weights.values())
    return {stem: weight / total for stem, weight in weights.items()} if total else {}
