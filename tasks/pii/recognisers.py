"""Recognisers: functions that find the personal data of one kind in a text, and all kinds together."""

import ipaddress
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import accumulate, islice
from typing import Any, NamedTuple

import regex
from stdnum import iban, luhn

from schemas.errors import InputError
from tasks.pii.birth_dates import find_birth_dates
from tasks.pii.context import Context
from tasks.pii.ids import NATIONAL_IDS, find_ids
from tasks.pii.secrets import find_secrets

Span = tuple[int, int]
Recogniser = Callable[[Context], Iterable[Span]]
NamesRecogniser = Callable[[str], Iterable[Span]]
"""Takes a text, and returns half-open spans of names in it, in code points."""

UNSEEN = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff")
"""Characters that nobody sees: soft hyphens, and what has no width."""
REPLACING = frozenset({"reject", "redact"})
PATTERN_SECONDS = 2.0
"""CPU seconds that a pattern of the user's may take for one document's text, and for each further million characters."""

_WORD, _JOINED = re.compile(r"[^\W_]"), re.compile(r"\w\w")
_EMAIL = re.compile(
    r"(?<![\w.%+-])[\w.%+-]{1,64}\n?@\n?(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.)+(?:[^\W\d_]{2,24}|xn--[a-z0-9-]{2,59})(?![\w@])"
)
_IBAN = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2}\d\d(?:[ \u00a0]?\n?[A-Z0-9]){11,30}(?![A-Za-z0-9])")
_CARD = re.compile(r"(?<![\w.,/-])(?<![A-Z]{2}\d\d )(?:[2-6]\d{3}(?:[ \u00a0-]?\n?\d){9,15})(?![\w/-]|[.,]\d)")
ISSUERS = re.compile(r"4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11,16}|6\d{15,18}")
"""Numbers of Visa, Mastercard, American Express, Diners Club, JCB, Discover, Maestro and UnionPay, by first digits and length."""
_IPV4 = re.compile(r"(?<![\w.:-])(?:\d{1,3}\.){3}\d{1,3}(?![\w-]|\.\d)")
_IPV6 = re.compile(r"(?<![\w:.])(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{0,4}(?![\w:])")
_VERSION = re.compile(
    r"(?<!\w)(?:versions?|release|firmware|build|driver|section|chapter|abschnitt|kapitel|rev|ver|v|§)(?!\w)", re.I
)
"""A word before a number of four parts that says that it is a version or a section."""
_IP_CUE = re.compile(r"(?<!\w)(?:ip|host|server|address|adresse|gateway|dns|subnet|login)(?!\w)", re.IGNORECASE)
_ABROAD = re.compile(r"(?<![\w+.])(?:\+|(?<!\d )00)[1-9](?:[ \u00a0\u202f./-]{0,2}\n?\(?\d\)?){6,14}(?!\w)")
_AT_HOME = re.compile(r"(?<![\w+.,/-])\(?\d(?:[ \u00a0\u202f./-]{0,2}\(?\d\)?){6,13}(?![\w-]|[.,]\d)")
_PHONE_CUE = re.compile(
    r"(?<!\w)(?:tele(?:phone|fon|fax)|tel|phone|mobile?|mob|cell(?:phone)?|fax|call|ruf|handy|mobil|anruf|t[ée]l[ée]phone|t[ée]l|portable|"
    r"tel[ée]fono|m[óo]vil|ll[áa]m\w*|cellulare|cell|fisso)(?!\w)",
    re.IGNORECASE,
)
REGIONS = ("DE", "FR", "ES", "IT", "GB", "US", "AT", "CH", "BE", "NL", "PT", "MX")
"""Countries of which a number without a country's code is one, beside a word for telephone."""


class Match(NamedTuple):
    """A value: its span, half-open in code points, and its kind."""

    start: int
    end: int
    kind: str


def _find_emails(context: Context) -> Iterator[Span]:
    return (found.span() for found in _EMAIL.finditer(context.text) if ".." not in found[0]) if "@" in context.text else iter(())


def _find_longest(found: re.Match[str], is_valid: Callable[[str], bool]) -> Iterator[Span]:
    """Yield the span of the longest valid value that begins a match: other numbers or words may follow it."""
    ends = [group.end() for group in re.finditer(r"[A-Za-z0-9]+", found[0])]
    valid = (end for end in reversed(ends) if is_valid(found[0][:end]))
    yield from ((found.start(), found.start() + end) for end in islice(valid, 1))


def _find_ibans(context: Context) -> Iterator[Span]:
    for found in _IBAN.finditer(context.text):
        yield from _find_longest(found, lambda value: iban.is_valid("".join(value.split())))


def _find_cards(context: Context) -> Iterator[Span]:
    for found in _CARD.finditer(context.text):
        yield from _find_longest(found, _is_card)


def _is_card(value: str) -> bool:
    digits = re.sub(r"\D", "", value)
    return ISSUERS.fullmatch(digits) is not None and luhn.is_valid(digits) and len({*digits}) > 1


