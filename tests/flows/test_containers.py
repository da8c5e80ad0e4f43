"""Archives in a source, night after night: their members are documents, and an archive that breaks loses none."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from flows.cli.main import make_cli_application
from schemas.corpus import Corpus
from schemas.errors import CorpusError
from tasks.parse.io.members import list_containers
from tasks.publish.io.purge import preview_purge, purge_document
from tests.flows.conftest import Refresh
from tests.flows.corpora import age, computed, paths, rows
from tests.flows.forks import Forks, Moment
from tests.soak.state import traces
from tests.tasks.parse.containers.packed import encrypt, make_tar_gz, make_zip
from tests.tasks.parse.mail.outlook_drawn import make_message
from tests.tasks.parse.mail.test_mail import a_mail, a_mailbox

A, B, C = b"The heron stands in the river.", b"The mill grinds corn by day.", b"The pump runs at night."
INNER = [("inner/c.txt", C)]


def pack(source: Path, name: str = "box.zip", a: bytes = A, b: bytes = B, more: tuple[tuple[str, bytes], ...] = ()) -> Path:
    """Write an archive of two texts, and one in an archive in it."""
    source.mkdir(exist_ok=True)
    files = [("a.txt", a), ("sub/b.txt", b), ("in.tar.gz", make_tar_gz(INNER)), ("tool.exe", b"MZ"), *more]
    (source / name).write_bytes(make_zip(files))
    return source / name


INSIDE = {"a.txt", "sub/b.txt", "in.tar.gz/inner/c.txt"}


def in_box(name: str = "box.zip") -> set[str]:
    return {f"{name}/{path}" for path in INSIDE}


@pytest.fixture
def boxed(tmp_path: Path) -> Path:
    pack(tmp_path / "boxed")
    (tmp_path / "boxed/plain.txt").write_text("A plain file lies beside the archive.")
    return tmp_path / "boxed"


def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that grows by the name of each container that is opened."""
    names: list[str] = []

    def noted(pool: Any, containers: Any, limits: Any) -> Any:
        names.extend(container.name for container in containers)
        return list_containers(pool, containers, limits)

    monkeypatch.setattr("tasks.refresh.io.source.opening.list_containers", noted)
    return names


