"""Variants of what Word writes: raised text, hidden text, form fields, symbols, numbering, names of parts."""

import io
import zipfile
from typing import Any

import pytest

from tasks.parse.office.word import parse_docx
from tests.tasks import office_drawn

W = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
)
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
STYLES = (
    '<w:style w:type="character" w:styleId="Gone"><w:rPr><w:vanish/></w:rPr></w:style>'
    '<w:style w:type="character" w:styleId="Goner"><w:basedOn w:val="Gone"/></w:style>'
    '<w:style w:type="character" w:styleId="Up"><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style>'
    '<w:style w:type="character" w:styleId="Struck"><w:rPr><w:strike/></w:rPr></w:style>'
    '<w:style w:type="paragraph" w:styleId="GonePar"><w:rPr><w:vanish/></w:rPr></w:style>'
    '<w:style w:type="paragraph" w:styleId="Back"><w:basedOn w:val="GonePar"/><w:rPr><w:vanish w:val="0"/></w:rPr></w:style>'
    '<w:style w:type="paragraph" w:styleId="One"><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
    '<w:style w:type="paragraph" w:styleId="Two"><w:basedOn w:val="One"/></w:style>'
)


def level(n: int, text: str, style: str = "decimal", extra: str = "") -> str:
    return f'<w:lvl w:ilvl="{n}"><w:start w:val="1"/><w:numFmt w:val="{style}"/>{extra}<w:lvlText w:val="{text}"/></w:lvl>'


def package(body: str, numbering: str = "", slash: str = "/", upper: bool = False, comments: str = "") -> bytes:
    def relation(kind: str, target: str) -> str:
        return f'<Relationship Id="{kind}" Type="{RELATIONS}/{kind}" Target="{target}"/>'

    def relations(inner: str) -> str:
        return f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{inner}</Relationships>'

    kinds = {"styles": STYLES, "numbering": numbering, "comments": comments}
    parts = {
        "_rels/.rels": relations(relation("officeDocument", "word/document.xml")),
        "word/_rels/document.xml.rels": relations("".join(relation(kind, f"{kind}.xml") for kind in kinds)),
        "word/document.xml": f"<w:document {W}><w:body>{body}</w:body></w:document>",
        **{f"word/{kind}.xml": f"<w:{kind} {W}>{inner}</w:{kind}>" for kind, inner in kinds.items()},
    }
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as archive:
        for name, part in parts.items():
            archive.writestr((name.upper() if upper else name).replace("/", slash), part)
    return sink.getvalue()