def _find_addresses(context: Context) -> Iterator[Span]:
    for found in _IPV4.finditer(context.text):
        longest = max(map(len, found[0].split(".")[1:]))
        if _is_address(found[0]) and (
            context.has_cue(_IP_CUE, *found.span())
            or (
                longest > 1
                and not _VERSION.search(context.text, max(0, found.start() - (32 if longest < 3 else 12)), found.start())
            )
        ):
            yield found.span()
    for found in _IPV6.finditer(context.text):
        if sum(map(str.isalnum, found[0])) >= 4 and any(map(str.isdigit, found[0])) and _is_address(found[0]):
            yield found.span()


def _is_address(value: str) -> bool:
    try:
        ipaddress.ip_address(value)
    except ValueError:
        return False
    return True


def _find_phones(context: Context) -> Iterator[Span]:
    for found in _ABROAD.finditer(context.text):
        yield from _find_longest(found, lambda value: _is_phone("+" + re.sub(r"\D", "", value).removeprefix("00"), None))
    for found in _AT_HOME.finditer(context.text):
        if context.has_cue(_PHONE_CUE, *found.span()):
            yield from _find_longest(found, lambda value: any(_is_phone(value, region) for region in REGIONS))


def _is_phone(number: str, region: str | None) -> bool:
    import phonenumbers

    try:
        return bool(phonenumbers.is_valid_number(phonenumbers.parse(" ".join(number.split()), region)))
    except phonenumbers.NumberParseException:
        return False


BUILT_IN: Mapping[str, Recogniser] = {
    "secret": lambda context: find_secrets(context.text),
    "email": _find_emails,
    "iban": _find_ibans,
    "card": _find_cards,
    **{kind: partial(find_ids, kind) for kind in NATIONAL_IDS},
    "ip": _find_addresses,
    "birth_date": find_birth_dates,
    "phone": _find_phones,
}
"""What finds each kind. Of matches that overlap, the one of the earlier kind stays."""


def find_by_pattern(name: str, pattern: str, context: Context) -> list[Span]:
    """Return what the user's pattern of kind `name` matches, widened to whole words.

    Raises:
        InputError: it takes too long, or matches where there is no letter or digit.
    """
    seconds = PATTERN_SECONDS * (1 + len(context.text) // 1_000_000)
    try:
        matches: Iterable[Any] = _compile(pattern).finditer(context.text, timeout=seconds)
        found = [one.span() for one in matches]
    except TimeoutError as error:
        raise InputError(
            f"pii.patterns.{name} took more than {seconds:g} s of CPU time for {len(context.text):,} characters: "
            "write it without repetitions inside repetitions"
        ) from error
    if any(not _WORD.search(context.text, *span) for span in found):
        raise InputError(f"pii.patterns.{name} matches where there is no letter or digit: write it so that it needs one")
    return [widen_to_words(context.text, *span) for span in found]


def widen_to_words(text: str, start: int, end: int) -> Span:
    """Return the span without parts of words.

    >>> widen_to_words("no EMP-123b.", 4, 10)
    (3, 11)
    """
    while start and _JOINED.match(text, start - 1):
        start -= 1
    while end < len(text) and _JOINED.match(text, end - 1):
        end += 1
    return start, end


@lru_cache(maxsize=64)
def _compile(pattern: str) -> Any:
    return regex.compile(pattern)


def make_recognisers(
    actions: Mapping[str, str], patterns: Mapping[str, str], find_names: NamesRecogniser | None = None
) -> dict[str, Recogniser]:
    """Return a recogniser for each kind of `actions`, what is rejected or redacted before what is only reported."""
    own = {name: partial(find_by_pattern, name, pattern) for name, pattern in patterns.items()}
    known: dict[str, Recogniser] = {**own, **BUILT_IN}
    if find_names:
        known["name"] = lambda context: [widen_to_words(context.text, *span) for span in find_names(context.text)]
    strictest = sorted(known, key=lambda kind: actions.get(kind) not in REPLACING)
    return {kind: known[kind] for kind in strictest if kind in actions}


def find_matches(text: str, recognisers: Mapping[str, Recogniser]) -> list[Match]:
    """Return what `recognisers` find in a text, in order. Of matches that overlap, the one of the earlier kind stays.

    Soft hyphens and characters without width do not part a value.

    >>> find_matches("Mail to ada@exam\u00adple.org.", {"email": BUILT_IN["email"]})
    [Match(start=8, end=24, kind='email')]
    """
    seen = [at for at, char in enumerate(text) if char not in UNSEEN] if UNSEEN & {*text} else range(len(text))
    context = Context(text if isinstance(seen, range) else "".join(map(text.__getitem__, seen)))
    taken: list[Match] = []
    for kind, recognise in recognisers.items():
        found = sorted({(seen[start], -seen[end - 1] - 1) for start, end in recognise(context) if end > start})
        apart = [Match(start, -end, kind) for start, end in found if not _touches(taken, start, -end)]
        reached = accumulate((one.end for one in apart), max, initial=0)
        taken = sorted([*taken, *(one for one, before in zip(apart, reached, strict=False) if one.start >= before)])
    return taken


def _touches(matches: Sequence[Match], start: int, end: int) -> bool:
    """Return whether a span overlaps one of the matches, which are in order and apart."""
    at = bisect_left(matches, start, key=lambda one: one.end - 1)
    return at < len(matches) and matches[at].start < end
