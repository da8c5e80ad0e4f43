"""Values are replaced in all that a row says, and offsets are those of the redacted text."""

import io
import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from schemas.records import NO_PROPERTIES, DescribedDocument, Element, ParsedDocument
from tasks.parse.elements.assembly import assemble
from tasks.pii.documents import Screen
from tasks.pii.recognisers import Match, make_recognisers
from tasks.pii.values import Values, redact

MAIL, CARD = "ada@example.org", "4111 1111 1111 1111"


def screen(actions: dict[str, str], **patterns: str) -> Screen:
    return Screen(make_recognisers(actions, patterns), actions, b"key")


def element(text: str, **more: Any) -> Element:
    given = {"page_number": 1, "kind": "paragraph", "text": text, "bbox": None, "html": None, "links": None, "place": None}
    return {**given, **more}  # type: ignore[typeddict-item]


def parsed(*elements: Element, **more: Any) -> ParsedDocument:
    row = {"text": None, "properties": NO_PROPERTIES, "pages": [], "elements": [*elements], "figures": [], "rejects": []}
    return {**row, **more}  # type: ignore[typeddict-item]


def redacted(row: ParsedDocument, *kinds: str) -> ParsedDocument:
    return screen(dict.fromkeys(kinds or ("email", "card"), "redact")).screen_parsed(row, lambda images: [[] for _ in images])[0]


pieces = st.lists(st.sampled_from([MAIL, CARD, "word", "12", " and ", "\n"]), min_size=1, max_size=8).map(" ".join)


@given(st.lists(pieces, min_size=1, max_size=6), st.booleans())
def test_offsets_are_exact_in_the_redacted_text(texts: list[str], given_text: bool) -> None:
    whole = assemble([element(text) for text in texts])
    row = parsed(*whole.elements, text=whole.text) if given_text else parsed(*map(element, texts))
    kept = redacted(row)
    said = kept["text"] if given_text else assemble(kept["elements"]).text
    assert said is not None
    assert MAIL not in said and CARD not in said
    assert said == "\n\n".join(text.replace(MAIL, "[EMAIL]").replace(CARD, "[CARD]") for text in texts if text.strip())
    for one in kept["elements"] if given_text else ():
        start, end = one.get("start_char"), one.get("end_char")
        assert start is None or one["text"] == said[start:end]


def test_a_value_that_a_page_break_parts_is_replaced_in_both_parts() -> None:
    kept = redacted(parsed(element("Pay by 4111 1111"), element("1111 1111 now.", page_number=2, joined_by=" ")))
    assert [one["text"] for one in kept["elements"]] == ["Pay by [CARD]", " now."]


def test_all_that_a_row_says_is_redacted() -> None:
    row = parsed(
        element(
            f"| {MAIL} |", kind="table", html=f"<td>{MAIL}</td>", links=[{"text": MAIL, "uri": f"mailto:{MAIL}"}], place=MAIL
        ),
        properties={**NO_PROPERTIES, "author": MAIL, "extra": json.dumps({"cards": [4111111111111111, 7], MAIL: True})},
        rejects=[{"step": "parse", "page_number": 1, "error": "E", "message": f"bad {MAIL}", "remedy": "mend", "final": True}],
    )
    kept = redacted(row)
    assert MAIL not in json.dumps(kept) and "4111" not in json.dumps(kept)
    assert json.loads(kept["properties"]["extra"]) == {"cards": ["[CARD]", 7], "[EMAIL]": True}
    assert kept["elements"][0]["links"] == [{"text": "[EMAIL]", "uri": "mailto:[EMAIL]"}]


def test_only_what_is_to_be_redacted_is_replaced_and_all_is_reported() -> None:
    row = parsed(element(f"{MAIL} or {CARD}", page_number=3), element(f"again {MAIL}", page_number=4))
    kept, found = screen({"email": "report", "card": "redact"}).screen_parsed(row, lambda images: [])
    assert kept["elements"][0]["text"] == f"{MAIL} or [CARD]"
    assert [(one["kind"], one["page_number"]) for one in found] == [("email", 3), ("card", 3), ("email", 4)]
    assert found[0]["digest"] == found[2]["digest"] != found[1]["digest"]
    assert MAIL not in json.dumps(found)


def test_own_patterns_are_redacted_to_whole_words() -> None:
    kept, _ = screen({"staff": "redact"}, staff=r"EMP-\d{4}").screen_parsed(parsed(element("By XEMP-12345b.")), lambda images: [])
    assert kept["elements"][0]["text"] == "By [STAFF]."


def picture(size: tuple[int, int] = (60, 20)) -> bytes:
    sink = io.BytesIO()
    Image.new("RGB", size, "white").save(sink, "PNG")
    return sink.getvalue()


def test_a_value_in_a_picture_is_painted_over_and_its_words_go() -> None:
    word = {"y0": 2, "y1": 8, "size": 6.0, "turn": 0, "line": 1}
    words = [
        {**word, "text": text, "x0": at, "x1": at + 8}
        for at, text in ((2, "Pay"), (12, "4111"), (22, "111111111111"), (32, "now"))
    ]
    figure = {"position": 0, "image": picture(), "words": words, "raster": 0.0}
    kept = redacted(parsed(element("Pay 4111 111111111111 now", kind="figure"), figures=[figure]))
    assert [one["text"] for one in kept["figures"][0]["words"]] == ["Pay", "[CARD]", "now"]
    seen = Image.open(io.BytesIO(kept["figures"][0]["image"]))
    assert [seen.getpixel((x, 5)) for x in (5, 15, 25, 38)] == [(255,) * 3, (0,) * 3, (0,) * 3, (255,) * 3]


def test_what_only_describe_reads_in_a_picture_blanks_its_thumbnail() -> None:
    figure = {"position": 0, "ocr_text": MAIL, "description": f"Text: {MAIL}", "caption": None, "thumbnail": picture()}
    whole = assemble([element(f"Text: {MAIL}", kind="figure")])
    row: DescribedDocument = {"text": whole.text, "elements": whole.elements, "figures": [figure], "rejects": []}  # type: ignore[list-item]
    kept, found = screen({"email": "redact"}).screen_described(row, [])
    assert (kept["text"], kept["figures"][0]["ocr_text"]) == ("Text: [EMAIL]", "[EMAIL]")
    assert Image.open(io.BytesIO(kept["figures"][0]["thumbnail"])).getcolors() == [(60 * 20, (0, 0, 0))]
    assert [one["kind"] for one in found] == ["email"]
    assert screen({"email": "redact"}).screen_described(row, found)[1] == found


@given(st.text("ab 1.", max_size=40), st.sets(st.text("ab1", min_size=1, max_size=3), max_size=4))
def test_values_are_found_wherever_they_are_whole_words(text: str, values: set[str]) -> None:
    found = Values(dict.fromkeys(values, "x")).find(text)
    assert [text[one.start : one.end] for one in found] == [word for word in text.replace(".", " ").split() if word in values]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(1, 4)), max_size=5))
def test_offsets_outside_of_values_move_with_their_characters(gaps: list[tuple[int, int]]) -> None:
    matches, at = list[Match](), 0
    for gap, length in gaps:
        matches.append(Match(at + gap, at + gap + length, "ip"))
        at += gap + length
    text = "".join(chr(0x4E00 + n) for n in range(at + 3))
    done = redact(text, matches)
    outside = [n for n in range(len(text)) if not any(one.start <= n < one.end for one in matches)]
    assert all(done.text[done.move(n)] == text[n] for n in outside)
