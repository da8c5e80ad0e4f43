"""The words of names: cut at capital letters and years, joined over hyphens after digits."""

import re
from collections.abc import Sequence
from functools import reduce
from itertools import pairwise

import pyarrow as pa
import pyarrow.compute as pc

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
_WORD = re.compile(r"[^\W_]+")
_BETWEEN = r"[^\p{L}\p{N}]+"


def word_lists(texts: Sequence[str]) -> pa.ListArray:
    """Return the words of each text in lower case, cut where letters and years meet.

    >>> word_lists(["3M_FY2018 10-K, AnnualReports"]).to_pylist()
    [['3m', 'fy', '2018', '10k', 'annual', 'reports']]
    """
    cut = reduce(lambda array, how: pc.replace_substring_regex(array, *how), _CUTS, pa.array(texts, pa.string()))
    lists = pc.split_pattern_regex(pc.utf8_lower(cut), _BETWEEN)
    return pa.ListArray.from_arrays(lists.offsets, lists.values.dictionary_encode())


def words_of(text: str) -> list[str]:
    """Return the same words of one text, in a fraction of the time.

    >>> words_of("What was 3M's FY2018 10-K?")
    ['what', 'was', '3m', 's', 'fy', '2018', '10k']
    """
    cut = "".join(f" {two[1]}" if two[0].islower() and two[1].isupper() else two[1] for two in pairwise(f" {text}"))
    for pattern, put in _CUTS_OF_ONE:
        cut = pattern.sub(put, cut)
    return _WORD.findall(cut.lower())


def singular(word: str) -> str:
    """Return a word without a plural s.

    >>> singular("mills"), singular("glass"), singular("gas")
    ('mill', 'glass', 'gas')
    """
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
