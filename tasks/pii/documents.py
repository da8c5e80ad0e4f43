"""Documents: personal data is found in all texts of a staged row, and replaced in all of them, as its kind's action says."""

import html
import json
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar, cast

from schemas.records import (
    BBox,
    DescribedDocument,
    DescribedFigure,
    Element,
    FigureWord,
    Link,
    ParsedDocument,
    ParsedFigure,
    PiiFinding,
    PlacedElement,
    Properties,
    Reason,
)
from tasks.pii.pictures import blank_picture, paint_over
from tasks.pii.recognisers import REPLACING, Recogniser, Span, find_matches
from tasks.pii.values import Redacted, Values, make_digest, redact

SEPARATOR = "\n\n"
Piece = tuple[str, BBox]
"""A word or line in a picture, and its box in pixels from the top left."""
ReadPictures = Callable[[Sequence[bytes]], list[list[Piece]]]
AnyElement = TypeVar("AnyElement", Element, PlacedElement)


class Layout(NamedTuple):
    """All elements in one text, in which a value may go from one to the next, and the span of each."""

    text: str
    spans: list[Span]


def lay_out(text: str | None, elements: Sequence[Element]) -> Layout:
    """Return `text`, if there is one, followed by all elements that are not part of it."""
    parts, end, spans = [text or ""], len(text or ""), list[Span]()
    for element in elements:
        start, stop = element.get("start_char"), element.get("end_char")
        if text is None or start is None or stop is None:
            joined = element.get("joined_by")
            parts += [SEPARATOR if text is not None or joined is None else joined, element["text"]]
            start, stop = end + len(parts[-2]), end + len(parts[-2]) + len(element["text"])
            end = stop
        spans.append((start, stop))
    return Layout("".join(parts), spans)


