"""Named places: the pages, tables, figures and sections that a question names by their numbers, and the chunks located there.

"page 12", "pp. 3-5", "Table 3", "Figure 2-1", "section 4.2", "Item 7A", "Seite 12", "таблица 3", "3. táblázat", "第4章".

Words for them are listed in the languages of documents. Each is the beginning of a word, in lower case; an ending of some letters
is a case or a plural. Words of three letters or fewer are abbreviations, and have none; those of one letter have a dot.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

MOST_PAGES = 20
"""A range of more pages is no place."""
MOST_RANGES = 20
"""Pages or ranges that follow the first one in a list: from each place of a longer one, all of it would be read again."""
ENDING = 4
"""Letters that a word may have behind its beginning."""
ABBREVIATED = 3
"""Words of so many letters have no ending, and those of one letter have a dot."""
DASHES = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"))
PAGE_WEIGHT = 0.5
"""Who names a page may err, and asks for more than the page. With 1, right pages gain no more than wrong ones lose."""
LEAST_PRINTED = 3
"""Pages whose printed numbers must agree before their offset is known."""
SAME_LETTERS = 3
"""Items are no notes: what a section is called in the question and in its heading begins with the same letters."""

BEFORE: Mapping[str, Sequence[str]] = {
    "page": (
        "page pp pg pgs p s seite página pág pàgina pàgines pagina pagine pag bladzijde blz strana straně strany strán "
        "stránk stranic stran str side sidan sidor lehekülg lehekülje lk sivu oldal halaman hlm hal puslap psl lappus "
        "lpp stron sayfa trang страниц стр \u0441 сторінк стор σελίδα σελ صفحة الصفحة صفحه עמוד पृष्ठ หน้า"
    ).split(),
    "table": (
        "table tab tabelle tableau tabla taula tabella tabela tabele tabeli tabel tabulka tabulk tabuľka tabula tablo "
        "táblázat taulukko tabell lentel bảng quadro таблиц табл πίνακα جدول الجدول טבלה तालिका ตาราง"
    ).split(),
    "figure": (
        "figure fig abbildung abb bild figur figura obrázek obrázk obrázok obr rysunek rysunk rys ábra kuva kuvio şekil "
        "gambar attēl joonis slika slik paveiksl pav hình diagram chart рисунок рисунк рис фигура слика σχήμα εικόνα "
        "شكل الشكل איור आकृति รูป"
    ).split(),
    "section": (
        "section sect sec chapter chap appendix annex item note article clause part exhibit schedule paragraph "
        "abschnitt kapitel kap anhang artikel teil chapitre annexe partie sección capítulo apartado anexo artículo "
        "parte secció capítol sezione capitolo allegato articolo seção secção artigo hoofdstuk paragraaf sectie bijlage "
        "avsnitt bilaga afsnit bilag kapittel luku osa liite oddíl kapitol část příloha rozdział sekcj załącznik "
        "poglavlje odjeljak fejezet szakasz függelék bölüm secțiune capitolul peatükk nodaļa skyrius bab bagian chương "
        "mục раздел глав пункт приложени часть розділ додаток ενότητα κεφάλαιο παράρτημα القسم الفصل قسم فصل סעיף פרק "
        "अध्याय अनुभाग บท"
    ).split(),
}
"""Words that a number follows: Table 3, Seite 12."""

AFTER: Mapping[str, Sequence[str]] = {
    "page": ("oldal", "sayfa", "lappus", "lpp", "puslap", "psl"),
    "table": ("táblázat", "tabula", "lentel", "tablo"),
    "figure": ("ábra", "attēl", "paveiksl", "pav", "şekil"),
    "section": ("fejezet", "szakasz", "nodaļa", "skyri", "bölüm"),
}
"""Words that follow a number: 3. táblázat."""

UNSPACED_BEFORE: Mapping[str, str] = {
    "page": "页|頁|ページ",
    "table": "表格|表|표",
    "figure": "图|圖|図|그림",
    "section": "附录|附錄|付録|부록",
}
UNSPACED_AFTER: Mapping[str, str] = {
    "page": "页|頁|ページ|페이지|쪽|面",
    "table": "表",
    "figure": "图|圖|図",
    "section": "章|节|節|部分|条|條|款|장|절|조",
}
"""The same where no blanks part words."""

_NUMBER_ENDS = r"(?![0-9A-Za-z]|[.\-]\d)"

_NUMBER = r"(?-i:[A-Z][.\-]?)?\d{1,4}(?:[.\-]\d{1,4})*(?-i:[A-Za-z](?![A-Za-z]))?"
_LETTER = r"(?-i:[IVX]{1,5}|[A-Z])"
_RANGE = r"\d{1,5}(?:\s?-\s?\d{1,5})?"
_PAGES = rf"{_RANGE}(?:\s?(?:,|&|and|und|et|y|e|en|i|и|og|och|、|和|と)\s?{_RANGE}){{0,{MOST_RANGES}}}"


class Part(NamedTuple):
    """A table, figure or section: its kind, what it is called in lower case ("" for §), and its number in upper case."""

    kind: str
    word: str
    number: str


class NamedPlaces(NamedTuple):
    """The pages and parts that a question names, and the question without its pages: their numbers stand in no text."""

    pages: frozenset[int]
    parts: frozenset[Part]
    rest: str

    @property
    def names_any(self) -> bool:
        """Whether the question names a place."""
        return bool(self.pages or self.parts)


def _make_word_pattern(words: Iterable[str]) -> str:
    """Return a pattern for words with their endings and dots."""
    return "|".join(
        re.escape(word) + (r"\." if len(word) == 1 else r"\.?" if len(word) <= ABBREVIATED else rf"[^\W\d_]{{0,{ENDING}}}\.?")
        for word in sorted(words, key=len, reverse=True)
    )


def _make_place_patterns(kind: str, number: str) -> list[re.Pattern[str]]:
    """Return patterns for a number behind a word, before it, and the same where no blanks part words."""
    return [
        re.compile(pattern, re.IGNORECASE)
        for pattern in (
            rf"(?<![\w.])(?P<word>{_make_word_pattern(BEFORE[kind])})\s{{0,2}}(?P<number>{number}){_NUMBER_ENDS}",
            rf"(?<![\w.])(?P<number>{number})\.?\s(?P<word>{_make_word_pattern(AFTER[kind])})(?!\w)",
            rf"(?P<word>{UNSPACED_BEFORE[kind]})\s?(?P<number>{number}){_NUMBER_ENDS}",
            rf"[第제]?\s?(?<![0-9A-Za-z.\-])(?P<number>{number})\s?(?P<word>{UNSPACED_AFTER[kind]})",
        )
    ]


_PAGE = _make_place_patterns("page", _PAGES)
_PARTS = {kind: _make_place_patterns(kind, f"{_NUMBER}|{_LETTER}") for kind in BEFORE if kind != "page"}
_SIGN = re.compile(rf"§\s?(?P<number>{_NUMBER})")
_DIGITS = re.compile(r"\d+")
_CALLED = {
    kind: re.compile(f"{_make_word_pattern({*BEFORE[kind], *AFTER[kind]})}|{UNSPACED_BEFORE[kind]}", re.IGNORECASE)
    for kind in BEFORE
}
_PRINTED = re.compile(r"\D{0,40}?(?<![\d.,])(\d{1,4})(?![\d.,]\d|\d)\D{0,40}")


def find_named_places(question: str) -> NamedPlaces:
    """Return the places that a question names.

    >>> named = find_named_places("Was zeigt Tabelle 3.1 auf S. 12?")
    >>> sorted(named.pages), sorted(named.parts), named.rest
    ([12], [Part(kind='table', word='tabelle', number='3.1')], 'Was zeigt Tabelle 3.1 auf ?')
    """
    plain = convert_to_ascii_digits(question)
    pages = frozenset(
        page for pattern in _PAGE for found in pattern.finditer(plain) for page in _parse_page_numbers(found["number"])
    )
    parts = frozenset(part for kind, patterns in _PARTS.items() for part in _find_named_parts(kind, patterns, plain))
    signs = frozenset(Part("section", "", found["number"].upper()) for found in _SIGN.finditer(plain))
    rest = plain
    for pattern in _PAGE:
        rest = pattern.sub(" ", rest)
    return NamedPlaces(pages, parts | signs, " ".join(rest.split()) if pages and rest.strip() else question)


def convert_to_ascii_digits(text: str) -> str:
    r"""Return a text with digits of all scripts as ASCII digits, and dashes as hyphens.

    >>> convert_to_ascii_digits("صفحة ١٢, 3\u20135")
    'صفحة 12, 3-5'
    """
    return _DIGITS.sub(lambda found: "".join(str(unicodedata.decimal(digit)) for digit in found[0]), text).translate(DASHES)


def _parse_page_numbers(numbers: str) -> Iterator[int]:
    for found in re.finditer(r"(\d+)(?:\s?-\s?(\d+))?", numbers):
        first, last = int(found[1]), int(found[2] or found[1])
        if first <= last < first + MOST_PAGES:
            yield from range(first, last + 1)


def _find_named_parts(kind: str, patterns: Iterable[re.Pattern[str]], question: str) -> Iterator[Part]:
    for pattern in patterns:
        for found in pattern.finditer(question):
            word, number = found["word"], found["number"]
            if any(map(str.isdigit, number)) or word[0].isupper():
                yield Part(kind, word.rstrip(".").lower(), number.upper())


def find_places_of_chunk(
    named: NamedPlaces, pages: Sequence[int], section: Sequence[str], text: str, page_offset: int = 0
) -> frozenset[object]:
    """Return the named pages and parts at which a chunk is located, from its pages, its section's path, and text with caption.

    A page is meant by its number, or by the printed one, which the number exceeds by `page_offset`.
    """
    found: set[object] = {page for page in named.pages if page in pages or page + page_offset in pages}
    return frozenset(found | {part for part in named.parts if _is_chunk_in_part(part, section, text)})


def compute_location_shares(locations: Mapping[str, frozenset[object]]) -> dict[str, float]:
    """Return for each located chunk at what share of the places it is, in (0, 1]. Places without any chunk do not count.

    A page counts PAGE_WEIGHT of a table, figure or section.

    >>> compute_location_shares({"a": frozenset([12]), "b": frozenset()})
    {'a': 0.5}
    """
    n = len(frozenset[object]().union(*locations.values()))
    return {name: sum(map(_weigh_place, places)) / n for name, places in locations.items() if places}


def find_chunks_at_all_places(locations: Mapping[str, frozenset[object]]) -> frozenset[str]:
    """Return the chunks that are located at every place at which any chunk is located.

    >>> sorted(find_chunks_at_all_places({"a": frozenset([12]), "b": frozenset()}))
    ['a']
    """
    found = frozenset[object]().union(*locations.values())
    return frozenset(name for name, places in locations.items() if places and places == found)


def _weigh_place(place: object) -> float:
    return PAGE_WEIGHT if isinstance(place, int) else 1.0


def estimate_printed_page_offset(furniture: Iterable[tuple[int, str]]) -> int:
    """Return how much the number of a page exceeds the one that is printed on it; 0 if that is not known.

    `furniture` are numbers of pages with the texts of their running headers and footers. Most pages with a number must agree.

    >>> estimate_printed_page_offset([(9, "1"), (10, "Annual report 2"), (11, "3"), (12, "2023")])
    8
    """
    numbered = [(page, found) for page, text in furniture if (found := _PRINTED.fullmatch(text.strip()))]
    counts = Counter(page - int(found[1]) for page, found in numbered)
    offset, n = counts.most_common(1)[0] if counts else (0, 0)
    return offset if n >= LEAST_PRINTED and 2 * n > len({page for page, _ in numbered}) else 0


def _is_chunk_in_part(part: Part, section: Sequence[str], text: str) -> bool:
    if part.kind == "section":
        return any(_is_heading_of_part(part, heading) for heading in section)
    found = _make_caption_pattern(part.number).finditer(convert_to_ascii_digits(text))
    return any(_CALLED[part.kind].fullmatch(caption["before"] or caption["after"]) for caption in found)


def _is_heading_of_part(part: Part, heading: str) -> bool:
    found = _make_heading_pattern(part.number).match(convert_to_ascii_digits(heading))
    word = found["word"].lower() if found and found["word"] else ""
    return bool(found) and (not word or not part.word or word[:SAME_LETTERS] == part.word[:SAME_LETTERS])


@lru_cache(maxsize=256)
def _make_caption_pattern(number: str) -> re.Pattern[str]:
    own = re.escape(number)
    before = rf"(?P<before>[^\W\d_]{{1,16}}\.?)\s{{0,3}}{own}{_NUMBER_ENDS}"
    return re.compile(rf"^[\W_]{{0,6}}(?:{before}|{own}\.?\s(?P<after>[^\W\d_]{{1,16}}\.?))", re.MULTILINE | re.IGNORECASE)


@lru_cache(maxsize=256)
def _make_heading_pattern(number: str) -> re.Pattern[str]:
    """Return a pattern for the beginning of a heading: 4.2, Section 4.2, 4.2.1, 第4章."""
    deeper = r"(?:[.\-]\d+)*" if number[-1].isdigit() else ""
    start = r"\W*(?:[第제]\s?|(?P<word>[^\W\d_]{1,16})\.?\s{0,2})?"
    return re.compile(rf"{start}{re.escape(number)}{deeper}(?![0-9A-Za-z])", re.IGNORECASE)