def run(text: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(inner: str, properties: str = "") -> str:
    return f"<w:p><w:pPr>{properties}</w:pPr>{inner}</w:p>"


def styled(style: str) -> str:
    return f'<w:rStyle w:val="{style}"/>'


def texts(body: str, **rest: Any) -> list[str]:
    return [block.text for block in parse_docx(package(body, **rest)).blocks]


def field(instruction: str, result: str) -> str:
    return f"{MARK.format('begin')}{instruction}{MARK.format('separate')}{result}{MARK.format('end')}"


UP, DOWN = '<w:vertAlign w:val="superscript"/>', '<w:vertAlign w:val="subscript"/>'
HIDDEN, SHOWN = "<w:vanish/>", '<w:vanish w:val="0"/>'
FIELD = '<w:r><w:fldChar w:fldCharType="begin"><w:ffData>{}</w:ffData></w:fldChar></w:r>'
END = '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
MARK = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'
INSTRUCTION = "<w:r><w:instrText> {} </w:instrText></w:r>"
CHOICES = '<w:ddList>{}<w:listEntry w:val="Oslo"/><w:listEntry w:val="Rome"/></w:ddList>'
CONTROL = "<w:sdt><w:sdtPr>{}</w:sdtPr><w:sdtContent>{}</w:sdtContent></w:sdt>"
BOX = '<w14:checkbox><w14:checked w14:val="{}"/></w14:checkbox>'
SYMBOL = '<w:r><w:sym w:font="{}" w:char="{}"/></w:r>'
RUBY = "<w:r><w:ruby><w:rt>{}</w:rt><w:rubyBase>{}</w:rubyBase></w:ruby></w:r>"

LINES = {
    run("10") + run("6", UP) + run(" kg"): "10^6 kg",
    run("10") + run("-", UP) + run("6", UP): "10^(-6)",
    run("CO") + run("2", DOWN): "CO₂",
    run("45.6") + run("1", styled("Up")): "45.6^1",
    run("10") + run("6", '<w:position w:val="6"/>'): "10^6",
    run("even") + run("ed", '<w:position w:val="1"/>'): "evened",
    run("x") + run("i", DOWN): "x_i",
    run("10") + run("6", UP + "<w:b/>"): "10^6",
    run("the 19") + run("th", UP): "the 19th",
    run("all", UP): "all",
    run("5", styled("Up") + '<w:vertAlign w:val="baseline"/>') + run(" m"): "5 m",
    run("a") + run(" whole clause that is raised off its line", UP): "a whole clause that is raised off its line",
    run("Shown. ") + run("x", HIDDEN): "Shown.",
    run("Shown. ") + run("x", styled("Gone")): "Shown.",
    run("Shown. ") + run("x", styled("Goner")): "Shown.",
    run("Shown. ") + run("again", styled("Gone") + SHOWN): "Shown. again",
    FIELD.format(CHOICES.format('<w:result w:val="1"/>')) + END: "Rome",
    FIELD.format(CHOICES.format('<w:default w:val="1"/>')) + END: "Rome",
    FIELD.format(CHOICES.format("")) + run("Oslo") + END + run("!"): "Oslo!",
    FIELD.format("<w:checkBox><w:checked/></w:checkBox>") + END + run(" yes"): "☒ yes",
    FIELD.format('<w:checkBox><w:checked w:val="0"/></w:checkBox>') + END + run(" yes"): "☐ yes",
    FIELD.format("<w:checkBox><w:default/></w:checkBox>") + END + run(" yes"): "☒ yes",
    FIELD.format("<w:textInput/>") + run("Gate") + END: "Gate",
    run("On: ") + CONTROL.format("<w:showingPlcHdr/>", run("Click here")): "On:",
    run("On: ") + CONTROL.format("", run("Monday")): "On: Monday",
    CONTROL.format(BOX.format(1), SYMBOL.format("Wingdings", "F0FE")) + run(" in"): "☒ in",
    CONTROL.format(BOX.format(0), run("?")) + run(" in"): "☐ in",
    run("A ") + SYMBOL.format("Wingdings", "F0E0") + run(" B"): "A → B",
    run("5 ") + run("m", '<w:rFonts w:ascii="Symbol"/>') + run("g"): "5 μg",
    run("ü", '<w:rFonts w:ascii="Wingdings"/>') + run(" done"): "✓ done",
    run("Price ") + run("40", "<w:strike/>") + run(" 30"): "Price ~~40~~ 30",
    run("Price ") + run("4", "<w:dstrike/>") + run("0 ", "<w:strike/><w:b/>") + run("30"): "Price ~~40~~ 30",
    run("Price ") + run("40", '<w:strike w:val="0"/>') + run(" 30"): "Price 40 30",
    run("Price ") + run("40", '<w:dstrike w:val="0"/><w:strike/>'): "Price ~~40~~",
    run("void ", styled("Struck")) + run("holds", styled("Struck") + '<w:strike w:val="0"/>'): "~~void~~ holds",
    run("all void", "<w:strike/>"): "~~all void~~",
    run("Alfa") + '<w:r><w:br w:type="page"/></w:r>' + run("Beta"): "Alfa\nBeta",
    run("Alfa") + '<w:r><w:br w:type="column"/></w:r>' + run("Beta"): "Alfa\nBeta",
    '<w:r><w:br w:type="page"/></w:r>' + run("Beta") + '<w:r><w:br w:type="page"/></w:r>': "Beta",
    run("Dear ") + field(INSTRUCTION.format("IF"), run("Mr")) + run(" Smith"): "Dear Mr Smith",
    run("Dear ") + field(INSTRUCTION.format("IF") + field("", run("M")) + INSTRUCTION.format("= M"), run("Mr")): "Dear Mr",
    run("Dear ") + field(INSTRUCTION.format("IF") + field(field("", run("deep")), run("M")), run("Mr")): "Dear Mr",
    run("See ") + field("", field(INSTRUCTION.format("REF"), run("table 3")) + run(" below")): "See table 3 below",
    run("See ") + field(run("IF x = 1") + "<w:r><w:tab/><w:br/></w:r>", run("page 2")): "See page 2",
    run("See ") + MARK.format("begin") + run("all of it"): "See all of it",
    run("See ") + MARK.format("begin") + field("", run("all")) + run(" of it"): "See all of it",
    MARK.format("end") + run("of an earlier field"): "of an earlier field",
    MARK.format("begin") + INSTRUCTION.format("PRIVATE") + MARK.format("end") + run("shown"): "shown",
    RUBY.format(run("とう"), run("東")) + RUBY.format(run("きょう"), run("京")) + run("都"): "東京都 (東: とう; 京: きょう)",
}


@pytest.mark.parametrize(("inner", "text"), LINES.items())
def test_a_line_says_what_readers_see(inner: str, text: str) -> None:
    assert texts(paragraph(inner)) == [text]


def test_a_style_hides_paragraphs_unless_a_nearer_one_shows_them() -> None:
    gone, back = (paragraph(run(style), f'<w:pStyle w:val="{style}"/>') for style in ("GonePar", "Back"))
    assert texts(gone + back) == ["Back"]


def test_comments_follow_their_paragraph_as_notes() -> None:
    comments = f'<w:comment w:id="3">{paragraph(run("Ask again."))}</w:comment>'
    body = paragraph(run("Rent") + '<w:r><w:commentReference w:id="3"/></w:r>') + paragraph(run("End"))
    blocks = parse_docx(package(body, comments=comments)).blocks
    assert [(block.kind, block.text) for block in blocks] == [("paragraph", "Rent"), ("note", "Ask again."), ("paragraph", "End")]


NUM = '<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>'
KIND = '<w:abstractNum w:abstractNumId="1">{}</w:abstractNum>' + NUM
TWO = level(0, "%1.") + level(1, "%1.%2")
LINKED = level(0, "%1.", extra='<w:pStyle w:val="One"/>') + level(1, "%1.%2", extra='<w:pStyle w:val="Two"/>')
STYLE_LINK = (
    f'<w:abstractNum w:abstractNumId="2"><w:styleLink w:val="L"/>{TWO}</w:abstractNum>'
    f'<w:abstractNum w:abstractNumId="1"><w:numStyleLink w:val="L"/></w:abstractNum>{NUM}'
)
NUMBERED = {
    (KIND.format(TWO), "0101"): ["1.", "1.1", "2.", "2.1"],
    (KIND.format(LINKED), "stst"): ["1.", "1.1", "2.", "2.1"],
    (STYLE_LINK, "0110"): ["1.", "1.1", "1.2", "2."],
    (KIND.format(level(0, "%1.", "upperRoman") + level(1, "%1.%2", extra="<w:isLgl/>")), "01"): ["I.", "1.1"],
    (KIND.format(level(0, "%1.") + level(1, "(%2)", extra='<w:lvlRestart w:val="0"/>')), "0101"): ["1.", "(1)", "2.", "(2)"],
    (KIND.format(TWO + level(2, "%3)", extra='<w:lvlRestart w:val="1"/>')), "012120"): ["1.", "1.1", "1)", "1.2", "2)", "2."],
    (KIND.format(level(0, "Note:", "none")), "00"): ["Note:", "Note:"],
    (KIND.format(level(0, "•", "bullet")), "0"): [""],
    (KIND.format(level(0, "%1.", extra="<w:rPr><w:vanish/></w:rPr>")), "0"): [""],
    (KIND.format(level(0, "%1.", "decimalZero")), "00"): ["01.", "02."],
    (KIND.format(level(0, "§ %1", "lowerLetter")), "00"): ["§ a", "§ b"],
    (KIND.format(level(0, "第%1条", "chineseCountingThousand") + level(1, "(%2)", "ganada")), "011"): ["第一条", "(가)", "(나)"],
    (KIND.format(level(0, "%1.") + level(1, "%2.")), "1101"): ["1.", "2.", "1.", "1."],
}


@pytest.mark.parametrize(("rules", "items"), NUMBERED)
def test_items_carry_the_numbers_that_word_shows(rules: str, items: str) -> None:
    properties = {
        **{str(n): f'<w:numPr><w:ilvl w:val="{n}"/><w:numId w:val="1"/></w:numPr>' for n in range(3)},
        "s": '<w:pStyle w:val="One"/>',
        "t": '<w:pStyle w:val="Two"/>',
    }
    found = texts("".join(paragraph(run("x"), properties[item]) for item in items), numbering=rules)
    assert [text.removesuffix("x").strip() for text in found] == NUMBERED[rules, items]


@pytest.mark.parametrize(("slash", "upper"), [("/", False), ("\\", False), ("/", True), ("\\", True)])
def test_parts_are_found_whatever_the_case_and_slashes_of_their_names(slash: str, upper: bool) -> None:
    assert [block.text for block in parse_docx(package(paragraph(run("x")), slash=slash, upper=upper)).blocks] == ["x"]


DAMAGED = ["word/styles.xml", "word/numbering.xml", "word/comments.xml", "word/_rels/document.xml.rels", "docProps/core.xml"]


@pytest.mark.parametrize("part", DAMAGED)
@pytest.mark.parametrize("damage", [b"<broken", b""])
def test_a_damaged_part_beside_the_text_costs_only_itself(part: str, damage: bytes) -> None:
    relation = b'<Relationship Id="p" Type="x/core-properties" Target="docProps/core.xml"/></Relationships>'

    def change(parts: dict[str, bytes]) -> None:
        parts["_rels/.rels"] = parts["_rels/.rels"].replace(b"</Relationships>", relation)
        parts[part] = damage

    document = parse_docx(office_drawn.changed(package(paragraph(run("The rent is 40."))), change))
    assert [block.text for block in document.blocks] == ["The rent is 40."]
    (reject,) = document.rejects
    assert part in reject["message"]
    assert "Word" in reject["remedy"]


def test_a_damaged_picture_costs_only_itself() -> None:
    data = office_drawn.report()
    stored = office_drawn.changed(data, lambda parts: parts.update(MISSING=b""))
    at = stored.index(b"word/media/image1.png") + 60
    document = parse_docx(stored[:at] + bytes(20) + stored[at + 20 :])
    assert len(document.blocks) == len(parse_docx(data).blocks)
    assert "word/media/image1.png" in document.rejects[0]["message"]


def test_a_large_first_letter_belongs_to_the_paragraph_below() -> None:
    assert texts(paragraph(run("T"), '<w:framePr w:dropCap="drop"/>') + paragraph(run("he port"))) == ["The port"]


def with_embedded(data: bytes) -> bytes:
    relation = f'<Relationship Id="c" Type="{RELATIONS}/aFChunk" Target="chunk.bin"/></Relationships>'.encode()

    def change(parts: dict[str, bytes]) -> None:
        rels = "word/_rels/document.xml.rels"
        parts[rels] = parts[rels].replace(b"</Relationships>", relation)
        parts["word/chunk.bin"] = data

    return office_drawn.changed(package(paragraph(run("Before")) + '<w:altChunk r:id="c"/>' + paragraph(run("After"))), change)


PAGE = b"<h1>Rules</h1><p>Moor at dusk."
SAVED = b"MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n" + PAGE
INNER = package(paragraph(run("Moor at dusk.")))
EMBEDDED = {PAGE: ["Rules", "Moor at dusk."], SAVED: ["Rules", "Moor at dusk."], INNER: ["Moor at dusk."], b"{\\rtf1 Moor}": []}


@pytest.mark.parametrize(("embedded", "found"), EMBEDDED.items())
def test_a_file_in_the_text_is_read_where_it_stands(embedded: bytes, found: list[str]) -> None:
    document = parse_docx(with_embedded(embedded))
    assert [block.text for block in document.blocks] == ["Before", *found, "After"]
    assert ["embedded" in one["message"] for one in document.rejects] == [True] * (not found)


def test_documents_that_lie_in_each_other_are_read_three_deep() -> None:
    data = package(paragraph(run("deepest")))
    for _ in range(4):
        data = with_embedded(data)
    document = parse_docx(data)
    assert [block.text for block in document.blocks] == ["Before"] * 4 + ["After"] * 4 and len(document.rejects) == 1


def test_a_document_that_shows_files_without_an_end_shows_a_hundred() -> None:
    def change(parts: dict[str, bytes]) -> None:
        many = parts["word/document.xml"].replace(b'<w:altChunk r:id="c"/>', b'<w:altChunk r:id="c"/>' * 20)
        parts["word/document.xml"] = many

    data = with_embedded(b"<p>Moor here.")
    for _ in range(3):
        data = with_embedded(office_drawn.changed(data, change))
    document = parse_docx(office_drawn.changed(data, change))
    assert sum(block.text == "Moor here." for block in document.blocks) < 100
    assert any("too many" in one["message"] for one in document.rejects)