def test_members_are_documents_and_only_what_changed_in_an_archive_is_computed(
    plain: Refresh, boxed: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = opened(monkeypatch)
    age(boxed)
    first = plain(boxed, corpus)
    assert paths(corpus) == {"plain.txt", *in_box()}
    assert first["skipped"] == ["box.zip/tool.exe"] and names == ["box.zip"]
    settled = plain(boxed, corpus)
    assert (settled["outcome"], settled["counts"]) == ("nothing changed", {"unchanged": 4, "rejected": 0})
    assert settled["skipped"] == ["box.zip/tool.exe"] and names == ["box.zip"]
    (boxed / "plain.txt").write_text("A plain file was changed beside the archive.")
    assert computed(plain(boxed, corpus))["parse"] == 1 and names == ["box.zip"]
    pack(boxed, b=b"The mill stands still.")
    changed = plain(boxed, corpus)
    assert (changed["counts"]["changed"], computed(changed)["parse"], names) == (1, 1, ["box.zip", "box.zip"])
    assert {row["text"] for row in rows(corpus, "documents") if row["path"] == "box.zip/sub/b.txt"} == {"The mill stands still."}
    (boxed / "box.zip").rename(boxed / "crate.zip")
    moved = plain(boxed, corpus)
    assert (moved["counts"]["moved"], moved["counts"]["removed"], computed(moved)["parse"]) == (3, 0, 0)
    assert paths(corpus) == {"plain.txt", *in_box("crate.zip")} and len(names) == 2
    (boxed / "crate.zip").unlink()
    with pytest.raises(CorpusError, match="3 of 4 documents left the source"):
        plain(boxed, corpus)
    plain(boxed, corpus, plan={"allow_removals": True})
    assert paths(corpus) == {"plain.txt"}


def test_archives_that_break_are_a_reject_each_and_what_is_published_of_them_stays(
    plain: Refresh, boxed: Path, corpus: Path
) -> None:
    broken = ("truncated.zip", "encrypted.zip", "unreadable.zip", "too large.zip")
    for name in broken:
        pack(boxed, name)
    pack(boxed, "too large.zip", more=(("d.txt", b"The sluice is shut."),))
    documents = {"plain.txt", *in_box(), "too large.zip/d.txt"}.union(*map(in_box, broken))
    gate, limits = {"max_reject_share": 0.9}, {"container_members": 5}
    plain(boxed, corpus)
    assert paths(corpus) == documents
    whole = (boxed / "truncated.zip").read_bytes()
    (boxed / "truncated.zip").write_bytes(whole[:-30])
    (boxed / "encrypted.zip").write_bytes(encrypt(whole))
    (boxed / "unreadable.zip").unlink()
    (boxed / "unreadable.zip").symlink_to(boxed / "nowhere")
    for _ in range(2):
        plain(boxed, corpus, gate=gate, limits=limits)
        assert paths(corpus) == documents
        rejects = rows(corpus, "rejects")
        assert {row["path"] for row in rejects} == {*broken} and len(rejects) == len(broken)
        assert all((row["page_number"], row["final"]) == (0, True) and row["remedy"] for row in rejects)
    for name in broken:
        (boxed / name).unlink()
        pack(boxed, name, a=f"The heron came back to {name}.".encode())
    mended = plain(boxed, corpus, plan={"allow_removals": True})
    assert mended["counts"]["changed"] == len(broken) and rows(corpus, "rejects") == []
    assert paths(corpus) == documents - {"too large.zip/d.txt"}
    (boxed / "box.zip").write_bytes(b"PK\x03\x04 broken")
    plain(boxed, corpus, plan={"on_reject": "drop", "allow_removals": True}, gate=gate)
    assert paths(corpus) == documents - {"too large.zip/d.txt"} - in_box()


def test_globs_and_sidecars_reach_into_archives(plain: Refresh, boxed: Path, corpus: Path) -> None:
    pack(boxed, more=(("metadata.csv", b"path,year\na.txt,1999\n"),))
    (boxed / "metadata.csv").write_text("path,year\nbox.zip/a.txt,2001\n")
    outcome = plain(boxed, corpus, plan={"exclude": ["sub/", "plain.txt"]}, columns={"year": "int"})
    assert paths(corpus) == {"box.zip/a.txt", "box.zip/in.tar.gz/inner/c.txt"}
    assert {row["path"]: row["year"] for row in rows(corpus, "chunks")}["box.zip/a.txt"] == 2001
    assert "box.zip/metadata.csv (metadata is read beside an archive, not in it)" in outcome["skipped"]


def test_a_purge_of_an_archive_takes_its_documents_along_and_rows_that_only_files_still_have(
    plain: Refresh, boxed: Path, corpus: Path
) -> None:
    pack(boxed, "crate.zip", a=b"The otter swims.")
    plain(boxed, corpus)
    (boxed / "box.zip").unlink()
    plain(boxed, corpus, plan={"allow_removals": True})
    assert preview_purge(Corpus(str(corpus)), "main", "box.zip")["members"] == sorted(in_box())
    assert purge_document(Corpus(str(corpus)), "main", "box.zip", "run")["members"] == sorted(in_box())
    assert traces(corpus, b"heron", b"box.zip") == []
    assert paths(corpus) == {"plain.txt", *in_box("crate.zip")}
    (boxed / "crate.zip").unlink()
    plain(boxed, corpus, plan={"allow_removals": True}, publish={"keep_generations": 1})
    assert traces(corpus, b"otter") != []
    assert purge_document(Corpus(str(corpus)), "main", "crate.zip", "run")["members"] == sorted(in_box("crate.zip"))
    assert traces(corpus, b"otter", b"crate.zip") == []


def test_a_refresh_that_is_killed_with_unpacked_members_leaves_none_and_the_next_one_is_whole(
    forks: Forks, boxed: Path, corpus: Path, tiny_embedder: str
) -> None:
    embed = {"model": tiny_embedder}
    assert forks.run(boxed, corpus, Moment("tasks.parse.io.members", "_unpack", 1), embed=embed).signal == 9
    left = [path for path in corpus.rglob("*") if path.is_file() and path.read_bytes() == A]
    assert left and all("runs" in path.parts for path in left)
    assert not forks.run(boxed, corpus, embed=embed).error
    assert paths(corpus) == {"plain.txt", *in_box()}
    assert [path for path in corpus.rglob("*") if path.is_file() and path.read_bytes() == A] == []


def test_commands_for_files_take_archives_and_their_members(
    boxed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def call(*arguments: object) -> str:
        make_cli_application()([str(argument) for argument in arguments], standalone_mode=False)
        return capsys.readouterr().out

    (boxed / "plain.txt").unlink()
    told = json.loads(call("parse", boxed, "--out", tmp_path / "out", "--json"))
    assert {os.path.relpath(one["path"], boxed) for one in told} == in_box() and not any(one["error"] for one in told)
    assert (tmp_path / "out/box.zip/in.tar.gz/inner/c.md").read_bytes().strip() == C
    assert json.loads(call("inspect", boxed / "box.zip/a.txt", "--json"))["elements"][0]["text"] == A.decode()
    assert json.loads(call("chunk", boxed / "box.zip/in.tar.gz/inner/c.txt"))["text"] == C.decode()


def test_mails_and_mailboxes_are_documents_with_columns_and_attachments(plain: Refresh, tmp_path: Path, corpus: Path) -> None:
    from tasks.search.io.retrieve import open_searcher

    source = tmp_path / "mails"
    source.mkdir()
    mail = a_mail(Date="Mon, 01 Jan 2024 10:00:00 +0100", Subject="The mill")
    mail.add_attachment(b"The wheel needs oak.", maintype="text", subtype="plain", filename="wheel.txt")
    (source / "m.eml").write_bytes(mail.as_bytes())
    (source / "o.msg").write_bytes(make_message())
    messages = [("1@x", "The pump runs."), ("2@x", "The pump stands."), ("3@x", "The pump leaks.")]
    (source / "in.mbox").write_bytes(a_mailbox(messages))
    given: dict[str, Any] = {"columns": {"from": "string", "date": "date", "subject": "string"}}
    plain(source, corpus, **given)
    boxed = {f"in.mbox/{name}.eml" for name, _ in messages}
    outlook = {"o.msg", "o.msg/report.txt", "o.msg/Inner engine.eml", "o.msg/Inner engine.eml/deep.txt"}
    assert paths(corpus) == {"m.eml", "m.eml/wheel.txt", *outlook, *boxed}
    found = {row["path"]: row for row in rows(corpus, "documents")}["m.eml"]
    assert (found["from"], str(found["date"]), found["title"]) == ("Ada <ada@example.org>", "2024-01-01", "The mill")
    where = "from LIKE 'Ada %' AND date = '2024-01-01'"
    hits = open_searcher(Corpus(str(corpus))).search("mill", 9, "fts", where)
    assert {hit.path for hit in hits} == {"m.eml", "o.msg"}
    (source / "in.mbox").write_bytes(a_mailbox([*messages[1:], ("4@x", "The pump is new.")]))
    outcome = plain(source, corpus, **given)
    assert (outcome["counts"]["added"], outcome["counts"]["removed"], computed(outcome)["parse"]) == (1, 1, 1)
    (source / "m.eml").unlink()
    plain(source, corpus, plan={"allow_removals": True}, **given)
    assert not {"m.eml", "m.eml/wheel.txt"} & paths(corpus)
    assert purge_document(Corpus(str(corpus)), "main", "m.eml", "run")["members"] == ["m.eml/wheel.txt"]
    assert traces(corpus, b"needs oak", b"wheel.txt") == []
