"""What is asked is written down once, by whoever asks at once; what is old, and what was purged, goes."""

import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.access import EVERYONE, OWNER, Principal
from schemas.corpus import Corpus
from schemas.errors import CorpusError, UnknownDocument
from schemas.ids import document_id
from schemas.options.search import QUESTION_CHARS
from schemas.tables.audit import AUDIT
from tasks.store import audit, lance, published
from tasks.store.audit import AuditLog, leave_out_documents, read_audit_log
from tests.soak.state import traces
from tests.tasks.small_corpus import publish_corpus

ASKING = """
import os, signal, sys, time
from schemas.access import Principal
from schemas.corpus import Corpus
from tasks.store import audit, published
corpus = Corpus(sys.argv[1])
log, live, audit.GATHER_SECONDS = audit.AuditLog(corpus), published.read_live_generation(corpus), 0.1
for at in range(10_000):
    with log.record(live, Principal(name="killed"), "search", str(time.time())):
        time.sleep(0.01)
"""


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    options = {"access": {"audit": True, "audit_questions": True, "audit_days": 10}}
    publish_corpus(str(tmp_path / "corpus"), {"a.txt": "heron"}, groups={"a.txt": [EVERYONE]}, options=options)
    return Corpus(str(tmp_path / "corpus"))


def ask(log: AuditLog, corpus: Corpus, question: str = "heron?", documents: tuple[str, ...] = (), name: str = "ada") -> None:
    with log.record(published.read_live_generation(corpus), Principal("b", name=name), "search", question) as told:
        told += documents


def ask_often(log: AuditLog, corpus: Corpus) -> None:
    for _ in range(5):
        ask(log, corpus)
        log.flush()


def wait_for(corpus: Corpus, name: str) -> None:
    deadline = time.monotonic() + 30
    while not any(row["asker"] == name for row in read_audit_log(corpus)):
        assert time.monotonic() < deadline, "nothing was written"
        time.sleep(0.05)


def test_of_two_processes_one_is_killed_and_all_but_its_last_moments_are_there(corpus: Corpus) -> None:
    with subprocess.Popen([sys.executable, "-c", ASKING, corpus.uri]) as other, ThreadPoolExecutor(4) as threads:
        wait_for(corpus, "killed")
        logs = [AuditLog(corpus) for _ in range(4)]
        assert [*threads.map(lambda log: ask_often(log, corpus), logs)] == [None] * 4
        ended = time.time()
        other.send_signal(signal.SIGKILL)
    names = [row["asker"] for row in read_audit_log(corpus)]
    assert names.count("ada") == 20
    assert max(float(row["question"]) for row in read_audit_log(corpus) if row["asker"] == "killed") > ended - 5
    assert lance.open_table(corpus, "audit").count_rows() == len(names)


def test_answers_wait_for_no_table_and_are_written_a_moment_later(corpus: Corpus) -> None:
    log = AuditLog(corpus)
    ask(log, corpus, documents=(document_id("main", "a.txt"), "gone"))
    assert not lance.does_table_exist(corpus, "audit")
    wait_for(corpus, "ada")
    (row,) = read_audit_log(corpus, document="a.txt")
    assert row["documents"] == ["a.txt", "gone"] and row["n_documents"] == 2
    assert (row["groups"], row["question"], row["error"]) == (["b"], "heron?", None)


def test_nobody_is_answered_while_it_cannot_be_written_who_asks(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    log = AuditLog(corpus)
    with monkeypatch.context() as full:
        full.setattr(audit, "append_rows", _refuse)
        ask(log, corpus, "first")
        for _ in range(2):
            with pytest.raises(CorpusError, match="disk"):
                log.flush()
            with pytest.raises(CorpusError, match="disk"):
                ask(log, corpus, "refused")
    ask(log, corpus, "second")
    log.flush()
    assert [row["question"] for row in read_audit_log(corpus)] == ["first", "second"]


def test_a_megabyte_that_is_asked_for_is_not_kept(corpus: Corpus) -> None:
    log = AuditLog(corpus)
    with pytest.raises(UnknownDocument), log.record(published.read_live_generation(corpus), None, "read", "a" * 1_000_000):
        raise UnknownDocument("there is no such document")
    log.flush()
    (row,) = read_audit_log(corpus)
    assert row["question"] == "a" * QUESTION_CHARS


def _refuse(*_: object) -> None:
    raise CorpusError("no space left on its disk")


def test_who_is_refused_is_written_down_with_the_error(corpus: Corpus) -> None:
    log = AuditLog(corpus)
    with pytest.raises(UnknownDocument), log.record(published.read_live_generation(corpus), OWNER, "read", "b.txt") as told:
        told.append("never")
        raise UnknownDocument("no such document")
    log.flush()
    (row,) = read_audit_log(corpus)
    assert (row["asker"], row["groups"], row["documents"], row["error"]) == ("owner", None, [], "UnknownDocument")


def test_rows_that_are_too_old_are_not_shown_and_leave_the_disk(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    row = {"kind": "search", "asker": "ada", "documents": [], "n_documents": 0}
    days = {"old": 11, "new": 9}
    rows: list[dict[str, Any]] = [
        {**row, "question": f"{name}-question", "asked_at": datetime.now(UTC) - timedelta(days=ago)} for name, ago in days.items()
    ]
    audit.append_rows(corpus, rows, days=10)
    assert [row["question"] for row in read_audit_log(corpus)] == ["new-question"]
    monkeypatch.setattr(audit, "READING_AGE", timedelta(0))
    audit.tidy_audit_log(corpus, days=10)
    folder = corpus.table("audit")
    assert traces(folder, b"old-question") == [] and len(traces(folder, b"new-question")) == 1
    assert read_audit_log(corpus, since=datetime.now(UTC)) == []


def test_many_appends_become_few_files(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "MOST_FRAGMENTS", 8)
    log = AuditLog(corpus)
    for at in range(20):
        ask(log, corpus, str(at))
        log.flush()
    assert len(lance.open_table(corpus, "audit").to_lance().get_fragments()) < 8
    assert [row["question"] for row in read_audit_log(corpus)] == [str(at) for at in range(20)]


IDS = st.sampled_from(["id1", "id2", "id3"])
ASKED = st.none() | st.sampled_from(["Where is it?", "a.zip/b.txt", "path = 'a.zip/b.txt'", "id2"])


@given(told=st.lists(IDS, unique=True), question=ASKED, condition=ASKED)
def test_nothing_of_a_purged_document_is_left(told: list[str], question: str | None, condition: str | None) -> None:
    row = {**dict.fromkeys(AUDIT.names), "documents": told, "n_documents": len(told)}
    row |= {"question": question, "condition": condition}
    left = leave_out_documents(row, {"id1", "id2"}, "a.zip")
    assert left["documents"] == [name for name in told if name == "id3"] and left["n_documents"] == len(told)
    names_it = any(text in (question or "") + (condition or "") for text in ("a.zip", "id2"))
    if names_it or {*told} & {"id1", "id2"}:
        assert left["question"] is left["condition"] is None
    else:
        assert left == row
