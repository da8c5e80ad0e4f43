"""Levels: the level of each heading, from the outline, from numbers, and from size and weight of type.

Headings of one class, which is a type style with a numbering scheme, have the same level. Within one style, `1.1` is below `1`,
and a numbering scheme that begins inside another is below it. Larger or bolder type is above other type.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from schemas.records import Element
from schemas.tables.elements import HEADINGS, OUT_OF_TEXT

MAX_LEVEL = 6
_PARTS = "part book teil partie parte część část rész parti часть частина μέρος".split()
_CHAPTERS = """chapter kapitel chapitre capítulo capitolo capítol hoofdstuk kapittel kapitola rozdział fejezet luku bölüm
    capitolul глава розділ κεφάλαιο appendix annex anhang annexe apéndice anexo apêndice appendice bijlage bilaga bilag příloha
    dodatek függelék liite ek приложение додаток παράρτημα""".split()
_SECTIONS = """section article abschnitt artikel sección artículo sezione articolo seção secção artigo sectie paragraaf avsnitt
    afsnit oddíl szakasz раздел статья стаття ενότητα""".split()
_NUMBER = r"(?:\d+|[IVXLC]+|[A-Z])\b"
_HAN = r"\s?(?:\d+|[一二三四五六七八九十百]+)\s?"
_SCHEMES = {
    "part": re.compile(rf"^(?:(?:{'|'.join(_PARTS)})\s+{_NUMBER}|第{_HAN}(?:部|编|編|篇)|제?\s?\d+\s?부\b)", re.IGNORECASE),
    "chapter": re.compile(
        rf"^(?:(?:{'|'.join(_CHAPTERS)})\s+{_NUMBER}|第{_HAN}章|제?\s?\d+\s?장\b|(?:附录|附錄|付録|부록)\s?{_NUMBER})",
        re.IGNORECASE,
    ),
    "section": re.compile(
        rf"^(?:(?:{'|'.join(_SECTIONS)})\s+{_NUMBER}|§\s*{_NUMBER}|第{_HAN}[节節条條]|제?\s?\d+\s?[절조]\b)", re.IGNORECASE
    ),
    "decimal": re.compile(r"^(\d{1,2}(?:\.\d{1,2})*)[.):]?\s+\S"),
    "roman": re.compile(r"^[IVX]{1,6}[.):]\s+\S"),
    "letter": re.compile(r"^[A-Z][.):]\s+\S"),
}
OUTER = ("part", "chapter", "section")


class HeadingClass(NamedTuple):
    """The properties that headings of one level share. `depth` is the number of parts of a decimal number, else 1."""

    prominence: float
    scheme: str
    depth: int


def with_levels(sized: Iterable[tuple[Element, float]]) -> list[Element]:
    """Return the document's elements, titles and headings with a level. A level that they already have comes from the outline.

    Sizes are type sizes in points, plus 0.25 for bold type. The first heading is the document's title if it is on the first page
    and all others are smaller. If the outline does not contain it, the outline's headings are below it.
    """
    pairs = _with_body(list(sized))
    title = _title(pairs)
    below = int(title is not None and pairs[title][0]["level"] is None)
    heads = [(element, _class_of(element, size)) for element, size in pairs if element["kind"] in HEADINGS]
    levels = _levels(heads, below)
    return [
        _levelled(element, size, levels, "title" if n == title else element["kind"], below)
        for n, (element, size) in enumerate(pairs)
    ]


def _levelled(element: Element, size: float, levels: dict[HeadingClass, int], kind: str, below: int) -> Element:
    if kind not in HEADINGS:
        return element
    given = element["level"] and element["level"] + below
    level = 1 if kind == "title" else given or levels[_class_of(element, size)]
    return {**element, "kind": kind, "level": min(level, MAX_LEVEL)}


def _with_body(pairs: list[tuple[Element, float]]) -> list[tuple[Element, float]]:
    """Return the elements, with furniture as paragraphs if there is nothing else."""
    if any(element["kind"] not in OUT_OF_TEXT and element["text"].strip() for element, _ in pairs):
        return pairs
    return [({**element, "kind": "paragraph"} if element["kind"] == "furniture" else element, size) for element, size in pairs]


def _title(pairs: Sequence[tuple[Element, float]]) -> int | None:
    """Return the index of the title, unless the outline has it at its top level together with other headings."""
    heads = [(n, element, size) for n, (element, size) in enumerate(pairs) if element["kind"] in HEADINGS]
    if not heads or any(element["kind"] == "title" for _, element, _ in heads):
        return next((n for n, element, _ in heads if element["kind"] == "title"), None)
    first, element, size = heads[0]
    others = [other for _, _, other in heads[1:]]
    siblings = element["level"] is not None and sum(e["level"] == element["level"] for _, e, _ in heads) > 1
    unlike = element["page_number"] == pairs[0][0]["page_number"] and size > max(others, default=0.0) and not siblings
    return first if unlike and not scheme_of(element["text"])[0] else None


def scheme_of(text: str) -> tuple[str, int]:
    """Return the numbering scheme of a heading, "" for none, and how many parts its number has.

    >>> scheme_of("2.1 Sails"), scheme_of("IV. Ropes"), scheme_of("Chapter 3: Knots"), scheme_of("Anchors")
    (('decimal', 2), ('roman', 1), ('chapter', 1), ('', 1))
    """
    for name, pattern in _SCHEMES.items():
        found = pattern.match(text)
        if found:
            return name, found[1].count(".") + 1 if name == "decimal" else 1
    return "", 1


def _class_of(element: Element, size: float) -> HeadingClass:
    return HeadingClass(round(size * 4) / 4, *scheme_of(element["text"]))


def _levels(heads: Sequence[tuple[Element, HeadingClass]], below: int) -> dict[HeadingClass, int]:
    """Return the level of each class, the most prominent first. The level that the outline mostly gives a class has priority."""
    given: dict[HeadingClass, Counter[int]] = defaultdict(Counter)
    for element, cls in heads:
        if element["level"] is not None:
            given[cls][element["level"] + below] += 1
    order = [cls for _, cls in heads]
    levels: dict[HeadingClass, int] = {}
    by_style = sorted(dict.fromkeys(order), key=lambda cls: -cls.prominence)
    for _, members in groupby(by_style, key=lambda cls: cls.prominence):
        start = 1 + max(levels.values(), default=0)
        for cls, depth in _nested(list(members), order).items():
            levels[cls] = given[cls].most_common(1)[0][0] if cls in given else _by_number(cls, levels) or start + depth
    return levels


def _by_number(cls: HeadingClass, levels: dict[HeadingClass, int]) -> int:
    """Return the level of a class of decimal numbers below one with fewer parts; 0 if there is none."""
    known = {other.depth: level for other, level in levels.items() if other.scheme == cls.scheme == "decimal"}
    nearest = max((depth for depth in known if depth <= cls.depth), default=0)
    return known[nearest] + cls.depth - nearest if nearest and cls.depth > 1 else 0


def _nested(classes: Sequence[HeadingClass], order: Sequence[HeadingClass]) -> dict[HeadingClass, int]:
    """Return the nesting depth of each class of one style, outermost first. Classes without numbers are outermost."""
    counted = [cls for cls in classes if cls.scheme]
    first = {scheme: n for n, scheme in enumerate(dict.fromkeys([*OUTER, *(cls.scheme for cls in order)]))}
    depths = {cls: 0 for cls in classes if not cls.scheme}
    for cls in sorted(counted, key=lambda cls: (first[cls.scheme], cls.depth)):
        around = [known for known in depths if known.scheme and _encloses(order, known, cls)]
        depths[cls] = 1 + max((depths[known] for known in around), default=-1)
    return depths


def _encloses(order: Sequence[HeadingClass], outer: HeadingClass, inner: HeadingClass) -> bool:
    """Return whether `inner` is numbered within `outer`: by its number, or because it occurs between two headings of `outer`.

    Appendices, which come after the last chapter, have the level of chapters.
    """
    if outer.scheme == inner.scheme or outer.scheme in OUTER:
        return outer.depth < inner.depth or outer.scheme != inner.scheme
    places = [n for n, cls in enumerate(order) if cls == outer]
    return any(places[0] < n < places[-1] for n, cls in enumerate(order) if cls == inner)
