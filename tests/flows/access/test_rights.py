"""Who may read a published document, from its source to the live generation, and back."""

import grp
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import pagemill
from schemas.access import NOBODY, OWNER, Principal
from schemas.corpus import Corpus
from schemas.errors import AccessError, CorpusError, InputError
from tasks.publish.io.integrity.verify import verify_corpus
from tasks.publish.io.rollback import roll_back_corpus
from tasks.search.io.check_access import check_live_access
from tasks.store import published
from tests.flows.conftest import Refresh
from tests.flows.corpora import age, changes, computed

TEXTS = {
    "a.txt": "The heron stands in the river.",
    "b.md": "---\ngroups: [finance, board]\n---\nThe budget of the river is small.",
    "minutes/c.txt": "The board met at the river.",
    "d.txt": "A note about the river for nobody in particular.",
}
Refreshing = Callable[..., dict[str, Any]]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    for name, text in TEXTS.items():
        (tmp_path / "source" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "source" / name).write_text(text)
    grant(tmp_path / "source", "a.txt,everyone", "minutes,board")
    return tmp_path / "source"


@pytest.fixture
def refreshed(plain: Refresh, source: Path, tmp_path: Path) -> Refreshing:
    def refresh(**given: Any) -> dict[str, Any]:
        age(source)
        return plain(source, tmp_path / "corpus", columns={"groups": "list<string>"}, **given)

    return refresh


def grant(source: Path, *lines: str) -> None:
    (source / "metadata.csv").write_text("\n".join(["path,groups", *lines]) + "\n")


def groups(corpus: Path) -> dict[str, list[str]]:
    """Return the groups of each document; those of its chunks, and what the index finds, must be the same."""
    assert not [leak for one in check_live_access(Corpus(str(corpus))) for leak in one.leaks]
    rows = pagemill.open(corpus, as_=OWNER).documents(["path", "groups"]).to_pylist()
    return {row["path"]: row["groups"] for row in rows}


def seen(corpus: Path, *mine: str) -> set[str]:
    return {hit.path for hit in pagemill.open(corpus, as_=Principal(mine)).search("river", 9, "fts")}


@pytest.mark.slow
def test_a_link_gives_nobody_what_it_leads_to(refreshed: Refreshing, source: Path, tmp_path: Path) -> None:
    """Who may write to a folder for everyone could link to any document of the others there."""
    (source / "open").mkdir()
    (source / "open/e.txt").symlink_to(source / "minutes/c.txt")
    grant(source, "a.txt,everyone", "minutes,board", "open,everyone")
    refreshed()
    assert groups(tmp_path / "corpus") == BUILT and seen(tmp_path / "corpus") == {"a.txt"}


BUILT = {"a.txt": ["everyone"], "b.md": ["board", "finance"], "minutes/c.txt": ["board"], "d.txt": [NOBODY]}


