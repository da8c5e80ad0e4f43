"""Scripts and languages: which of Tesseract's languages read a script, and in which language a text is."""

import re
import unicodedata
from collections import Counter
from collections.abc import Container

from tasks.parse.scans.legible import without_accents

AUTO = "auto"
"""Value of `parse.ocr_languages` for which each page's script and language decide."""
FIRST = "eng"
"""The language that reads a page first. Debian installs it with Tesseract."""
LATIN = "Latin"
MIN_WORDS = 20
"""Fewest words from which the language of a text can be told. A shorter text often has a single function word, by chance."""
MIN_SHARE, CLEARER = 0.1, 2.0
"""Smallest share of the words of a text that are function words of its language, and smallest ratio of it to the share of
English ones. Prose has 0.2 to 0.4 of its own, and below 0.05 of another language's."""

LANGUAGES: dict[str, tuple[str, ...]] = {
    "Arabic": ("ara", "fas", "urd"),
    "Armenian": ("hye",),
    "Bengali": ("ben",),
    "Cyrillic": ("rus", "ukr", "bul"),
    "Devanagari": ("hin", "mar", "nep"),
    "Ethiopic": ("amh",),
    "Georgian": ("kat",),
    "Greek": ("ell",),
    "Gujarati": ("guj",),
    "Gurmukhi": ("pan",),
    "Han": ("chi_sim", "chi_tra"),
    "Hebrew": ("heb",),
    "Japanese": ("jpn",),
    "Kannada": ("kan",),
    "Khmer": ("khm",),
    "Korean": ("kor",),
    "Lao": ("lao",),
    "Malayalam": ("mal",),
    "Myanmar": ("mya",),
    "Sinhala": ("sin",),
    "Tamil": ("tam",),
    "Telugu": ("tel",),
    "Thai": ("tha",),
    "Tibetan": ("bod",),
}
"""Tesseract's languages by the script that they are written in, as its orientation data names it; the most frequent ones."""
_ALIKE = ("Han", "Japanese", "Korean")
"""Scripts that share characters, so one is taken for another on a page of a few hundred characters."""
_RANGES = {"CJK": "Han", "HIRAGANA": "Japanese", "KATAKANA": "Japanese", "HANGUL": "Korean"}
_FUNCTION_WORDS = {
    language: frozenset(words.split())
    for language, words in {
        "eng": "the of and to in is that for it with as be this are on by or not from",
        "ces": "v s z na se je pro nebo ze do jako by pokud jsou tento pri",
        "dan": "i og at det der til som ikke med den af for du eller har kan fra",
        "deu": "der die und das ist nicht den von zu mit sie auf werden ein eine fur im dem oder wird",
        "fin": "ja on ei se etta tai voi ovat kun jos myos joka kuin ole",
        "fra": "le la les des et est une dans pour que qui du pas sur vous sont par au ou",
        "hun": "a az es hogy nem egy ha van vagy is meg csak ezt lehet",
        "ind": "yang dan untuk ini dari anda tidak dengan pada akan atau dapat adalah jika",
        "ita": "il di che la per non una del sono della con le gli nel si da essere piu",
        "nld": "de het een van en te dat niet is op voor met zijn kunt deze worden aan of wordt",
        "nor": "i og det som ikke til med av pa er den eller kan har fra vil",
        "pol": "w i z sie nie jest na do ze jak oraz lub moze przez dla tego ktore jesli",
        "por": "o que de da do em um uma para nao os com se como mais sua ou ser pelo na no",
        "ron": "si de in la nu cu este pentru care din sau sunt mai fi poate acest",
        "spa": "el la de que los en un una por las del para se no con su como al si mas es",
        "swe": "i och att det som en for ar inte med den av till pa kan om eller du har",
        "tur": "ve bir bu icin ile olarak de da veya daha olan gibi ancak kadar",
        "vie": "va cua cac la cho trong mot co khong duoc ban nay voi khi nhu thi de",
    }.items()
}
"""Frequent short words of languages in Latin letters, without accents, which English letters cannot show."""
_WORD = re.compile(r"[^\W\d_]+")


def known_languages() -> frozenset[str]:
    """Return all languages that AUTO may choose."""
    return frozenset(_FUNCTION_WORDS).union(*LANGUAGES.values())


def readers_of(script: str, installed: Container[str]) -> list[str]:
    """Return the language settings that may read a script other than Latin, the likeliest first. Each also reads English.

    A setting holds at most the languages of LANGUAGES, for each further one takes the time of another reading.

    >>> readers_of("Cyrillic", {"rus", "deu"}), readers_of("Korean", {"jpn"}), readers_of("Latin", {"deu"})
    (['rus+eng'], ['jpn+eng'], [])
    """
    settings = [[language for language in LANGUAGES[name] if language in installed] for name in _candidates(script)]
    return ["+".join([*languages, FIRST]) for languages in settings if languages]


def languages_of(script: str) -> list[str]:
    """Return the languages that a page of `script` may need, the likeliest first; none for Latin or an unknown script."""
    return [language for name in _candidates(script) for language in LANGUAGES[name]]


def is_read_by(script: str, languages: str) -> bool:
    """Return whether one of `languages`, codes joined by `+`, is written in `script`. True for an unknown script."""
    codes = languages.split("+")
    others = {language for known in LANGUAGES.values() for language in known}
    if script == LATIN:
        return any(code not in others for code in codes)
    return script not in LANGUAGES or any(language in codes for language in LANGUAGES[script])


def language_of(text: str) -> str:
    """Return the language of a text in Latin letters, told by its function words; English where that is unsure.

    Accents do not count: where English letters are expected, OCR reads most words of other languages without them.
    """
    words = _WORD.findall(without_accents(text))
    if len(words) < MIN_WORDS:
        return FIRST
    counts = Counter(words)
    shares = {code: sum(counts[word] for word in known) / len(words) for code, known in _FUNCTION_WORDS.items()}
    best = max(shares, key=lambda code: shares[code])
    return best if shares[best] >= max(MIN_SHARE, CLEARER * shares[FIRST]) else FIRST


def script_of(text: str) -> str:
    """Return the script of most letters of a text, named as in LANGUAGES; Latin if there are none.

    >>> script_of("Мельница parse"), script_of("日本語の文章"), script_of("")
    ('Cyrillic', 'Japanese', 'Latin')
    """
    counts = Counter(_script(letter) for letter in text if letter.isalpha())
    if not counts:
        return LATIN
    if counts["Japanese"] and counts["Japanese"] + counts["Han"] > counts[LATIN]:
        return "Japanese"
    return counts.most_common(1)[0][0]


def reader_of(text: str, installed: Container[str]) -> str:
    """Return the language setting that reads pictures in a document whose text is `text`."""
    script = script_of(text)
    if script == LATIN:
        language = language_of(text)
        return language if language in installed else FIRST
    return next(iter(readers_of(script, installed)), FIRST)


def _candidates(script: str) -> list[str]:
    if script not in LANGUAGES:
        return []
    return [script, *(name for name in _ALIKE if name != script)] if script in _ALIKE else [script]


def _script(letter: str) -> str:
    word = unicodedata.name(letter, LATIN).split(" ", 1)[0]
    return _RANGES.get(word, word.title())
