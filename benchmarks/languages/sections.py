"""Sections of two manuals in translation: the heading of each is a question, and its text without the heading the answer."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser

from benchmarks.debian import unpack_package
from tasks.language.detection import detect_script
from tasks.language.function_words import LANGUAGE_OF_SCRIPT, LANGUAGES_OF_SCRIPT, LATIN

GUIDE = ("installation-guide-amd64", "usr/share/doc/installation-guide-amd64")
HANDBOOK = ("debian-handbook", "usr/share/doc/debian-handbook/html")
FOLDERS = {
    "en": ("en", "en-US"),
    "de": ("de", "de-DE"),
    "fr": ("fr", "fr-FR"),
    "ru": ("ru", "ru-RU"),
    "ar": ("", "ar-MA"),
    "zh": ("zh_CN", "zh-CN"),
    "ja": ("ja", "ja-JP"),
    "ko": ("ko", "ko-KR"),
}
"""By language, its folder in the installation guide and in the handbook; "" if it was not translated."""

LEFT_OUT = "script, style, pre, nav, header, footer, .toc, .navheader, .navfooter, .docnav"
BLOCKS = {"p", "li", "dt", "td"}
HEADINGS = {"h1", "h2", "h3", "h4"}
SYLLABIC = ("zh", "ja", "ko")
LETTERS, SYLLABLES = (200, 10), (80, 4)
"""Fewest letters of a section, and of a heading that is a question."""
ENGLISH_WORDS = 0.06
"""Share of very common English words above which a section was not translated."""

_NUMBER = re.compile(r"^[\s\d.]*(?:[A-Z]\.(?:\d+\.)*)?[\s\u00a0]*|^第\s*\d+\s*章\s*")
_ENGLISH = re.compile(r"\b(?:the|of|and|to|is|that|for|with|you)\b")


class Section(NamedTuple):
    """A section of a manual, with its language and whether its heading is a question that only it answers."""

    language: str
    heading: str
    text: str
    asked: bool


def sections() -> list[Section]:
    """Return the translated sections of all languages."""
    return [section for language in FOLDERS for section in _of_language(language)]


def _of_language(language: str) -> Iterator[Section]:
    places = zip((GUIDE, HANDBOOK), FOLDERS[language], strict=True)
    found = [pair for (package, folder), name in places if name for pair in _pairs(unpack_package(package) / folder / name)]
    times = Counter(heading.lower() for heading, _ in found)
    longest, shortest = SYLLABLES if language in SYLLABIC else LETTERS
    for heading, text in found:
        if _letters(text) > longest and _is_translated(text, language):
            asked = times[heading.lower()] == 1 and _letters(heading) >= shortest and _is_written(heading, language)
            yield Section(language, heading, text, asked)


def _pairs(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield heading and text of the sections of a folder of pages."""
    for path in sorted(folder.rglob("*.html*")):
        body = LexborHTMLParser(path.read_text(encoding="utf-8", errors="replace")).body if path.suffix != ".gz" else None
        if body is None:
            continue
        for node in body.css(LEFT_OUT):
            node.decompose()
        heading, blocks = "", list[str]()
        for node in body.traverse(include_text=False):
            if node.tag in HEADINGS:
                yield heading, "\n\n".join(blocks)
                heading, blocks = _NUMBER.sub("", " ".join(node.text().split())).strip(), []
            elif node.tag in BLOCKS and (node.tag != "li" or node.css_first("p") is None):
                blocks.append(" ".join(node.text().split()))
        yield heading, "\n\n".join(filter(None, blocks))


def _letters(text: str) -> int:
    return sum(letter.isalpha() for letter in text)


def _is_translated(text: str, language: str) -> bool:
    if language == "en" or detect_script(text) != LATIN:
        return _is_written(text, language)
    return _is_written(text, language) and len(_ENGLISH.findall(text.lower())) < ENGLISH_WORDS * len(text.split())


def _is_written(text: str, language: str) -> bool:
    script = detect_script(text)
    return (
        language in LANGUAGES_OF_SCRIPT[script] if script in LANGUAGES_OF_SCRIPT else LANGUAGE_OF_SCRIPT.get(script) == language
    )