@pytest.mark.slow
def test_rights_change_alone_at_once_and_no_rollback_widens_them(refreshed: Refreshing, source: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    refreshed()
    assert groups(corpus) == BUILT
    assert (seen(corpus), seen(corpus, "finance")) == ({"a.txt"}, {"a.txt", "b.md"})
    grant(source, "a.txt,board", "b.md,finance", "minutes,board")
    narrowed = refreshed()
    assert changes(narrowed) == {"metadata": 1, "unchanged": 3} or changes(narrowed) == {"metadata": 2, "unchanged": 2}
    assert not any(computed(narrowed).values())
    now = {**BUILT, "a.txt": ["board"], "b.md": ["finance"]}
    assert groups(corpus) == now
    assert (seen(corpus), seen(corpus, "board")) == (set(), {"a.txt", "minutes/c.txt"})
    assert refreshed()["outcome"] == "nothing changed"

    (source / "d.txt").unlink()
    refreshed(plan={"allow_removals": True})
    roll_back_corpus(Corpus(str(corpus)), 1, "back")
    assert groups(corpus) == now, "of a document that is gone, what was said last counts"
    assert verify_corpus(Corpus(str(corpus)), deep=True).whole
    refreshed(plan={"allow_removals": True}, publish={"release": True})
    assert groups(corpus) == {name: mine for name, mine in now.items() if name != "d.txt"}


@pytest.mark.slow
def test_what_cannot_be_read_any_more_is_never_for_more_than_before(refreshed: Refreshing, source: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    refreshed(access={"default": "everyone"})
    assert groups(corpus)["d.txt"] == ["everyone"]
    (source / "b.md").write_text("---\ngroups: 7\n---\nThe budget of the river is small.")
    (source / "a.txt").write_bytes(b"")
    grant(source, "a.txt,board", "minutes,board")
    refreshed(access={"default": "everyone"}, gate={"max_reject_share": 1})
    assert {row["path"]: row["state"] for row in documents(corpus)} == {
        **{"a.txt": "stale", "b.md": "stale", "minutes/c.txt": "current", "d.txt": "current"}
    }
    assert groups(corpus) == {**BUILT, "a.txt": ["board"], "b.md": [NOBODY], "d.txt": ["everyone"]}
    grant(source, "a.txt,finance", "minutes,board")
    refreshed(access={"default": "everyone"}, gate={"max_reject_share": 1})
    assert groups(corpus)["a.txt"] == ["finance"], "a document that stays rejected gets its new rights too"
    refreshed(access={"default": "nobody"}, gate={"max_reject_share": 1})
    assert groups(corpus)["d.txt"] == [NOBODY]


def documents(corpus: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pagemill.open(corpus, as_=OWNER).documents(["path", "state"]).to_pylist()
    return found


@pytest.mark.slow
def test_who_does_not_say_who_it_is_is_answered_as_long_as_the_corpus_is_open(refreshed: Refreshing, tmp_path: Path) -> None:
    refreshed(access={"open": True})
    assert pagemill.open(tmp_path / "corpus").documents().num_rows == len(TEXTS)
    assert refreshed()["generation"] == 2
    with pytest.raises(AccessError, match="say who asks"):
        pagemill.open(tmp_path / "corpus")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (("a.txt,finance", "b.md,board", "a.txt,board"), r"metadata.csv line 4 says that a.txt is for board, and .* line 2"),
        (("a.txt,finance;;board",), "line 2: groups is 'finance;;board'"),
        (("a.txt,nobody;board",), "line 2: groups is 'nobody;board'"),
        (("a.txt,o'clock",), "line 2: groups is"),
    ],
)
def test_wrong_groups_are_refused_by_file_and_line(
    refreshed: Refreshing, source: Path, lines: tuple[str, ...], message: str
) -> None:
    grant(source, *lines)
    with pytest.raises(InputError, match=message):
        refreshed()


@pytest.mark.parametrize("name", ["group", "Gruops", "groupes"])
def test_a_misspelt_name_is_refused(refreshed: Refreshing, source: Path, name: str) -> None:
    (source / "metadata.csv").write_text(f"path,{name}\na.txt,finance\n")
    with pytest.raises(InputError, match=f"line 2: {name} is no declared column, and seems to mean groups"):
        refreshed()


def test_options_of_access_without_groups_are_refused(plain: Refresh, source: Path, tmp_path: Path) -> None:
    for wrong, message in (
        ({"access": {"open": True}}, "no column says who may read"),
        ({"source": {"rights": True}}, "source.rights has no column to go to"),
        ({"columns": {"groups": "string"}}, "groups says who may read a document: declare it as"),
    ):
        with pytest.raises(InputError, match=message):
            plain(source, tmp_path / "corpus", **wrong)


def test_rows_that_did_not_take_their_rights_are_not_published(
    refreshed: Refreshing, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refreshed()
    grant(source, "a.txt,board", "minutes,board")
    monkeypatch.setattr("tasks.publish.io.rights._update_columns", lambda *_: None)
    with pytest.raises(CorpusError, match="did not take who may read"):
        refreshed()
    live = published.read_live_generation(Corpus(str(tmp_path / "corpus")))
    assert live.generation == 1 and groups(tmp_path / "corpus") == BUILT


@pytest.mark.slow
def test_rights_of_files_are_taken_from_the_folder_and_followed_without_reading_them(
    plain: Refresh, source: Path, tmp_path: Path
) -> None:
    def refresh() -> dict[str, Any]:
        age(source)
        return plain(source, tmp_path / "corpus", columns={"groups": "list<string>"}, source={"rights": True})

    mine = grp.getgrgid(os.getgid()).gr_name
    grant(source, "minutes/c.txt,board")
    for name, mode in {"a.txt": 0o644, "b.md": 0o600, "d.txt": 0o640}.items():
        (source / name).chmod(mode)
    refresh()
    assert groups(tmp_path / "corpus") == {"a.txt": ["everyone"], "b.md": [NOBODY], "minutes/c.txt": ["board"], "d.txt": [mine]}
    (source / "a.txt").chmod(0o640)
    changed = refresh()
    assert changes(changed) == {"metadata": 1, "unchanged": 3} and not any(computed(changed).values())
    assert groups(tmp_path / "corpus")["a.txt"] == [mine]
    assert refresh()["outcome"] == "nothing changed"


@pytest.mark.slow
def test_rights_of_rows_are_a_column_of_the_database(plain: Refresh, tmp_path: Path) -> None:
    query = "SELECT id, body, version, readers AS groups FROM notes"
    options = {"query": query, "changed": "version", "metadata": ("groups",)}
    url = f"sqlite:///{tmp_path / 'notes.db'}"

    def refresh(statement: str) -> dict[str, Any]:
        with closing(sqlite3.connect(tmp_path / "notes.db")) as notes:
            notes.executescript(f"{statement}; COMMIT;")
        return plain(url, tmp_path / "corpus", columns={"groups": "list<string>"}, source=options)

    refresh(
        "BEGIN; CREATE TABLE notes (id TEXT, body TEXT, version INT, readers TEXT);"
        "INSERT INTO notes VALUES ('a', 'The heron stands.', 1, 'finance;board'), ('b', 'The mill turns.', 1, NULL)"
    )
    assert groups(tmp_path / "corpus") == {"a": ["board", "finance"], "b": [NOBODY]}
    changed = refresh("BEGIN; UPDATE notes SET readers = 'board'")
    assert changes(changed) == {"metadata": 2} and not any(computed(changed).values())
    assert groups(tmp_path / "corpus") == {"a": ["board"], "b": ["board"]}
    with pytest.raises(InputError, match=r"does not tell who may read its documents: leave out source.rights"):
        plain(url, tmp_path / "corpus", columns={"groups": "list<string>"}, source={**options, "rights": True})
