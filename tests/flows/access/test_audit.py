"""At every door it is written down who asks, and a purge takes its document out of that too."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import pagemill
from schemas.access import Principal
from schemas.corpus import Corpus
from schemas.errors import AccessError
from tasks.publish.io.integrity.verify import verify_corpus
from tasks.publish.io.purge import preview_purge, purge_document
from tasks.store.audit import read_audit_log
from tests.flows.access.doors import Doors
from tests.flows.conftest import Refresh
from tests.soak.state import traces
from tests.tasks.small_corpus import publish_corpus

TEXTS = {"heron.txt": "secret0x heron", "mill.txt": "secret1x mill heron"}
GROUPS = {"heron.txt": ["a"], "mill.txt": ["b"]}
AUDITED = {"audit": True, "audit_questions": True, "audit_days": 30}


def ask_all_doors(corpus: Path, asker: Principal | None) -> list[dict[str, Any]]:
    """Return what is written down of each call that reaches documents."""
    doors = Doors(corpus, asker)
    opened = pagemill.open(corpus, as_=asker)
    opened.search("heron", mode="fts")
    opened.read("heron.txt")
    opened.documents(["path"])
    opened.chunks(where="position = 0")
    for refused in (opened.duplicates, lambda: opened.dataset("chunks"), lambda: opened.table("chunks")):
        with pytest.raises(AccessError):
            refused()
    opened._audit.flush()
    doors.ask_command_line("heron", None, str(corpus / "none.jsonl"))
    with doors.serve() as serving:
        serving("heron", "n_pages < 3", "heron.txt")
    return read_audit_log(Corpus(str(corpus)))


def test_every_door_writes_down_who_asked_what_and_what_was_told(tmp_path: Path) -> None:
    publish_corpus(str(tmp_path / "corpus"), TEXTS, groups=GROUPS, options={"access": AUDITED})
    rows = ask_all_doors(tmp_path / "corpus", Principal("a"))
    told = Counter((row["kind"], *row["documents"]) for row in rows if row["error"] is None)
    assert told == {
        ("search", "heron.txt"): 3,  # Python, command line, HTTP
        ("read", "heron.txt"): 2 + (told["read", "heron.txt"] == 3),  # Python, HTTP, and MCP where it is installed
        ("documents", "heron.txt"): 3,
        ("chunks", "heron.txt"): 1,
        ("figures", "heron.txt"): 1,
        ("picture", "heron.txt"): 1,
    }
    refused = {(row["kind"], row["error"]) for row in rows if row["error"]}
    assert refused == {(kind, "AccessError") for kind in ("duplicates", "dataset", "table", "changes")}
    assert {tuple(row["groups"]) for row in rows} == {("a",)}
    assert {row["question"] for row in rows if row["kind"] in ("search", "figures")} == {"heron"}
    assert {row["condition"] for row in rows} == {None, "n_pages < 3", "position = 0"}


def test_without_being_wanted_nothing_is_written_and_questions_need_a_word_of_their_own(tmp_path: Path) -> None:
    publish_corpus(str(tmp_path / "none"), TEXTS, groups=GROUPS)
    assert ask_all_doors(tmp_path / "none", Principal("a")) == [] and not (tmp_path / "none/audit.lance").exists()
    publish_corpus(str(tmp_path / "some"), TEXTS, groups=GROUPS, options={"access": {"audit": True}})
    opened = pagemill.open(tmp_path / "some", as_=Principal("a"))
    opened.search("heron", mode="fts", where="n_pages < 3")
    opened._audit.flush()
    (row,) = read_audit_log(Corpus(str(tmp_path / "some")))
    assert (row["question"], row["condition"], row["documents"]) == (None, None, ["heron.txt"])


@pytest.mark.slow
def test_a_purge_takes_its_document_out_of_the_log(plain: Refresh, tmp_path: Path) -> None:
    source, corpus = tmp_path / "source", tmp_path / "corpus"
    source.mkdir()
    for name, text in TEXTS.items():
        (source / name).write_text(text)
    (source / "metadata.csv").write_text("path,groups\nheron.txt,a\nmill.txt,a\n")
    plain(source, corpus, columns={"groups": "list<string>"}, access=AUDITED)
    opened = pagemill.open(corpus, as_=Principal("a", name="ada"))
    found = {hit.path: hit.document_id for hit in opened.search("heron", mode="fts")}
    opened.read("mill.txt")
    opened.search("secret1x", mode="fts")
    opened._audit.flush()
    assert len(read_audit_log(Corpus(str(corpus)), document="heron.txt")) == 1
    assert preview_purge(Corpus(str(corpus)), "main", "mill.txt")["log_rows"]["audit"] == 3
    purge_document(Corpus(str(corpus)), "main", "mill.txt", "purge")
    rows = read_audit_log(Corpus(str(corpus)))
    assert [(row["kind"], row["documents"], row["n_documents"]) for row in rows] == [
        ("search", ["heron.txt"], 2), ("read", [], 1), ("search", [], 1),
    ]  # fmt: skip
    assert {row["question"] for row in rows} == {None} and {row["asker"] for row in rows} == {"ada"}
    assert traces(corpus / "audit.lance", found["mill.txt"].encode()) == traces(corpus, b"secret1x") == []
    assert verify_corpus(Corpus(str(corpus)), deep=True).whole