class Screen:
    """What is looked for in documents, and what is done about it."""

    def __init__(self, recognisers: Mapping[str, Recogniser], actions: Mapping[str, str], key: bytes) -> None:
        """`actions` says for each kind what is done: report, redact or reject. Values are told by hashes with `key`."""
        self._recognisers, self._actions, self._key = recognisers, actions, key
        self._redacted = {kind for kind, action in actions.items() if action == "redact"}
        self._reads_pictures = not REPLACING.isdisjoint(actions.values())

    def screen_parsed(self, row: ParsedDocument, read: ReadPictures) -> tuple[ParsedDocument, list[PiiFinding]]:
        """Return a row of PARSED as it may be kept, and what was found. Values that `read` sees in pictures are painted over."""
        pictured = _read_figures(row["figures"], read) if self._reads_pictures else [list[Piece]() for _ in row["figures"]]
        others = [
            *_list_texts(row["elements"], row["rejects"]),
            *((None, text) for text in _list_property_texts(row["properties"])),
        ]
        others += [(figure["position"], _join(pieces)) for figure, pieces in zip(row["figures"], pictured, strict=True)]
        layout = lay_out(row["text"], row["elements"])
        known = self._learn(layout, others)
        findings = self._list_findings(known, layout, row["elements"], others)
        if not self._redacted:
            return row, findings
        hidden = self._choose(known)
        whole = redact(layout.text, hidden.find(layout.text))
        figures = [_redact_figure(figure, pieces, hidden) for figure, pieces in zip(row["figures"], pictured, strict=True)]
        kept: ParsedDocument = {
            **row,
            "text": None if row["text"] is None else whole.text[: whole.move(len(row["text"]))],
            "properties": _redact_properties(row["properties"], hidden),
            "elements": _redact_elements(row["elements"], layout, whole, hidden),
            "figures": figures,
            "rejects": _redact_rejects(row["rejects"], hidden),
        }
        return kept, findings

    def screen_described(
        self, row: DescribedDocument, before: Sequence[PiiFinding]
    ) -> tuple[DescribedDocument, list[PiiFinding]]:
        """Return a row of DESCRIBED as it may be kept, and what was found in all, `before` included."""
        others = [*_list_texts(row["elements"], row["rejects"])]
        others += [(figure["position"], text) for figure in row["figures"] for text in _list_figure_texts(figure)]
        layout = lay_out(row["text"], row["elements"])
        known = self._learn(layout, others)
        told = {_identify(finding) for finding in before}
        added = [one for one in self._list_findings(known, layout, row["elements"], others) if _identify(one) not in told]
        if not self._redacted:
            return row, [*before, *added]
        hidden = self._choose(known)
        whole = redact(layout.text, hidden.find(layout.text))
        kept: DescribedDocument = {
            "text": whole.text[: whole.move(len(row["text"]))],
            "elements": _redact_elements(row["elements"], layout, whole, hidden),
            "figures": [_redact_described_figure(figure, hidden) for figure in row["figures"]],
            "rejects": _redact_rejects(row["rejects"], hidden),
        }
        return kept, [*before, *added]

    def list_refusals(self, findings: Iterable[PiiFinding]) -> list[PiiFinding]:
        """Return what was found of kinds whose documents are rejected."""
        return [finding for finding in findings if self._actions[finding["kind"]] == "reject"]

    def _learn(self, layout: Layout, others: Sequence[tuple[int | None, str]]) -> Values:
        """Find values by all recognisers, as they are written in texts and in HTML."""
        kinds: dict[str, str] = {}
        for text in (layout.text, SEPARATOR.join(text for _, text in others)):
            for start, end, kind in find_matches(text, self._recognisers):
                kinds.setdefault(text[start:end], kind)
        return Values({**{html.escape(value): kind for value, kind in kinds.items()}, **kinds})

    def _choose(self, known: Values) -> Values:
        """Return the values that are replaced."""
        return Values({value: kind for value, kind in known.kinds.items() if kind in self._redacted})

    def _list_findings(
        self, known: Values, layout: Layout, elements: Sequence[Element], others: Sequence[tuple[int | None, str]]
    ) -> list[PiiFinding]:
        """Return a finding for each place of a value in the elements, and for those that stand elsewhere only."""
        order = sorted(range(len(elements)), key=lambda at: layout.spans[at])
        starts = [layout.spans[at][0] for at in order]
        found: list[PiiFinding] = []
        for start, end, kind in known.find(layout.text):
            at = bisect_right(starts, start) - 1
            element = elements[order[at]] if at >= 0 else None
            found.append(self._make_finding(element, kind, layout.text[start:end]))
        told = {_identify(finding) for finding in found}
        digests = {finding["digest"] for finding in found}
        for position, text in others:
            for start, end, kind in known.find(text):
                one = self._make_finding(None if position is None else elements[position], kind, html.unescape(text[start:end]))
                if _identify(one) not in told and (position is not None or one["digest"] not in digests):
                    told.add(_identify(one))
                    found.append(one)
        return found

    def _make_finding(self, element: Element | None, kind: str, value: str) -> PiiFinding:
        return {
            "page_number": element["page_number"] if element else 0,
            "bbox": element.get("bbox") if element else None,
            "place": element.get("place") if element else None,
            "kind": kind,
            "digest": make_digest(self._key, kind, value),
        }


def _identify(finding: PiiFinding) -> tuple[int, str, str]:
    return finding["page_number"], finding["kind"], finding["digest"]


def _list_texts(elements: Sequence[Element], rejects: Sequence[Reason]) -> Iterator[tuple[int | None, str]]:
    """Yield the texts beside those of the elements, with the position of the element that they belong to."""
    for position, element in enumerate(elements):
        texts = [
            element.get("html"),
            element.get("place"),
            *(part for link in element.get("links") or () for part in link.values()),
        ]
        yield from ((position, str(text)) for text in texts if text)
    yield from ((None, f"{reject['message']} {reject['remedy']}") for reject in rejects)


def _list_property_texts(properties: Properties) -> Iterator[str]:
    return (str(value) for value in properties.values() if value)


def _list_figure_texts(figure: DescribedFigure) -> tuple[str, ...]:
    return figure["ocr_text"], figure["description"], figure["caption"] or ""


def _redact_text(text: str, hidden: Values) -> str:
    return redact(text, hidden.find(text)).text


