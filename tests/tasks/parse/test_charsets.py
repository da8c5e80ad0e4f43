import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from schemas.errors import DocumentError
from tasks.parse.charsets import decode_page, unmarked_utf16
from tasks.parse.invalid_bytes import LOST, repair
from tasks.parse.text.plain import decode
from tasks.parse.web.document import parse_html

GERMAN = "Die Prüfung der Stützmauer ergab Schäden. "
RUSSIAN = "Городской совет отложил ремонт. "
REPAIRED = {
    "a pasted quote": (GERMAN.encode() + b"L\x92usine", f"{GERMAN}L\N{RIGHT SINGLE QUOTATION MARK}usine"),
    "a pasted dash": (GERMAN.encode() + b"a \x96 b", f"{GERMAN}a \N{EN DASH} b"),
    "a hard space": (GERMAN.encode() + b"5\xa0euros", f"{GERMAN}5\N{NO-BREAK SPACE}euros"),
    "a currency": (GERMAN.encode() + b"5 \x80", f"{GERMAN}5 €"),
    "a letter": (GERMAN.encode() + b"caf\xe9s", f"{GERMAN}cafés"),
    "a line in another charset": (4 * GERMAN.encode() + GERMAN.encode("cp1252"), 5 * GERMAN),
    "an end that is cut": ((GERMAN + "Übergröß").encode()[:-1], f"{GERMAN}Übergrö{LOST}"),
    "an emoji that is cut": (f"{GERMAN}😀".encode()[:-1], f"{GERMAN}{LOST}"),
    "an emoji that is torn": (f"{GERMAN}😀".encode()[:-1] + b" end", f"{GERMAN}{LOST} end"),
    "a byte among Cyrillic": (RUSSIAN.encode() + "сов".encode() + b"\x96" + "ет".encode(), f"{RUSSIAN}сов{LOST}ет"),
    "a letter that lost its first byte": (RUSSIAN.encode() + b"\xbe" + "д".encode(), f"{RUSSIAN}{LOST}д"),
    "a byte that stands for nothing": (GERMAN.encode() + b"a\x81b\xff", f"{GERMAN}a{LOST}b{LOST}"),
    "an overlong sequence": (GERMAN.encode() + b"a\xc0\x80b", f"{GERMAN}aÀ€b"),
    "a surrogate": (GERMAN.encode() + b"a\xed\xa0\x80b", f"{GERMAN}a{LOST}b"),
}


@pytest.mark.parametrize(("data", "text"), REPAIRED.values(), ids=REPAIRED)
def test_only_the_invalid_bytes_of_utf_8_are_read_otherwise_and_they_are_counted(data: bytes, text: str) -> None:
    found = decode(data)
    assert (found.text, found.charset) == (text, "utf-8")
    (note,) = found.notes
    assert (note["error"], note["page_number"]) == ("CharsetError", 1)
    assert f"UTF-8: {repair(data).n_bad}, the first at byte {repair(data).first}" in note["message"]
    page = decode_page(data)
    assert (page.text, page.notes[0]["error"]) == (text, "CharsetError")
    assert decode_page(b"<meta charset=utf-8>" + data).text.endswith(text)


@given(st.text(min_size=8).filter(lambda text: not text.isascii()), st.lists(st.tuples(st.integers(0), st.integers(128, 255))))
@example("åå", [(1, 0x96)])
def test_what_is_valid_stays_as_it_is(text: str, strays: list[tuple[int, int]]) -> None:
    letters = [letter.encode("utf-8", "replace") for letter in text]
    for place, byte in strays:
        letters.insert(place % (len(letters) + 1), bytes([byte]))
    data = b"".join(letters)
    found = repair(data)
    assert found.text.count(LOST) <= found.n_lost + text.count(LOST)
    if found.n_bad == 0:
        assert found.text == data.decode()
    kept = data.decode("utf-8", "ignore")
    remaining = iter(found.text)
    assert all(letter in remaining for letter in kept), "in its order"


@given(st.text("abcdefgh .,\n", min_size=40), st.sampled_from("éüñœ\N{RIGHT SINGLE QUOTATION MARK}€"))
def test_prose_in_windows_1252_is_still_a_guess(text: str, letter: str) -> None:
    if text.strip():
        found = decode(f"{text}{letter} z".encode("cp1252"))
        assert (found.text, found.notes[0]["error"]) == (f"{text}{letter} z", "CharsetGuess")


