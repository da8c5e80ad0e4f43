"""What a corpus redacts is nowhere in its folder; what it reports or rejects is told without the value."""

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import lance
import pyarrow as pa
import pytest
from PIL import Image, ImageDraw, ImageFont

from schemas.corpus import Corpus
from schemas.errors import CorpusError, GateError, InputError, NoPicture
from schemas.options.sections import ParseOptions
from tasks.describe.io.figure_ocr import open_picture
from tasks.parse.scans.io.tesseract import read_words
from tasks.publish.io.purge import purge_document
from tasks.publish.io.rollback import roll_back_corpus
from tasks.search.io.retrieve import open_searcher
from tasks.serve.io.service import Service
from tests.flows.conftest import Refresh
from tests.flows.corpora import rows

IBAN, CARD, PHONE = "GB29 NWBK 6016 1331 9268 19", "4111 1111 1111 1111", "+44 20 7946 0958"
MAILS = {name: f"{name}@example.org" for name in ("inpdf", "author", "indocx", "inpicture", "incsv", "inhtml", "ineml", "inscan")}
VALUES = (IBAN, CARD, PHONE, "10.12.1985", *MAILS.values())


def draw_lines(*lines: str) -> Image.Image:
    picture = Image.new("RGB", (1500, 120 + 80 * len(lines)), "white")
    for at, line in enumerate(lines):
        ImageDraw.Draw(picture).text((60, 60 + 80 * at), line, fill="black", font=ImageFont.load_default(40))
    return picture


def write_documents(folder: Path) -> None:
    import docx
    import pymupdf

    folder.mkdir()
    pdf = pymupdf.open()
    pdf.new_page().insert_text((72, 96), f"Please write to {MAILS['inpdf']} or pay to {IBAN} today.", fontsize=11)
    pdf.set_metadata({"author": MAILS["author"]})
    pdf.save(folder / "report.pdf")
    draw_lines("Letter of the bank to all", f"Write to {MAILS['inscan']} for help").save(folder / "scan.png")
    seen = io.BytesIO()
    draw_lines("A sign on the wall of the house", f"It says {MAILS['inpicture']} in black").save(seen, "PNG")
    word = docx.Document()
    word.add_paragraph(f"The card {CARD} was used by {MAILS['indocx']} in May.")
    word.add_picture(seen)
    word.save(folder / "minutes.docx")
    (folder / "people.csv").write_text(
        f"name,born on,mail\nAda,10.12.1985,{MAILS['incsv']}\n".replace("born on", "date of birth")
    )
    (folder / "page.html").write_text(
        f"<h1>People</h1><p>Write <a href='https://example.org/?to={MAILS['inhtml']}'>here</a>.</p><table><tr><td>{PHONE}</td></tr></table>"
    )
    (folder / "order.eml").write_text(
        f"From: Carol <{MAILS['ineml']}>\nTo: Dave\nSubject: Order\n\nDear Dave, we meet on Monday.\n"
    )


def list_kept_bytes(corpus: Path) -> Iterator[tuple[str, bytes]]:
    """Every file as it lies there, and all values of its tables and packs, decompressed; pictures as what OCR reads in them."""
    for path in sorted(path for path in corpus.rglob("*") if path.is_file()):
        yield str(path), path.read_bytes()
        if path.suffix == ".arrow":
            with pa.memory_map(str(path)) as source:
                yield from list_values(str(path), pa.ipc.open_file(source).read_all())
    for path in corpus.glob("*.lance"):
        for version in lance.dataset(str(path)).versions():
            yield from list_values(str(path), lance.dataset(str(path), version=version["version"]).to_table())


def list_values(place: str, table: pa.Table) -> Iterator[tuple[str, bytes]]:
    for row in table.to_pylist():
        yield place, json.dumps(row, default=str, ensure_ascii=False).encode()
        for figure in row.get("figures") or ():
            png = figure.get("image") or figure["thumbnail"]
            yield f"{place} (picture)", " ".join(word.text for word in read_words(open_picture(png), "eng", 11)).encode()


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("personal") / "documents"
    write_documents(folder)
    return folder


