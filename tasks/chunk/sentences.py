"""Sentences: exact spans of the sentences of a text, in English found by pysbd where punctuation is ambiguous.

Other languages have rules of their own, see `sentence_rules`.

pysbd's own spans are not used: its sentences are looked up in the text again, in order. Where one is not found, because pysbd
sometimes loses or changes characters, a simple rule cuts the text: after `.`, `!` or `?` that white space and no lower-case
letter follow, and after their full-width forms.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

from tasks.chunk.graphemes import find_nearest_break
from tasks.chunk.sentence_rules import find_sentence_ends_by_rules

Span = tuple[int, int]
Known = Mapping[Span, Sequence[int]]
"""Where sentences end within parts of a text, without white space at the ends of the parts."""
NOTHING: Known = MappingProxyType({})

LONGEST_PIECE = 1500
"""Code points that pysbd gets at a time, because some of its expressions take quadratic time."""
LONGEST_WORD = 200
MOST_ITEMS = 24
"""A piece with a longer word, or with more numbers of list items, is not prose and does not go to pysbd."""
WRAPPED = 40
"""A line of at least this many characters was wrapped, so its sentence continues on the next line."""
WIDE = {"ja": 20, "ko": 20, "zh": 20}
"""The same for languages whose characters are twice as wide."""
ENGLISH = ("", "en")
"""English, and what is taken for it."""

CLOSING = ')]"”'

_LINE_END = re.compile(r"\r\n?|[\n\f\u2028\u2029]")
_SPACE = re.compile(r"\s")
_SPACES = re.compile(r"\s*")
_STARTS_ITEM = re.compile(r"\s*(?:[-*+•‣◦▪·–—|>#]|\(?(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,5})[.)]\s|\[\d)")  # noqa: RUF001
_ITEM_ALONE = re.compile(r"\s*(?:[-*+•‣◦▪·–—]|\(?(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,5})[.)])\s*\Z")  # noqa: RUF001
_QUESTION = re.compile(r"[.!?]\S*+\s+\S|[。．！？]")  # noqa: RUF001
_PLAIN_END = re.compile(r"""(?<![.!?])[.!?]+["'”’»)\]]*\s+(?=[^\sa-zà-ÿ])|[。．！？]+["'”’»）」』]*\s*""")  # noqa: RUF001
_SURE_END = re.compile(r"[a-z]{4}[.!?]\s+(?=[A-Z])|[。！？]\s*(?=\w)")  # noqa: RUF001
_CLEAR_END = re.compile(r"(?<!\w)(\w*[a-z]{4})[.!?]\s+(?=[A-Z])")
REMEMBERED_PIECES = 16_384
"""Pieces whose sentences are remembered, some 10 MB: experiments and evaluations cut the same text again and again."""

_ENCLOSED = re.compile(r"""\([^)]*\)?|\[[^]]*\]?|"[^"]*"?|“[^”]*”?""")
_TITLE = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|Prof|Sr|St|Rev|Gen|Col|Capt|Lt|Sgt)\.\s+(?=[A-Z])")
_SINGLE_QUOTE = re.compile(r"(?:\A|\s)['‘]")  # noqa: RUF001
_LONG_WORD = re.compile(rf"\S{{{LONGEST_WORD}}}")
_NUMBER_ITEM = re.compile(r"\d[.)](?=\s)")
_LAST_WORD, _FIRST_WORD = re.compile(r"\S+\Z"), re.compile(r"\S+")
_ADDRESS = re.compile(r"://|\bwww\.|\w@\w")
_WORD_CHARACTER = re.compile(r"\w")

NUMBER_ABBREVIATIONS = ("chap", "eq", "eqs", "figs", "sect", "tab", "vol", "vols")
NAME_ABBREVIATIONS = ("cf",)
OTHER_ABBREVIATIONS = ("approx", "ca", "ed", "eds", "resp")
"""Abbreviations missing in pysbd's list: before a number, before a name, before a lower-case word."""


