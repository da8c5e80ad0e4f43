"""Dates of birth: dates beside a word for birth, in five languages."""

import re
from collections.abc import Iterator

from tasks.pii.context import Context

MONTHS = (
    "jan(?:uary|uar|vier)?|feb(?:ruary|ruar)?|f[ée]vr(?:ier)?|mar(?:ch|s|zo)?|märz|apr(?:il|ile)?|avr(?:il)?|may|mai|june?|juni|juin|july?|"
    "juli|juil(?:let)?|aug(?:ust)?|ao[uû]t|sept?(?:ember|embre)?|okt(?:ober)?|oct(?:ober|obre)?|nov(?:ember|embre)?|de[cz](?:ember)?|"
    "d[ée]c(?:embre)?|ene(?:ro)?|febrero|abr(?:il)?|mayo|junio|julio|ago(?:sto)?|septiembre|octubre|noviembre|dic(?:iembre|embre)?|"
    "gen(?:naio)?|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|novembre"
)
_YEAR = r"(?:18[5-9]\d|19\d\d|20[0-2]\d)"
_DAY, _MONTH = r"(?:0?[1-9]|[12]\d|3[01])", r"(?:0?[1-9]|1[0-2])"
_DATE = re.compile(
    rf"(?<![\w.])(?:{_YEAR}([-/.]){_MONTH}\1{_DAY}|{_DAY}([-/.])\s?{_MONTH}\2\s?(?:{_YEAR}|\d\d)|{_MONTH}([-/.]){_DAY}\3{_YEAR}"
    rf"|{_DAY}(?:st|nd|rd|th|er|\.|º)?\s(?:of\s|de\s)?(?:{MONTHS})\.?,?\s(?:de\s|del\s)?{_YEAR}"
    rf"|(?:{MONTHS})\.?\s{_DAY}(?:st|nd|rd|th)?,?\s{_YEAR})(?!\w)",
    re.IGNORECASE,
)
CUE = re.compile(
    r"(?<!\w)(?:born|birth ?(?:date|day)|date ?of ?birth|d\.?o\.?b\.?|geboren|geb\.|geburts(?:datum|tag)|née?(?:\(e\))?|né\(e\)|"
    r"date ?de ?naissance|naissance|nacid[oa]|nacimiento|naci[óo]|nat[oa]|nascita)(?!\w)",
    re.IGNORECASE,
)


def find_birth_dates(context: Context) -> Iterator[tuple[int, int]]:
    """Yield the spans of dates of birth.

    >>> list(find_birth_dates(Context("Ada, geboren am 10.12.1915")))
    [(16, 26)]
    """
    yield from (found.span() for found in _DATE.finditer(context.text) if context.has_cue(CUE, *found.span()))
