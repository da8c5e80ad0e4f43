"""Nothing about a document that one may not read is told at any door, and what is told is that of a corpus without it.

`make test-access` draws 1,000 corpora.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import pagemill
from schemas.access import EVERYONE, NOBODY, Principal
from schemas.ids import document_id
from tests.flows.access.doors import Doors, embed
from tests.tasks.small_corpus import publish_corpus

EXAMPLES = int(os.environ.get("TEST_LEAKS", "1"))
WORDS = ("heron", "weir", "mill", "ledger", "river", "eel", "wheel", "snow")
WHERES = (None, "array_has(groups, 'a')", "NOT array_has(groups, 'b')", "groups IS NOT NULL OR path LIKE '%'", "n_pages >= 1")
HIDDEN_COLUMNS = {"groups", "metadata_hash", "run_id", "generation"}
OWNERS_ALONE = (
    *("rejects", "validations", "metrics", "scores", "report", "compare", "evaluate", "check", "generate", "finetune"),
    *("dataset", "table", "generations", "duplicates", "clusters", "log", "changes", "feed"),
)


class Drawn(NamedTuple):
    """Texts and groups by path, who asks what, under which condition."""

    texts: dict[str, str]
    groups: dict[str, list[str]]
    principal: Principal
    question: str
    where: str | None

    def may_read(self, path: str) -> bool:
        return bool({EVERYONE, *self.principal.groups} & {*self.groups[path]})


GROUPS = st.one_of(st.lists(st.sampled_from("abc"), min_size=1, max_size=2, unique=True), st.just([EVERYONE]), st.just([NOBODY]))
LINES = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join), min_size=1, max_size=3)


@st.composite
def corpora(draw: st.DrawFn, most: int = 8) -> Drawn:
    lines = draw(st.lists(LINES, min_size=1, max_size=most))
    texts = {
        f"{draw(st.sampled_from(WORDS))}_{at}.txt": "\n".join([f"secret{at}x {one[0]}", *one[1:]]) for at, one in enumerate(lines)
    }
    for path in draw(st.lists(st.sampled_from([*texts]), max_size=2)):
        texts[f"{draw(st.sampled_from(WORDS))}_copy{len(texts)}.txt"] = texts[path]
    groups = {path: draw(GROUPS) for path in texts}
    principal = Principal(draw(st.lists(st.sampled_from("abc"), max_size=2, unique=True)))
    asked = draw(
        st.lists(st.sampled_from([*WORDS, *(f"secret{at}x" for at in range(len(texts))), *texts]), min_size=1, max_size=4)
    )
    return Drawn(texts, groups, principal, " ".join(asked), draw(st.sampled_from(WHERES)))


def marks(path: str, text: str) -> list[str]:
    """Return what only answers about a document have: its path, its id and its own word."""
    return [path, document_id("main", path), text.split(" ", 1)[0]]


def plain(rows: list[dict[str, Any]], *names: str) -> list[str]:
    kept = [{name: value for name, value in row.items() if name in names or not names} for row in rows]
    return sorted(
        json.dumps({n: v for n, v in row.items() if n not in HIDDEN_COLUMNS}, sort_keys=True, default=str) for row in kept
    )


def check_equal(restricted: Mapping[str, Any], reduced: Mapping[str, Any], few: bool) -> None:
    """Compare with the answers of a corpus of the allowed documents alone.

    Scores differ by idf, and by them which passages are worth showing, and among many chunks which are the best.
    """
    assert {door: answer.get("error") for door, answer in restricted.items()} == {
        door: answer.get("error") for door, answer in reduced.items()
    }
    span = ("document_id", "start_char", "end_char", "text", "pages")
    parts = {"chunks found": span, "documents": (), "chunks": (), "figures as they lie": ()}
    for door, names in parts.items():
        assert plain(restricted[door].get("told", []), *names) == plain(reduced[door].get("told", []), *names)
    assert restricted["figures"]["told"] == reduced["figures"]["told"]
    if few:
        hybrid, alone = restricted["hybrid"]["told"], reduced["hybrid"]["told"]
        assert plain(hybrid["results"], *span) == plain(alone["results"], *span)
        assert hybrid["answered"] == pytest.approx(alone["answered"])


def check_no_leak(drawn: Drawn) -> None:
    with TemporaryDirectory() as folder:
        whole, part = Path(folder) / "whole/corpus", Path(folder) / "part/corpus"
        allowed = {path: text for path, text in drawn.texts.items() if drawn.may_read(path)}
        publish_corpus(str(whole), drawn.texts, groups=drawn.groups, embed=embed)
        # What is compared may have everything, and nobody knows of groups there but for the conditions on them.
        publish_corpus(str(part), allowed, groups={path: drawn.groups[path] for path in allowed}, embed=embed)
        readable = "\n".join(allowed.values())  # of a copy one may know the words
        hidden = [mark for path, text in drawn.texts.items() if path not in allowed for mark in marks(path, text)]
        hidden = [mark for mark in hidden if mark not in readable]
        asked = set(drawn.question.split())
        document = next((path for path in drawn.texts if path not in allowed), next(iter(drawn.texts)))
        questions = Path(folder) / "questions.jsonl"
        questions.write_text(json.dumps({"id": "1", "question": drawn.question, "documents": [document]}))
        doors = Doors(whole, drawn.principal)
        of_python = doors.ask_python(drawn.question, drawn.where, document)
        with doors.serve() as ask:
            told = {**of_python, **doors.ask_command_line(drawn.question, drawn.where, str(questions))}
            told |= {f"http {name}": answer for name, answer in ask(drawn.question, drawn.where, document).items()}
        for door, answer in told.items():
            said = json.dumps(answer, default=str)
            known = {document, *asked, questions.name}  # what one has asked with may be said back
            assert not [mark for mark in hidden if mark in said and mark not in known], f"{door} tells of what may not be read"
        for door in OWNERS_ALONE:
            assert told[door]["error"] == "AccessError", f"{door}: {told[door]}"
        assert (told["likes"]["error"], told["alike"]["error"]) == ("AccessError", "InputError")
        if document not in allowed:
            assert told["read"]["error"] == "UnknownDocument" and told["http document"]["status"] == 404
            assert told["http picture"]["status"] == 404 and "has no document" in told["http picture"]["text"]
        alone = Doors(part, Principal(["a", "b", "c"])).ask_python(drawn.question, drawn.where, document)
        check_equal(of_python, alone, few=len(allowed) < 20)


MIXED = Drawn(
    {
        "heron_0.txt": "secret0x heron weir\nheron river",
        "mill_1.txt": "secret1x mill heron\nriver eel",
        "weir_2.txt": "secret2x heron",
        "ledger_3.txt": "secret3x ledger heron snow\nheron",
        "eel_4.txt": "secret4x wheel",
    },
    {"heron_0.txt": ["a"], "mill_1.txt": ["a", "b"], "weir_2.txt": [EVERYONE], "ledger_3.txt": ["b"], "eel_4.txt": [NOBODY]},
    Principal(["a"]),
    "heron secret3x mill_1.txt river",
    "NOT array_has(groups, 'b')",
)


@settings(max_examples=EXAMPLES)
@example(MIXED)
@example(MIXED._replace(where=None))
@given(corpora())
def test_no_door_tells_of_a_document_that_one_may_not_read(drawn: Drawn) -> None:
    check_no_leak(drawn)


@pytest.mark.skipif("TEST_LEAKS" not in os.environ, reason="make test-access: it draws large corpora")
@settings(max_examples=2)
@given(st.integers(0, 2**32))
def test_nor_does_a_large_corpus(seed: int) -> None:
    random = Random(seed)  # so many draws of Hypothesis's own are more than it takes
    texts = {f"{random.choice(WORDS)}_{at}.txt": f"secret{at}x " + " ".join(random.choices(WORDS, k=9)) for at in range(200)}
    groups = {path: [random.choice(["a", "b", "c", EVERYONE, NOBODY])] for path in texts}
    check_no_leak(Drawn(texts, groups, Principal("a"), f"heron {random.choice([*texts])}", None))


def test_without_a_principal_every_door_refuses(tmp_path: Path) -> None:
    publish_corpus(str(tmp_path / "corpus"), {"a.txt": "secret0x heron"}, groups={"a.txt": [EVERYONE]})
    (tmp_path / "questions.jsonl").write_text(json.dumps({"id": "1", "question": "heron", "documents": ["a.txt"]}))
    doors = Doors(tmp_path / "corpus", None)
    assert doors.ask_python("heron", None, "a.txt")["open"]["error"] == "AccessError"
    assert {told["error"] for told in doors.ask_command_line("heron", None, str(tmp_path / "questions.jsonl")).values()} == {
        "AccessError"
    }
    with doors.serve() as ask:
        told = ask("heron", None, "a.txt")
    assert {told[name]["status"] for name in ("search", "documents", "document", "picture")} == {403}
    assert "secret0x" not in json.dumps(told) and json.loads(told["health"]["text"])["n_documents"] is None


def test_a_principal_is_refused_by_a_corpus_that_does_not_say_who_may_read(tmp_path: Path) -> None:
    publish_corpus(str(tmp_path / "corpus"), {"a.txt": "heron"})
    doors = Doors(tmp_path / "corpus", Principal("a"))
    assert doors.ask_python("heron", None, "a.txt")["open"]["error"] == "AccessError"
    with doors.serve() as ask:
        assert ask("heron", None, "a.txt")["search"]["status"] == 403


def test_of_copies_of_a_file_the_newest_that_may_be_read_is_shown(tmp_path: Path) -> None:
    texts = dict.fromkeys(("a.txt", "bb.txt", "ccc.txt"), "secret0x heron") | {"d.txt": "secret0x heron weir"}
    groups = {"a.txt": ["c"], "bb.txt": ["a"], "ccc.txt": ["a", "b"], "d.txt": ["a"]}
    publish_corpus(str(tmp_path / "corpus"), texts, groups=groups)
    found = {
        mine: {hit.path: hit.also_in for hit in pagemill.open(tmp_path / "corpus", as_=Principal(mine)).search("heron", 9, "fts")}
        for mine in "abc"
    }
    assert found == {"a": {"bb.txt": ["ccc.txt"], "d.txt": []}, "b": {"ccc.txt": []}, "c": {"a.txt": []}}