def find_sentence_spans(text: str, start: int = 0, end: int | None = None, language: str = "") -> Iterator[Span]:
    """Yield the half-open spans of the sentences of `text[start:end]`; white space belongs to the sentence before it.

    A blank line, a short line and a list item end a sentence; the end of a long line does not. `language` is an ISO 639-1 code,
    "" if it is not known.

    >>> list(find_sentence_spans("Dr. Li left. She ran."))
    [(0, 13), (13, 21)]
    """
    end = len(text) if end is None else end
    return make_sentences_from_ends(text, start, find_sentence_ends(text, start, end, language))


def find_sentence_ends(text: str, start: int, end: int, language: str = "", known: Known = NOTHING) -> Iterator[int]:
    """Yield where sentences of `text[start:end]` end, list markers and text without letters apart; the last is `end`.

    `known` has the ends within parts of English text; they are not looked for again.
    """
    if language not in ENGLISH:
        paragraphs = _split_paragraphs(text, start, end, WIDE.get(language, WRAPPED))
        yield from (at for low, high in paragraphs for at in _find_paragraph_ends_by_rules(text, low, high, language))
        return
    for low, high in split_at_clear_sentence_ends(text, start, end):
        bare = low, low + len(text[low:high].rstrip())
        yield from known[bare] if bare in known else _find_unclear_sentence_ends(text, *bare)
        yield high


