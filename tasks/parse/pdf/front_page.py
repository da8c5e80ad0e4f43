"""The front page: finds title, author and date of a document whose file states none, or states nonsense."""

import calendar
import re
from collections.abc import Sequence
from itertools import takewhile

from schemas.records import Element, Properties
from tasks.parse.layout.captions import LABEL
from tasks.parse.layout.levels import scheme_of
from tasks.parse.layout.prose import join_lines

Sized = tuple[Element, float]
_PROGRAM = re.compile(
    r"^(?:microsoft (?:word|powerpoint|excel)|(?:adobe )?(?:indesign|photoshop|illustrator)|quarkxpress)\b", re.IGNORECASE
)
_BLANK = re.compile(
    r"^(?:untitled|no title|title|powerpoint presentation|(?:document|presentation|book|slide|folie)\s*\d*)\b[-\s\d]*$",
    re.IGNORECASE,
)
_FILE = re.compile(
    r"(?:^\S*[/\\]|^[a-z]:\\|\.(?:docx?|dot|rtf|odt|pdf|pptx?|xlsx?|indd|qxp?d?|pmd|p65|fm|tex|dvi|e?ps|wpd?|txt|html?|cdr|ai|md)$)",
    re.IGNORECASE,
)
_NO_AUTHOR = re.compile(
    r"^(?:user|admin(?:istrator)?|owner|unknown|author|root|default|microsoft office user|anonymous|none|n/a)\W*\d*$",
    re.IGNORECASE,
)
_BY = re.compile(
    r"^(?i:(?:written )?by|authors?|prepared by|von|par|por)(?:\s*:\s*|\s+)"
    r"(?P<name>[^\W\d_a-z][^\d\u00b2\u00b3\u00b9\u2070-\u2079]{2,100}?)\.?$"
)
_MONTHS = {name.casefold(): n for names in (calendar.month_name, calendar.month_abbr) for n, name in enumerate(names) if name}
_LED = r"^(?:(?:date|dated|published|issued|updated|released|as of)\s*(?:on)?:?\s+)?"
_DATES = [
    re.compile(_LED + r"(?P<year>(?:19|20)\d\d)-(?P<month>\d\d)(?:-(?P<day>\d\d))?$", re.IGNORECASE),
    re.compile(
        _LED + r"(?:(?P<day>\d{1,2})(?:st|nd|rd|th)?\.?\s+)?(?P<name>[a-z]{3,9})\.?,?\s+(?P<year>(?:19|20)\d\d)$", re.IGNORECASE
    ),
    re.compile(_LED + r"(?P<name>[a-z]{3,9})\.?\s+(?P<day>\d{1,2})(?:st|nd|rd|th)?,?\s+(?P<year>(?:19|20)\d\d)$", re.IGNORECASE),
]
SHOWN = ("title", "heading", "paragraph")
LONGEST_TITLE = 250
"""Most characters of a title."""


def with_front_page(properties: Properties, found: Sequence[Sized]) -> Properties:
    """Return the file's properties. Missing ones are read from the first page.

    A title that is the name of a file or program, and an author that is not a name, count as missing.
    """
    number = found[0][0]["page_number"] if found else 0
    page = [(element, size) for element, size in found if element["page_number"] == number and element["kind"] in SHOWN]
    title = properties["title"] if is_title(properties["title"] or "") else None
    author = None if _NO_AUTHOR.match(properties["author"] or "") else properties["author"]
    lines = [element["text"].strip() for element, _ in page]
    return {
        **properties,
        "title": title or _largest(page),
        "author": author or next(filter(None, map(author_of, lines)), None),
        "created": properties["created"] or next(filter(None, map(date_of, lines)), None),
    }


def is_title(text: str) -> bool:
    """Return whether a title that a file states can be one, and is not the name of a file or program.

    >>> [is_title(text) for text in ("A year at sea", "Microsoft Word - a.doc", "untitled", "report_v2.pdf", "draft_7", "1024")]
    [True, False, False, False, False, False]
    """
    named = _PROGRAM.match(text) or _BLANK.match(text) or _FILE.search(text)
    one_word = "_" in text and not re.search(r"\s", text.strip())
    return sum(character.isalpha() for character in text) > 1 and not named and not one_word


def _largest(page: Sequence[Sized]) -> str | None:
    """Return the first lines in the largest type, if other text is smaller and they do not label a section, table or figure."""
    largest = max((size for _, size in page), default=0.0)
    if not any(size < largest for _, size in page):
        return None
    first = next(n for n, (_, size) in enumerate(page) if size == largest)
    lines = [element["text"] for element, _ in takewhile(lambda pair: pair[1] == largest, page[first:])]
    title = join_lines(lines)
    is_section = scheme_of(title)[0] or LABEL.match(title)
    return title if len(title) <= LONGEST_TITLE and is_title(title) and not is_section else None


def author_of(line: str) -> str | None:
    """Return the name in a line that states the author.

    >>> author_of("By Maren Tolk and Isak Brandvold"), author_of("By the end of May"), author_of("By 2020")
    ('Maren Tolk and Isak Brandvold', None, None)
    """
    found = _BY.match(line)
    if not found or len(found["name"].split()) > 12:
        return None
    words = [word for word in re.split(r"[\s,;&]+", found["name"]) if word not in _PARTICLES]
    return found["name"].strip() if all(word[:1].isupper() for word in words if word) else None


_PARTICLES = {"and", "und", "et", "y", "de", "da", "di", "du", "van", "von", "der", "den", "la", "le", "bin", "al"}


def date_of(line: str) -> str | None:
    """Return the date if it is the whole line, in ISO 8601, as precise as it is.

    >>> date_of("Published: 3 March 2021"), date_of("March 2021"), date_of("May 5, 1999"), date_of("In March 2021 it rained")
    ('2021-03-03', '2021-03', '1999-05-05', None)
    """
    for pattern in _DATES:
        found = pattern.match(line)
        parts = found.groupdict() if found else {}
        month = int(parts.get("month") or _MONTHS.get((parts.get("name") or "").casefold(), 0))
        day = int(parts.get("day") or 0)
        if month in range(1, 13) and day <= calendar.monthrange(int(parts["year"]), month)[1]:
            return "-".join([parts["year"], f"{month:02}", *([f"{day:02}"] if day else [])])
    return None
