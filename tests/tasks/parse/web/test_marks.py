import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.parse.web.document import parse_html


def texts(page: str) -> list[str]:
    blocks = parse_html(page.encode(), False).blocks
    return [block.text or " ".join(cell.text for cell in block.cells) for block in blocks]


RAISED = {
    "3 &times; 10<sup>6</sup> kg": "3 \N{MULTIPLICATION SIGN} 10^6 kg",
    "10<sup>&minus;3</sup> mol": "10^(\N{MINUS SIGN}3) mol",
    "250 km<sup>2</sup>": "250 km²",
    "CO<sub>2</sub>, H<sub>2</sub>O": "CO₂, H₂O",
    "12 million<sup>2</sup> in 2023<sup>3</sup>": "12 million² in 2023^3",
    "45.6<sup>1)</sup>": "45.6^(1))",
    "the 19<sup>th</sup>": "the 19th",
    "x<sub>i</sub><sup>2</sup>": "x_i²",
    "2<sup>1</sup>/<sub>2</sub> cups": "2 1/2 cups",
    "<sup>14</sup>C": "¹⁴C",
    "10<b><sup>6</sup></b>": "10^6",
    "10<sup><b>6</b></sup>": "10^6",
    '10<span style="vertical-align: super; font-size: smaller">6</span>': "10^6",
    'v<font style="VERTICAL-ALIGN:sub">max</font>': "v_max",
    "5<sup>*</sup> and 6<sup></sup>": "5* and 6",
    "<del>40</del>35 euros": "~~40~~35 euros",
    '<span style="text-decoration: line-through red">40</span> 35': "~~40~~ 35",
    "a<sup>2<br>b</sup>": "a2\nb",
}


@pytest.mark.parametrize(("source", "written"), RAISED.items())
def test_raised_lowered_and_struck_text_is_apart_from_what_it_follows(source: str, written: str) -> None:
    assert texts(f"<p>{source}</p>") == [written]


@pytest.mark.parametrize("around", ["<h2>{}</h2>", "<li>{}", "<pre>{}</pre>", "<dd>{}", "<table><tr><th>{}</table>", "{}"])
def test_a_power_is_one_in_every_kind_of_block(around: str) -> None:
    assert texts(around.format("10<sup>6</sup>")) == ["10^6"]


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 9999), st.integers(0, 9999), st.sampled_from(["sup", "sub"]))
def test_no_number_changes(number: int, mark: int, tag: str) -> None:
    (text,) = texts(f"<p>{number}<{tag}>{mark}</{tag}> kg")
    assert text == f"{number}{'^' if tag == 'sup' else '_'}{mark} kg"


SHEETS = {
    ".u {vertical-align: super}": "10^6 kg",
    "p > .u, .v {color: red; VERTICAL-ALIGN: Sub !important}": "10_6 kg",
    "/* .u {} */ @media screen { .u {vertical-align: super} }": "10^6 kg",
    '@import "a.css"; .u {text-decoration: line-through red}': "10~~6~~ kg",
    ".u {vertical-align: super} .u {vertical-align: baseline}": "106 kg",
    ".u:hover {text-decoration: line-through} .[ {vertical-align: super}": "106 kg",
}


@pytest.mark.parametrize(("sheet", "written"), SHEETS.items())
def test_text_that_a_style_sheet_raises_lowers_or_strikes_is_too(sheet: str, written: str) -> None:
    assert texts(f"<style>{sheet}</style><p>10<span class='u'>6</span> kg</p>") == [written]


def test_the_style_of_an_element_counts_more_than_the_style_sheet() -> None:
    sheet = "<style>span {vertical-align: super} .u {vertical-align: sub}</style>"
    assert texts(f"{sheet}<p>10<span class='u' style='vertical-align: 0'>6</span>") == ["106"]


