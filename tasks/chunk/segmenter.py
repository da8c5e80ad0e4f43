"""Segmenter: pysbd for English, with repairs, and the abbreviations that it knows."""

import re
from collections.abc import Callable
from functools import cache

NUMBER_ABBREVIATIONS = ("chap", "eq", "eqs", "figs", "sect", "tab", "vol", "vols")
NAME_ABBREVIATIONS = ("cf",)
OTHER_ABBREVIATIONS = ("approx", "ca", "ed", "eds", "resp")
"""Abbreviations missing in pysbd's list: before a number, before a name, before a lower-case word."""


@cache
def english_segmenter() -> Callable[[str], list[str]]:
    """Return pysbd for English, with two repairs that only improve its results.

    The replacement of abbreviations, which takes most of its time, is done in one pass. The expression for numbered references,
    which takes exponential time on long numbers, is replaced.
    """
    from pysbd.lang.english import English
    from pysbd.processor import Processor

    class Replacer(English.AbbreviationReplacer):  # type: ignore[misc]
        def search_for_abbreviations_in_string(self, text: str) -> str:
            for pattern in _abbreviations() if "." in text else ():
                text = pattern.sub(r"\1∯", text)
            return text

    class Language(English):  # type: ignore[misc]
        AbbreviationReplacer = Replacer
        NUMBERED_REFERENCE_REGEX = r"(?<=[^\d\s])(\.|∯)((\[\d{1,3}(\s?[,;-]\s?\d{1,3})*\])+|((\d{1,3}\s?)?\d{1,3}))(\s)(?=[A-Z])"

    return lambda piece: Processor(piece, Language).process() or []


@cache
def english_abbreviations() -> frozenset[str]:
    """Return the words that a full stop may follow without ending a sentence."""
    from pysbd.lang.english import English

    listed = [*English.Abbreviation.ABBREVIATIONS, *English.Abbreviation.PREPOSITIVE_ABBREVIATIONS]
    own = [*NUMBER_ABBREVIATIONS, *NAME_ABBREVIATIONS, *OTHER_ABBREVIATIONS, *English.Abbreviation.NUMBER_ABBREVIATIONS]
    return frozenset(word.lower() for word in (*listed, *own))


@cache
def _abbreviations() -> tuple[re.Pattern[str], ...]:
    """Return expressions for abbreviations whose full stop ends no sentence: before names, before numbers, and the others."""
    from pysbd.lang.english import English

    names = {*English.Abbreviation.PREPOSITIVE_ABBREVIATIONS, *NAME_ABBREVIATIONS}
    numbers = {*English.Abbreviation.NUMBER_ABBREVIATIONS, *NUMBER_ABBREVIATIONS} - names
    others = {*English.Abbreviation.ABBREVIATIONS, *OTHER_ABBREVIATIONS} - names - numbers
    followed = {r"\s|:\d": names, r"\s\d|\s+\(": numbers, r"[.:\-?,]|\s(?:[a-z\d(]|I\s|I'm|I'll)": others}
    return tuple(
        re.compile(rf"(?<!\S)((?i:{'|'.join(map(re.escape, sorted(words)))}))\.(?={what})") for what, words in followed.items()
    )