def split_at_clear_sentence_ends(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield the parts of an English text between clear ends of sentences. Each part can be cut on its own."""
    for paragraph in _split_paragraphs(text, start, end, WRAPPED):
        for low, high in _cut_long_paragraph(text, *paragraph):
            yield from pairwise([low, *(low + at for at in _find_clear_sentence_ends(text[low:high])), high])


def make_sentences_from_ends(text: str, start: int, ends: Iterable[int]) -> Iterator[Span]:
    """Make sentences from ends. Text without a letter or digit is not a sentence, nor is a list marker alone."""
    held: Span | None = None
    waiting = False
    for end in ends:
        wordless = not _WORD_CHARACTER.search(text, start, end)
        if held and (waiting or wordless):
            start = held[0]
        elif held:
            yield held
        # a marker such as "3." belongs to the sentence after it; longer text cannot be one
        waiting = _ITEM_ALONE.match(text[start:end] if end - start < 16 else "") is not None
        held = start, end
        start = end
    if held:
        yield held


def _split_paragraphs(text: str, start: int, end: int, wrapped: int) -> Iterator[Span]:
    """Yield spans that cover `text[start:end]`. Wrapped lines stay together."""
    low, line = start, start
    for match in _LINE_END.finditer(text, start, end):
        after = match.end()
        if after < end and _is_paragraph_end(text, (line, match.start()), after, end, wrapped):
            yield low, after
            low = after
        line = after
    if low < end:
        yield low, end


def _is_paragraph_end(text: str, line: Span, after: int, end: int, wrapped: int) -> bool:
    if len(text[line[0] : min(line[1], line[0] + 4 * wrapped)].strip()) < wrapped:
        return True
    following = text[after : min(after + 16, end)]
    return not following.strip(" \t") or following.lstrip(" \t")[0] in "\r\n" or _STARTS_ITEM.match(following) is not None


def _cut_long_paragraph(text: str, start: int, end: int) -> Iterator[Span]:
    """Cut a long paragraph where a sentence certainly ends, else at a line end, else between words, else between letters."""
    while end - start > LONGEST_PIECE:
        cut = _find_paragraph_cut(text, start, start + LONGEST_PIECE)
        yield start, cut
        start = cut
    if start < end:
        yield start, end


def _find_paragraph_cut(text: str, start: int, limit: int) -> int:
    for pattern in (_SURE_END, _LINE_END, _SPACE):
        found = [match.end() for match in pattern.finditer(text, start + LONGEST_PIECE // 2, limit)]
        if found:
            return found[-1]
    return find_nearest_break(text, limit, start, min(len(text), limit + LONGEST_PIECE))


def _find_paragraph_ends_by_rules(text: str, start: int, end: int, language: str) -> Iterator[int]:
    """Yield the ends of the sentences of a paragraph by the rules of its language; a very long sentence is cut."""
    for at in find_sentence_ends_by_rules(text, start, end, language):
        yield from (high for _, high in _cut_long_paragraph(text, start, at))
        start = at


def _find_clear_sentence_ends(piece: str) -> list[int]:
    """Return the sentence ends that need no pysbd: after a whole word, outside quotes and brackets."""
    found = list(_CLEAR_END.finditer(piece))
    if not found or _SINGLE_QUOTE.search(piece):
        return []
    enclosed = _find_quotes_and_brackets(piece)
    ends = [match.end() for match in found if match.group(1).lower() not in list_english_abbreviations()]
    return [at for at in ends if not any(low < at <= high for low, high in enclosed)]


def _find_unclear_sentence_ends(text: str, start: int, end: int) -> list[int]:
    """Return where sentences end within `text[start:end]`, which has no white space at its end."""
    piece = text[start:end]
    if not _may_contain_sentence_end(piece):
        return []
    prose = not _LONG_WORD.search(piece) and len(_NUMBER_ITEM.findall(piece)) <= MOST_ITEMS
    found = _find_sentence_ends_by_pysbd(_SPACE.sub(" ", piece)) if prose else None
    if found is None:
        found = [match.end() for match in _PLAIN_END.finditer(piece)]
    return [start + at for at in found if 0 < at < len(piece) and not _is_in_address(piece, at)]


def _is_in_address(piece: str, at: int) -> bool:
    """Return whether `at` lies within an address, whose marks end no sentence."""
    if piece[at - 1].isspace():
        return False
    before, after = _LAST_WORD.search(piece, max(0, at - LONGEST_WORD), at), _FIRST_WORD.match(piece, at)
    return before is not None and after is not None and _ADDRESS.search(before[0] + after[0]) is not None


def _may_contain_sentence_end(piece: str) -> bool:
    """Return whether a sentence may end within `piece`: not after a title before a name, and not in quotes or brackets."""
    found = list(_QUESTION.finditer(piece))
    if not found or _SINGLE_QUOTE.search(piece):
        return bool(found)
    titles = {match.end() for match in _TITLE.finditer(piece)}
    enclosed = (
        [span for span in _find_quotes_and_brackets(piece) if piece[span[1] - 1] in CLOSING] if len(titles) < len(found) else []
    )
    spaces = [match.end() - 1 for match in found if match.end() - 1 not in titles]
    return any(not any(low < at < high for low, high in enclosed) for at in spaces)


def _find_quotes_and_brackets(piece: str) -> list[Span]:
    """Return the spans of quotes and brackets. One that is never closed reaches to the end."""
    return [match.span() for match in _ENCLOSED.finditer(piece)]


@lru_cache(maxsize=REMEMBERED_PIECES)
def _find_sentence_ends_by_pysbd(piece: str) -> list[int] | None:
    """Return where pysbd's sentences end in `piece`, white space after them included; None if a sentence is not found."""
    ends = []
    cursor = _skip_white_space(piece, 0)
    for sentence in make_english_segmenter()(piece):
        sentence = sentence.strip()
        if not piece.startswith(sentence, cursor):
            return None
        cursor = _skip_white_space(piece, cursor + len(sentence))
        ends.append(cursor)
    return ends if cursor == len(piece) else None


def _skip_white_space(piece: str, at: int) -> int:
    match = _SPACES.match(piece, at)
    return match.end() if match else at


@cache
def make_english_segmenter() -> Callable[[str], list[str]]:
    """Return pysbd for English, with two repairs that only improve its results.

    The replacement of abbreviations, which takes most of its time, is done in one pass. The expression for numbered references,
    which takes exponential time on long numbers, is replaced.
    """
    from pysbd.lang.english import English
    from pysbd.processor import Processor

    class Replacer(English.AbbreviationReplacer):  # type: ignore[misc]
        def search_for_abbreviations_in_string(self, text: str) -> str:
            for pattern in _compile_abbreviation_patterns() if "." in text else ():
                text = pattern.sub(r"\1∯", text)
            return text

    class Language(English):  # type: ignore[misc]
        AbbreviationReplacer = Replacer
        NUMBERED_REFERENCE_REGEX = r"(?<=[^\d\s])(\.|∯)((\[\d{1,3}(\s?[,;-]\s?\d{1,3})*\])+|((\d{1,3}\s?)?\d{1,3}))(\s)(?=[A-Z])"

    return lambda piece: Processor(piece, Language).process() or []


@cache
def list_english_abbreviations() -> frozenset[str]:
    """Return the words that a full stop may follow without ending a sentence."""
    from pysbd.lang.english import English

    listed = [*English.Abbreviation.ABBREVIATIONS, *English.Abbreviation.PREPOSITIVE_ABBREVIATIONS]
    own = [*NUMBER_ABBREVIATIONS, *NAME_ABBREVIATIONS, *OTHER_ABBREVIATIONS, *English.Abbreviation.NUMBER_ABBREVIATIONS]
    return frozenset(word.lower() for word in (*listed, *own))


@cache
def _compile_abbreviation_patterns() -> tuple[re.Pattern[str], ...]:
    """Return expressions for abbreviations whose full stop ends no sentence: before names, before numbers, and the others."""
    from pysbd.lang.english import English

    names = {*English.Abbreviation.PREPOSITIVE_ABBREVIATIONS, *NAME_ABBREVIATIONS}
    numbers = {*English.Abbreviation.NUMBER_ABBREVIATIONS, *NUMBER_ABBREVIATIONS} - names
    others = {*English.Abbreviation.ABBREVIATIONS, *OTHER_ABBREVIATIONS} - names - numbers
    followed = {r"\s|:\d": names, r"\s\d|\s+\(": numbers, r"[.:\-?,]|\s(?:[a-z\d(]|I\s|I'm|I'll)": others}
    return tuple(
        re.compile(rf"(?<!\S)((?i:{'|'.join(map(re.escape, sorted(words)))}))\.(?={what})") for what, words in followed.items()
    )


class ChunkEnds(NamedTuple):
    """A chunk of prose: its span, and where parts of its sentences end (see `find_relative_sentence_ends`); None if unknown."""

    start: int
    end: int
    ends: Sequence[int] | None = None


def find_relative_sentence_ends(text: str, start: int, end: int, language: str) -> list[int]:
    """Return where sentences of `text[start:end]` end, counted from `start`, without its own end.

    A list marker, and what has no letter, stand apart: to which sentence they belong depends on what is before the chunk.

    >>> find_relative_sentence_ends("Dr. Li left. She ran.", 0, 21, "en")
    [13]
    """
    return [at - start for at in find_sentence_ends(text, start, end, language)][:-1]


def split_run_by_chunk_ends(text: str, run: Span, chunks: Sequence[ChunkEnds], language: str) -> Iterator[Span]:
    """Yield what `find_sentence_spans(text, *run, language)` yields; `run` is covered by `chunks`, whose ends are used.

    Where chunks meet within a paragraph, what none of them has as a whole is cut anew. Other languages than English are cut
    anew at once: their rules take little time.
    """
    [first, *others] = chunks
    if not others and first.ends is not None and run == (first.start, first.end):
        return make_sentences_from_ends(text, first.start, [*(first.start + at for at in first.ends), first.end])
    kept = [chunk for chunk in chunks if chunk.ends is not None] if language in ENGLISH else []
    known = dict(inner for chunk in kept for inner in _pair_parts_with_ends(text, chunk.start, chunk.end, chunk.ends or ()))
    return make_sentences_from_ends(text, run[0], find_sentence_ends(text, *run, language, known))


def _pair_parts_with_ends(text: str, start: int, end: int, ends: Sequence[int]) -> Iterator[tuple[Span, list[int]]]:
    """Yield the parts of a chunk as `find_sentence_ends` looks them up, each with the ends within it."""
    for low, high in split_at_clear_sentence_ends(text, start, end):
        bare = low + len(text[low:high].rstrip())
        yield (low, bare), [start + at for at in ends if low < start + at < bare]