NOTES = {
    "a link in the mark": '<p>12<sup><a href="#n">1</a></sup></p><p id="n">1 See annex.</p>',
    "the mark in a link": '<p>12<a href="#n"><sup>1</sup></a></p><p id="n">1. See annex.</p>',
    "Pandoc": '<p>12<a href="#n" id="r" role="doc-noteref"><sup>1</sup></a></p><ol><li id="n">See annex.<a href="#r">↩</a></ol>',
    "Wikipedia": (
        '<p>12<sup id="r"><a href="#n">[1]</a></sup></p>'
        '<ol><li id="n"><span><b><a href="#r">^</a></b></span> <span>See annex.</span></ol>'
    ),
    "links both ways": '<p>12<sup id="r"><a href="#n">1</a></sup></p><p><sup id="n"><a href="#r">1</a></sup> See annex.</p>',
    "an anchor in the note": '<p>12<sup><a href="#n">1</a></sup></p><p><a id="n"></a>[1] See annex.</p>',
    "no sup at all": '<p>12<a role="doc-noteref" href="#n">1</a></p><aside id="n">See annex.</aside>',
    "brackets of its own": '<p>12<sup>[<a href="#n">1</a>]</sup></p><div id="n">See annex.</div>',
    "an escaped target": '<p>12<sup><a href="#n%20x">1</a></sup></p><p id="n x">See annex.</p>',
    "named anchors of LibreOffice": (
        '<p>12<a name="r" href="#n"><sup>1</sup></a></p><div><p><a name="n" href="#r">1</a>See annex.</p></div>'
    ),
    "a raised label": '<p>12<sup id="r"><a href="#n">1</a></sup></p><p id="n"><sup><a href="#r">1</a></sup>See annex.</p>',
    "another page": '<p>12<sup><a href="notes.html#n">1</a></sup></p><p id="n">See annex.</p>',
    "a style": '<p>12<a href="#n" style="vertical-align:super">1</a></p><p id="n">See annex.</p>',
    "a cell": '<table><tr><th>x<tr><td>12<sup><a href="#n">1</a></sup></table><p id="n">See annex.</p>',
}


@pytest.mark.parametrize("page", NOTES.values(), ids=NOTES)
def test_the_mark_of_a_note_is_apart_from_the_number_and_stands_before_the_note(page: str) -> None:
    *text, note = parse_html(page.encode(), False).blocks
    assert (note.kind, note.text) == ("footnote", "[1] See annex.")
    assert "12[1]" in "".join(block.text or block.cells[-1].text for block in text)


RUBY = {
    "<ruby>東<rt>とう</rt>京<rt>きょう</rt></ruby>に": "東京に (東京: とうきょう)",
    "<ruby>月曜日<rp>(</rp><rt>げつようび</rt><rp>)</rp></ruby>休み": "月曜日休み (月曜日: げつようび)",
    "<ruby>読<rt>よ</rt></ruby>む": "読む (読: よ)",
    "<ruby>東<rt>とう</rt></ruby><ruby>京<rt>きょう</rt></ruby>": "東京 (東: とう; 京: きょう)",
    "<ruby><rb>漢</rb><rb>字</rb><rt>かん</rt><rt>じ</rt></ruby>": "漢字 (漢字: かんじ)",
    "<ruby>字<rt>zì</ruby>と<b><ruby>文<rt>wén</ruby></b>": "字と文 (字: zì; 文: wén)",
    "<ruby>字<rtc><rt>じ</rt></rtc></ruby>": "字 (字: じ)",
    "<ruby>字</ruby>": "字",
    "<ruby><b>字</b><rt>じ</rt></ruby>": "字 (字: じ)",
    "<ruby>字<rt></rt></ruby>": "字",
    "a<rt>b</rt>c": "abc",
    "<ruby>字<rt>じ</rt></ruby>と<ruby>字<rt>じ</rt></ruby>": "字と字 (字: じ)",
}


@pytest.mark.parametrize(("source", "written"), RUBY.items())
def test_readings_follow_the_block_and_tear_no_word(source: str, written: str) -> None:
    assert texts(f"<p>{source}</p>") == [written]
    assert texts(f"<table><tr><th>{source}</table>")[0].split() == written.split()


FORMULAS = {
    "<msup><mn>10</mn><mn>6</mn></msup>": "10^6",
    "<mn>2</mn><mfrac><mn>1</mn><mn>2</mn></mfrac>": "2 1/2",
    "<mrow><mn>3</mn></mrow><mrow><mn>4</mn></mrow>": "3 4",
    "<mmultiscripts><mi>C</mi><mprescripts/><mn>6</mn><mn>14</mn></mmultiscripts>": "_6^14C",
    "<mmultiscripts><mi>x</mi><mi>i</mi><mn>2</mn></mmultiscripts>": "x_i^2",
    "<mmultiscripts><mi>x</mi><none/><mn>2</mn></mmultiscripts>": "x^2",
    "<msqrt><mn>2</mn></msqrt>": "√2",
}


@pytest.mark.parametrize(("source", "written"), FORMULAS.items())
def test_numbers_in_formulas_stay_apart(source: str, written: str) -> None:
    assert texts(f"<math>{source}</math>") == [written]


def test_blocks_within_struck_text_are_struck() -> None:
    assert texts("<p>a</p><del><p>b</p><ul><li>c</li></ul></del>d<del>e<p>f</p></del>") == [
        "a",
        "~~b~~",
        "~~c~~",
        "d~~e~~",
        "~~f~~",
    ]
