"""How untrusted texts (file names, messages that quote them) are shown: on one line, without invisible or bidi characters."""

import unicodedata

JOINERS = "\u200c\u200d"
"""Format characters that scripts and emoji need. All others, such as those that change the text direction, become escapes."""

HIDDEN = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}


def plain(text: str) -> str:
    r"""Return a text on one line, with control, bidi and other invisible characters as escapes.

    >>> plain("a\nb\x1b[2J\u202efdp.exe"), plain("Brattness quay.pdf")
    ('a\\nb\\x1b[2J\\u202efdp.exe', 'Brattness quay.pdf')
    """
    return text if text.isascii() and text.isprintable() else "".join(map(_escape_invisible, text))


def _escape_invisible(character: str) -> str:
    if character in JOINERS or unicodedata.category(character) not in HIDDEN:
        return character
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")


def shorten(text: str, most: int) -> str:
    """Return `text` with at most `most` characters. A long text loses its middle, so that a file name keeps its suffix.

    >>> shorten("minutes-of-the-general-meeting.pdf", 16), shorten("a.pdf", 16)
    ('minutes…ting.pdf', 'a.pdf')
    """
    head = (most - 1) // 2
    return text if len(text) <= most else f"{text[:head]}…{text[len(text) - (most - 1 - head) :]}"


def quote_text(text: str, most: int = 160) -> str:
    """Return a text as messages quote it: on one line, with at most `most` characters between quotation marks."""
    return repr(shorten(plain(" ".join(text.split())), most))