def test_a_redacted_value_is_nowhere_in_the_folder_of_the_corpus(plain: Refresh, documents: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    outcome = plain(documents, corpus, pii={"action": "redact"}, parse={"ocr_languages": "eng"})
    assert outcome["counts"]["n_documents"] == 6 and outcome["n_rejects"] == 0
    kept = [*list_kept_bytes(corpus)]
    assert any(place.endswith("(picture)") and b"sign" in content for place, content in kept)
    found = [(place, value) for place, content in kept for value in VALUES if value.encode() in content]
    assert found == []
    texts = {row["path"]: row for row in rows(corpus, "documents")}
    assert "[EMAIL]" in texts["scan.png"]["text"] and "[BIRTH-DATE]" in texts["people.csv"]["text"]
    assert texts["report.pdf"]["author"] == "[EMAIL]"
    assert {one["kind"] for row in texts.values() for one in row["pii_findings"]} == {
        "email",
        "iban",
        "card",
        "phone",
        "birth_date",
    }
    assert {one["page_number"] for one in texts["minutes.docx"]["pii_findings"]} == {1}
    for row in rows(corpus, "chunks"):
        assert row["text"] == texts[row["path"]]["text"][row["start_char"] : row["end_char"]]
    assert (corpus / ".pagemill" / "pii.key").stat().st_mode & 0o777 == 0o600
    assert plain(documents, corpus, pii={"action": "redact"}, parse={"ocr_languages": "eng"})["outcome"] == "nothing changed"
    served = Service(Corpus(str(corpus)), {"main": str(documents)})
    try:
        with pytest.raises(NoPicture, match=r"report.pdf has no page pictures: .* what pii.action redacts"):
            served.draw_picture(None, "report.pdf", 1)
    finally:
        served.close()


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text(f"# Notes\n\nWrite to {MAILS['inpdf']} and to {MAILS['incsv']}.")
    (folder / "b.md").write_text(f"# More\n\nAgain {MAILS['inpdf']}, and nothing else.")
    return folder


def test_a_report_tells_where_values_are_and_which_are_equal(plain: Refresh, notes: Path, corpus: Path) -> None:
    from pagemill.opened import OpenCorpus
    from tasks.publish.io.findings import count_findings_by_kind

    plain(notes, corpus, pii={"action": "report"})
    opened = OpenCorpus(open_searcher(Corpus(str(corpus))))
    found = opened.findings().to_pylist()
    assert [(one["path"], one["kind"], one["page_number"]) for one in found] == [("a.md", "email", 1)] * 2 + [
        ("b.md", "email", 1)
    ]
    assert found[0]["digest"] == found[2]["digest"] != found[1]["digest"]
    assert count_findings_by_kind(Corpus(str(corpus))) == [{"kind": "email", "places": 3, "documents": 2, "values": 2}]
    assert MAILS["inpdf"] in rows(corpus, "documents")[0]["text"]


def test_too_many_findings_keep_the_gate_shut(plain: Refresh, notes: Path, corpus: Path) -> None:
    limited: dict[str, Any] = {"pii": {"action": "report"}, "gate": {"max_pii_findings": 2}}
    with pytest.raises(GateError, match=r"personal data was found at 3 places, 2 allowed \(gate.max_pii_findings\)"):
        plain(notes, corpus, **limited)
    (notes / "b.md").write_text("# More\n\nNothing of that kind.")
    assert plain(notes, corpus, **limited)["outcome"] == "published"
    (notes / "c.md").write_text(f"# Third\n\nWrite to {MAILS['inpdf']}.")
    with pytest.raises(GateError, match="found at 3 places"):
        plain(notes, corpus, **limited)


def test_a_rejected_document_is_told_by_kind_and_page_and_never_by_value(plain: Refresh, notes: Path, corpus: Path) -> None:
    (notes / "c.md").write_text("# Third\n\nNothing here.")
    (notes / "d.md").write_text("# Fourth\n\nNor here.")
    plain(notes, corpus, pii={"action": "reject"}, gate={"max_reject_share": 1})
    told = {row["path"]: row for row in rows(corpus, "rejects")}
    assert {*told} == {"a.md", "b.md"}
    assert told["a.md"]["message"] == "the document holds personal data: email on page 1"
    assert "exclude the document" in told["a.md"]["remedy"]
    assert not [place for place, content in list_kept_bytes(corpus) if MAILS["inpdf"].encode() in content]


def test_a_slow_pattern_ends_the_run_with_one_line_that_names_it(plain: Refresh, notes: Path, corpus: Path) -> None:
    (notes / "a.md").write_text("a" * 60 + "b")
    (notes / "b.md").unlink()
    with pytest.raises(InputError, match=r"pii\.patterns\.slow took more than"):
        plain(notes, corpus, pii={"action": "report", "patterns": {"slow": r"(a|aa)+$"}})


@pytest.mark.parametrize(
    ("pii", "problem"),
    [
        ({"patterns": {"staff": "(["}}, "patterns.staff is not a regular expression"),
        ({"patterns": {"email": "a"}}, "patterns.email is the name of Pagemill's own kind"),
        ({"patterns": {"staff": "x*"}}, "patterns.staff matches where there is nothing"),
        ({"kinds": {"emial": "redact"}}, "kinds.emial is no kind; there are email, phone"),
        ({"kinds": {"name": "redact"}}, "kinds.name needs what finds names"),
        ({"action": "report", "names": "nobody"}, "pii.names is 'nobody', and no installed package has that entry point"),
    ],
)
def test_wrong_options_are_told_in_one_line(plain: Refresh, notes: Path, corpus: Path, pii: dict[str, Any], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        plain(notes, corpus, pii=pii)
    assert not corpus.exists()


def test_redacting_needs_ocr_of_pictures() -> None:
    from flows.settings import read_refresh_options

    with pytest.raises(InputError, match="set both to true"):
        read_refresh_options({"pii": {"action": "redact"}, "parse": ParseOptions(ocr=False).model_dump()})


def test_a_corpus_that_was_there_before_is_read_again_and_told(plain: Refresh, notes: Path, corpus: Path) -> None:
    plain(notes, corpus)
    assert [row["pii_findings"] for row in rows(corpus, "documents")] == [None, None]
    with pytest.raises(CorpusError, match=r"parse\.pii\.\S+: not set"):
        plain(notes, corpus, pii={"action": "report"})
    plain(notes, corpus, pii={"action": "report"}, publish={"rebuild": True})
    assert [len(row["pii_findings"]) for row in sorted(rows(corpus, "documents"), key=lambda row: row["path"])] == [2, 1]
    kept = [dict(row) for row in rows(corpus, "documents")]
    (notes / "b.md").write_text("# More\n\nNothing of that kind.")
    plain(notes, corpus, pii={"action": "report"})
    roll_back_corpus(Corpus(str(corpus)), 2, "run")
    assert rows(corpus, "documents") == kept
    purge_document(Corpus(str(corpus)), "main", "a.md", "run")
    assert [row["path"] for row in rows(corpus, "documents")] == ["b.md"]
    assert not [place for place, content in list_kept_bytes(corpus) if MAILS["incsv"].encode() in content]


def test_an_older_table_gets_the_column_when_a_document_is_rejected(plain: Refresh, notes: Path, corpus: Path) -> None:
    plain(notes, corpus)
    lance.dataset(str(corpus / "documents.lance")).drop_columns(["pii_findings"])
    generations = lance.dataset(str(corpus / "generations.lance"))
    versions = json.loads(generations.to_table(columns=["versions"])["versions"][0].as_py())
    versions["documents"] = lance.dataset(str(corpus / "documents.lance")).version
    generations.update({"versions": f"'{json.dumps(versions)}'"})
    (notes / "a.md").write_bytes(b"\xff\xfe\x00")
    plain(notes, corpus, gate={"max_reject_share": 1})
    assert {row["path"]: row["state"] for row in rows(corpus, "documents")} == {"a.md": "stale", "b.md": "current"}
