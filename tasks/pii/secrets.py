"""Secrets: keys, tokens and passwords, by the forms that well-known services give them."""

import re
from collections.abc import Iterator

FORMS = (
    r"(?:AKIA|ASIA)[A-Z2-7]{16}",  # Amazon
    r"gh[opsur]_[A-Za-z0-9]{36,255}|github_pat_\w{82}",
    r"glpat-[\w-]{20,}",
    r"xox[abeoprs]-[\w-]{10,}|https://hooks\.slack\.com/services/T\w+/B\w+/\w+",
    r"AIza[\w-]{35}|ya29\.[\w-]{20,}|GOCSPX-[\w-]{28}",
    r"[rs]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9]{24,}",  # Stripe
    r"sk-(?:ant-|proj-|svcacct-)?[A-Za-z0-9_-]{20,}",  # OpenAI, Anthropic
    r"SG\.[\w-]{22}\.[\w-]{43}",  # SendGrid
    r"npm_[A-Za-z0-9]{36}|pypi-AgE[\w-]{50,}|hf_[A-Za-z]{34}",
    r"eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}",  # JSON Web Token
)
_TOKEN = re.compile(rf"(?<![\w-])(?:{'|'.join(FORMS)})(?![\w-])")
_ASSIGNED = re.compile(
    r"(?:aws_?secret_?access_?key|AccountKey|(?:api|client|auth)_?(?:key|secret|token)|password|passwd)['\"]?\s?[=:]\s?['\"]?"
    r"([A-Za-z0-9/+_~!@#$%^&*.-]{12,}={0,2})",
    re.IGNORECASE,
)
"""A value that is named a secret, as files of settings do."""
_LOGIN = re.compile(r"(?<=://)[^\s/:@|<>\"']{1,64}:([^\s/@|<>\"']{1,128})(?=@)")
_BEGIN = re.compile(r"-----BEGIN ((?:[A-Z]+ ){0,3}PRIVATE KEY(?: BLOCK)?)-----")
KEY_CHARS = 20_000
"""Most characters of a private key; one without an end is taken up to the last line that looks like one of a key."""
_KEY_LINES = re.compile(r"[A-Za-z0-9+/=:,\s-]*")
_DIGIT = re.compile(r"\d")


def find_secrets(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of secrets.

    >>> list(find_secrets("user AKIAIOSFODNN7EXAMPLE")), list(find_secrets("postgres://ada:lovelace@db/notes"))
    ([(5, 25)], [(15, 23)])
    """
    yield from (found.span() for found in _TOKEN.finditer(text))
    yield from (found.span(1) for found in _ASSIGNED.finditer(text) if _DIGIT.search(found[1]))
    yield from (found.span(1) for found in _LOGIN.finditer(text))
    for begin in _BEGIN.finditer(text):
        end = text.find(f"-----END {begin[1]}-----", begin.end(), begin.end() + KEY_CHARS)
        lines = _KEY_LINES.match(text, begin.end(), begin.end() + KEY_CHARS)
        yield begin.start(), end + len(begin[0]) - 2 if end >= 0 else lines.end() if lines else begin.end()