def _redact_elements(elements: Sequence[AnyElement], layout: Layout, whole: Redacted, hidden: Values) -> list[AnyElement]:
    kept: list[AnyElement] = []
    for element, (start, end) in zip(elements, layout.spans, strict=True):
        moved = whole.move(start), whole.move(end)
        as_laid_out = layout.text[start:end] == element["text"]
        changed: dict[str, Any] = {**element}
        changed["text"] = whole.text[slice(*moved)] if as_laid_out else _redact_text(element["text"], hidden)
        if element.get("start_char") is not None:
            changed["start_char"], changed["end_char"] = moved
        changed |= {name: _redact_text(str(text), hidden) for name in ("html", "place") if (text := changed.get(name))}
        if links := element.get("links"):
            changed["links"] = [
                Link(text=_redact_text(one["text"], hidden), uri=_redact_text(one["uri"], hidden)) for one in links
            ]
        if "section" in changed:
            changed["section"] = [_redact_text(heading, hidden) for heading in changed["section"]]
        kept.append(cast(AnyElement, changed))
    return kept


def _redact_properties(properties: Properties, hidden: Values) -> Properties:
    named = {name: value and _redact_text(str(value), hidden) for name, value in properties.items() if name != "extra"}
    extra = json.dumps(_redact_value(json.loads(properties["extra"]), hidden), ensure_ascii=False)
    return cast(Properties, {**named, "extra": extra if extra != properties["extra"] else properties["extra"]})


def _redact_value(value: object, hidden: Values) -> object:
    """Return a JSON value without the hidden ones: a number that is one becomes a placeholder."""
    if isinstance(value, dict):
        return {_redact_text(str(name), hidden): _redact_value(inner, hidden) for name, inner in value.items()}
    if isinstance(value, list):
        return [_redact_value(inner, hidden) for inner in value]
    text = str(value)
    redacted = _redact_text(text, hidden)
    return value if redacted == text else redacted


def _redact_rejects(rejects: Sequence[Reason], hidden: Values) -> list[Reason]:
    return [
        {**one, "message": _redact_text(one["message"], hidden), "remedy": _redact_text(one["remedy"], hidden)} for one in rejects
    ]


def _read_figures(figures: Sequence[ParsedFigure], read: ReadPictures) -> list[list[Piece]]:
    """Return the words of each figure, and what OCR reads in those that are no drawings; equal pictures are read once."""
    images = [*dict.fromkeys(figure["image"] for figure in figures if figure["raster"] or not figure["words"])]
    lines = dict(zip(images, read(images), strict=True)) if images else {}
    return [[(word["text"], _as_box(word)) for word in figure["words"]] + lines.get(figure["image"], []) for figure in figures]


def _as_box(word: FigureWord) -> BBox:
    return {"x0": word["x0"], "y0": word["y0"], "x1": word["x1"], "y1": word["y1"]}


def _join(pieces: Sequence[Piece]) -> str:
    return " ".join(text for text, _ in pieces)


def _redact_figure(figure: ParsedFigure, pieces: Sequence[Piece], hidden: Values) -> ParsedFigure:
    """Paint over the pieces that hold a value. The first of its words becomes the placeholder, others go."""
    text = _join(pieces)
    matches = hidden.find(text)
    if not matches:
        return figure
    boxes, words, start = list[BBox](), list[FigureWord](), 0
    for at, (piece, box) in enumerate(pieces):
        end = start + len(piece)
        touching = [match for match in matches if match.start < end and start < match.end]
        boxes += [box] if touching else []
        if at < len(figure["words"]):
            begun = [match._replace(start=max(0, match.start - start), end=min(end, match.end) - start) for match in touching]
            left = redact(piece, [match for match in begun if match.end > 0]).text if begun else piece
            again = touching and touching[0].start < start and touching[0].end >= end
            words += [] if again else [{**figure["words"][at], "text": left}]
        start = end + 1
    return {**figure, "image": paint_over(figure["image"], boxes), "words": words}


def _redact_described_figure(figure: DescribedFigure, hidden: Values) -> DescribedFigure:
    """Replace values in the texts of a figure; what OCR read only now is still in its picture, which is blanked."""
    before = _list_figure_texts(figure)
    text, description, caption = (_redact_text(one, hidden) for one in before)
    return {
        **figure,
        "ocr_text": text,
        "description": description,
        "caption": caption if figure["caption"] is not None else None,
        "thumbnail": figure["thumbnail"] if text == before[0] else blank_picture(figure["thumbnail"]),
    }