def test_prose_of_another_charset_is_not_taken_for_windows_1252() -> None:
    with pytest.raises(DocumentError, match="not UTF-8"):
        decode("Die Prüfung der Mauer dauert länger.".encode("mac-roman"))


LONG = b"<!-- " + b"x" * 1500 + b" -->"
DECLARED = {
    "behind a comment": LONG + b"<meta charset=windows-1251>" + RUSSIAN.encode("cp1251"),
    "behind styles": b"<style>" + b"a{}" * 600 + b"</style><meta charset='windows-1251'>" + RUSSIAN.encode("cp1251"),
    "as http-equiv": LONG + b"<meta http-equiv=content-type content='text/html; charset=koi8-r'>" + RUSSIAN.encode("koi8-r"),
    "behind a title": b"<title>" + b"x" * 1100 + b"</title><meta charset=iso-8859-5>" + RUSSIAN.encode("iso8859-5"),
    "early": b"<meta charset=windows-1251>" + RUSSIAN.encode("cp1251"),
    "wrong, over UTF-8": b"<meta charset=iso-8859-1>" + RUSSIAN.encode(),
    "late and wrong, over UTF-8": LONG + b"<meta charset=windows-1252>" + RUSSIAN.encode(),
    "not at all": RUSSIAN.encode(),
    "by its mark alone": "\ufeff".encode() + LONG + b"<meta charset=koi8-r>" + RUSSIAN.encode(),
    "UTF-16 without a mark": f"<p>{RUSSIAN}".encode("utf-16-le"),
    "UTF-16 without a mark, the other way": f"<p>{RUSSIAN}".encode("utf-16-be"),
    "UTF-16 that names itself": f"<meta charset=utf-16><p>{RUSSIAN}".encode("utf-16-le"),
    "UTF-32 with a mark": f"\ufeff<p>{RUSSIAN}".encode("utf-32-be"),
}


@pytest.mark.parametrize("data", DECLARED.values(), ids=DECLARED)
def test_a_page_is_read_in_its_charset(data: bytes) -> None:
    assert any(block.text == RUSSIAN.strip() for block in parse_html(data, False).blocks)


def test_a_declaration_that_is_wrong_is_reported() -> None:
    (note,) = decode_page(b"<meta charset=iso-8859-1>" + RUSSIAN.encode()).notes
    assert "valid UTF-8" in note["message"]
    assert decode_page("<meta charset=gbk>联通".encode("gbk")).text.endswith("联通"), "whose bytes are valid UTF-8 by chance"
    assert decode_page(LONG + b"<meta charset=iso-2022-jp>" + "日本".encode("iso2022_jp")).text.endswith("日本")


WIDE = [
    "Prüfung der Mauer.",
    RUSSIAN,
    "\N{GREEK CAPITAL LETTER ETA} πόλη ανέβαλε το έργο.",
    "図書館は 月曜日に\n休みます。",
    "नाव घाट पर है",
    "a\tb\r\n",
]


@pytest.mark.parametrize("text", WIDE)
@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_read_and_reported(text: str, codec: str) -> None:
    found = decode(text.encode(codec))
    assert (found.text, found.charset) == (text, codec)
    assert "UTF-16" in found.notes[0]["message"]


@pytest.mark.parametrize("data", [b"hello wor\0ld", b"\0\0\0\1", bytes(40), "é\0é".encode()])
def test_other_zero_bytes_are_no_utf_16(data: bytes) -> None:
    assert unmarked_utf16(data) is None


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"%PDF-1.7\n\xe2\xe3", "a PDF"),
        (b"PK\x03\x04\xff\xff", "ZIP"),
        (b"\x89PNG\r\n\x1a\n\xff", "a PNG"),
        (b"\xff\xd8\xff\xe0", "JPEG"),
    ],
)
def test_a_suffix_that_lies_is_named_with_what_the_content_is(data: bytes, kind: str) -> None:
    with pytest.raises(DocumentError, match=kind) as refused:
        decode(data)
    assert "suffix" in " ".join(refused.value.__notes__)
