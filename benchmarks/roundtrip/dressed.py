"""Dressing: what a style changes in the text itself, so that the truth says it too."""

import re

from benchmarks.roundtrip.styles import Style

_HEADING = re.compile(r"<h([1-4])>(.*?)</h\1>", re.DOTALL)
_NUMBER = re.compile(r"\s*(chapter |section |appendix |§|\(?[0-9]+[.)]|[0-9ivxlc]+\.|第)", re.IGNORECASE)
_TAG = re.compile(r"(<[^<>]*>|&\w+;)")


def dress_headings(body: str, style: Style) -> str:
    """Return a normalised fragment with its headings numbered or in capitals, where the style has them so.

    A text whose headings have numbers of their own keeps these.
    """
    if style.settings["numbered"] and not any(_NUMBER.match(_TAG.sub("", found[2])) for found in _HEADING.finditer(body)):
        body = number_headings(body)
    return _HEADING.sub(_in_capitals, body) if style.settings["capitals"] else body


def number_headings(body: str) -> str:
    """Return a fragment whose headings are numbered 1, 1.1, 1.1.1 by their rank.

    >>> numbered("<h1>a</h1><h2>b</h2><h1>c</h1>")
    '<h1>1 a</h1><h2>1.1 b</h2><h1>2 c</h1>'
    """
    counts = [0, 0, 0, 0]

    def number(heading: re.Match[str]) -> str:
        rank = int(heading[1])
        counts[rank - 1 :] = [counts[rank - 1] + 1] + [0] * (4 - rank)
        return f"<h{rank}>{'.'.join(str(max(1, count)) for count in counts[:rank])} {heading[2]}</h{rank}>"

    return _HEADING.sub(number, body)


def _in_capitals(heading: re.Match[str]) -> str:
    parts = _TAG.split(heading[2])
    text = "".join(part if number % 2 else part.upper() for number, part in enumerate(parts))
    return f"<h{heading[1]}>{text}</h{heading[1]}>"
