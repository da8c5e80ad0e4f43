"""Language detection: by the script of a text, and where several languages share a script, by its function words."""

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from tasks.language.function_words import (
    DISTINCTIVE_LETTERS,
    FUNCTION_WORDS,
    LANGUAGE_OF_SCRIPT,
    LANGUAGES_OF_SCRIPT,
    LATIN,
    LETTERS,
)

PART = 2_000
"""Characters that are looked at at the beginning, in the middle and at the end of a text."""
SYLLABIC = ("Han", "Hangul", "Kana")
SYLLABLE = 2.5
"""Letters of other scripts that stand for as much as one of these. Chinese and Japanese texts name things in Latin letters."""
KANA_SHARE = 0.1
"""Smallest share of Kana in text of Han and Kana that is Japanese. Japanese prose has more than half."""
SURE_WORDS = 20
CLEARER = 1.5
"""In a text of fewer words the language must have so many times as many function words as any other, two at least."""
MIN_SHARE = 0.08
"""Smallest share of function words among the words of a text. Prose has 0.2 to 0.5 of its own; lists of names have none."""

MOST_ASKED = 4

_LETTERS = {script: re.compile(f"[{letters}]") for script, letters in LETTERS.items()}
_LATIN = _LETTERS[LATIN]
_WORD = re.compile(r"[^\W\d_]+")


def detect_language(text: str) -> str:
    """Return the ISO 639-1 code of the language that most of a text is in; "" if that is unsure.

    >>> detect_language("Мы не знали, что это было."), detect_language("これは本です。"), detect_language("x = 1")
    ('ru', 'ja', '')
    """
    sample = _sample_text(text)
    script = detect_script(sample)
    if script not in LANGUAGES_OF_SCRIPT:
        return LANGUAGE_OF_SCRIPT.get(script, "")
    words = _WORD.findall(sample.lower())
    shares = _measure_function_word_shares(words, LANGUAGES_OF_SCRIPT[script])
    (first, best), (_, second) = shares.most_common(2)
    if best < MIN_SHARE or (len(words) < SURE_WORDS and (best < CLEARER * second or best * len(words) < 2)):
        return ""
    return first


def parse_language_code(language: str) -> str:
    """Return the ISO 639-1 code at the beginning of a language tag.

    >>> parse_language_code("de-AT"), parse_language_code("pt_BR"), parse_language_code("")
    ('de', 'pt', '')
    """
    return re.split(r"[-_]", language.strip().lower(), maxsplit=1)[0]


def guess_question_languages(question: str, languages: Iterable[str]) -> list[str]:
    """Return the `languages` that a question may be in: those with most of its function words, else those of its script.

    `languages` have the most frequent first; of languages that nothing tells apart, the first MOST_ASKED are returned.

    >>> guess_question_languages("Wie wird die Festplatte eingerichtet?", ["en", "de", "ru"])
    ['de']
    >>> guess_question_languages("Debian", ["de", "en", "ja"])
    ['de', 'en']

    Words in Latin letters tell nothing beside another script: they name things.
    """
    script = detect_script(_LATIN.sub("", question)) or LATIN
    candidates = [language for language in languages if _is_language_in_script(language, script)]
    found = _drop_single_letters(_WORD.findall(question.lower()))
    hits = Counter({language: sum(_is_evidence_of_language(word, language) for word in found) for language in candidates})
    if not candidates or not (most := max(hits.values())):
        return candidates[:MOST_ASKED]
    return [language for language in candidates if hits[language] == most]


def detect_script(text: str) -> str:
    """Return the script of most of a text, a name of LETTERS; "" if it has no letters."""
    if text.isascii():
        return LATIN if _LETTERS[LATIN].search(text) else ""
    counts = {script: float(len(pattern.findall(text))) for script, pattern in _LETTERS.items()}
    if counts["Kana"] > KANA_SHARE * (counts["Kana"] + counts["Han"]):
        counts["Kana"] += counts.pop("Han")
    for script in counts.keys() & set(SYLLABIC):
        counts[script] *= SYLLABLE
    script = max(counts, key=lambda name: counts[name])
    return script if counts[script] else ""


def _is_language_in_script(language: str, script: str) -> bool:
    return (
        language in LANGUAGES_OF_SCRIPT[script] if script in LANGUAGES_OF_SCRIPT else LANGUAGE_OF_SCRIPT.get(script) == language
    )


def _sample_text(text: str) -> str:
    if len(text) <= 3 * PART:
        return text
    middle = len(text) // 2
    return "\n".join([text[:PART], text[middle : middle + PART], text[-PART:]])


def _measure_function_word_shares(words: list[str], languages: Iterable[str]) -> Counter[str]:
    """Return for each language the share of `words` that are its function words. Single letters do not count."""
    n = max(1, len(words))
    counts = Counter(_drop_single_letters(words))
    return Counter({name: sum(counts[word] for word in counts if _is_evidence_of_language(word, name)) / n for name in languages})


def _drop_single_letters(words: Iterable[str]) -> list[str]:
    return [word for word in words if len(word) > 1 or not word.isascii()]


@lru_cache(maxsize=65_536)
def _is_evidence_of_language(word: str, language: str) -> bool:
    letters = DISTINCTIVE_LETTERS.get(language, "")
    return word in FUNCTION_WORDS.get(language, ()) or any(letter in letters for letter in word)
