"""A night watch is told of everything that needs it, once each, and of nothing else; the address stays secret."""

import json
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from schemas.corpus import Corpus
from tasks.store.locks import hold_lock
from tests.deployments.conftest import SECRET
from tests.deployments.deployed import Deployed, process_of
from tests.deployments.receiver import Receiver

pytestmark = pytest.mark.slow
ON_DEMAND = "refresh/refresh-on-demand-reports"


WORDS = ("amber", "birch", "cedar", "dune", "ember", "fjord", "glade")


@contextmanager
def nothing_begins(deployed: Deployed) -> Iterator[None]:
    """Let no run begin during the block."""
    for paused in (True, False):
        deployed.server.ask("PATCH", "work_pools/pagemill", {"is_paused": paused})
        if paused:
            yield


def test_a_run_that_crashes_fails_is_refused_or_late_is_told_once(deployed: Deployed, receiver: Receiver, tmp_path: Path) -> None:
    crashing = tmp_path / "crashing"
    (crashing / ".pagemill").mkdir(parents=True)
    with hold_lock(Corpus(str(crashing)).lock("refresh"), 0, "a test"):
        crashed = deployed.start(ON_DEMAND, corpus=str(crashing))
        deployed.await_state(crashed, "RUNNING")
        os.kill(process_of(crashed).pid, signal.SIGKILL)
        deployed.await_state(crashed, "CRASHED")
    failed = deployed.start("generate-questions/generate-questions-reports", corpus=str(tmp_path / "nowhere"))
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "broken.pdf").write_bytes(b"nothing like a PDF")
    nowhere = {"source": str(broken), "corpus": str(tmp_path / "refused")}
    refused = deployed.start(ON_DEMAND, **nowhere, options={"gate": {"max_reject_share": 0}})
    said = receiver.await_one("Pagemill: a draft was refused", refused)["body"]
    assert "1 of 1 documents rejected" in said and "correct or exclude the rejected documents" in said
    assert deployed.server.get(f"flow_runs/{refused}")["state_name"] == "Refused"
    said = receiver.await_one("Pagemill: a run failed", failed)["body"]
    assert "nowhere holds no published corpus" in said
    receiver.await_one("Pagemill: a run crashed", crashed)
    with nothing_begins(deployed):
        late = deployed.start("generate-questions/generate-questions-minutes")
        assert "does the worker run?" in receiver.await_one("Pagemill: a run is late", late)["body"]
    deployed.await_end(late)
    for subject in ("a run failed", "a run crashed", "a draft was refused", "a run is late"):
        for run in (crashed, failed, refused):
            assert len(receiver.about(f"Pagemill: {subject}", run)) <= 1
    assert not receiver.about("Pagemill: a run failed", refused) and not receiver.about("Pagemill: a run failed", crashed)


def test_a_verification_that_finds_damage_is_told_once_with_the_command_that_helps(
    deployed: Deployed, receiver: Receiver, tmp_path: Path
) -> None:
    places = {"source": str(tmp_path / "notes"), "corpus": str(tmp_path / "damaged")}
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes/a.txt").write_text("The heron stands in the river.")
    assert deployed.await_end(deployed.start(ON_DEMAND, **places))["state_name"] == "Completed"
    verify = "verify/verify-nightly-reports"
    assert deployed.await_end(deployed.start(verify, corpus=places["corpus"]))["state_name"] == "Completed"
    data = max((tmp_path / "damaged/chunks.lance/data").glob("*.lance"), key=lambda path: path.stat().st_size)
    data.write_bytes(data.read_bytes()[:-1] + b"?")
    found = deployed.await_end(deployed.start(verify, corpus=places["corpus"]))
    assert found["state_name"] == "Damaged"
    said = receiver.await_one("Pagemill: a corpus is damaged", found["id"])["body"]
    assert f"is not as it was written: pagemill repair --corpus {places['corpus']}" in said
    assert not receiver.about("Pagemill: a run failed", found["id"])


@pytest.mark.long
def test_rejects_above_the_threshold_and_a_fall_of_recall_are_told_once(
    deployed: Deployed, receiver: Receiver, tmp_path: Path
) -> None:
    source, places = tmp_path / "herons", {"source": str(tmp_path / "herons"), "corpus": str(tmp_path / "heronry")}
    source.mkdir()
    asked = {"corpus": places["corpus"], "questions": str(tmp_path / "asked.jsonl")}
    lines = []
    for word in WORDS:
        (source / f"{word}.txt").write_text(f"At the {word} pond a heron was seen by the warden on the third of May.")
        gold = [{"document": f"{word}.txt", "quote": "the third of May"}]
        lines.append(json.dumps({"id": word, "question": f"When was the heron seen at the {word} pond?", "gold": gold}))
    Path(asked["questions"]).write_text("\n".join(lines))
    assert deployed.await_end(deployed.start(ON_DEMAND, **places))["state_name"] == "Completed"
    first = deployed.await_end(deployed.start("evaluate/evaluate-on-demand-reports", **asked))
    for word in WORDS:
        for n in range(8):
            text = f"When was the heron seen at the {word} pond? When was the heron of the {word} pond seen? Nobody knows, {n}."
            (source / f"{word}-{n}.txt").write_text(text)
    (source / "broken.pdf").write_bytes(b"nothing like a PDF")
    options = {"gate": {"alarm_reject_share": 0.01}}
    refreshed = deployed.await_end(deployed.start(ON_DEMAND, **places, options=options))
    assert refreshed["state_name"] == "Completed", refreshed["state"]["message"]
    said = receiver.await_one("Pagemill: many documents are rejected", refreshed["id"])["body"]
    assert "1 of 64 documents are rejected, more than 1 % (gate.alarm_reject_share)" in said
    second = deployed.await_end(deployed.start("evaluate/evaluate-on-demand-reports", **asked))
    assert "recall@5: alarm: " in receiver.await_one("Pagemill: recall fell", second["id"])["body"]
    assert not receiver.about("Pagemill: recall fell", first["id"])


@pytest.mark.long
def test_a_night_without_a_refresh_is_told_once(deployed: Deployed, receiver: Receiver) -> None:
    server, subject, name = deployed.server, "Pagemill: no run came", "refresh-nightly-minutes"
    (found,) = [one for one in server.post("automations/filter", {}) if one["name"] == f"Pagemill alarm: no run came ({name})"]
    assert found["trigger"]["within"] == (7 * 24 + 1 + 6) * 3600, "a week, in autumn an hour longer"
    kept = ("name", "description", "enabled", "trigger", "actions", "tags")
    wanted = {key: found[key] for key in kept} | {"trigger": {**found["trigger"], "within": 15}}
    server.ask("PUT", f"automations/{found['id']}", wanted)
    deployed.await_end(deployed.start(f"refresh/{name}"))
    ended = time.monotonic()
    said = receiver.await_one(subject, name)["body"]
    assert time.monotonic() - ended > 5 and "no run has ended for 175 hours, longer than its schedule allows" in said
    time.sleep(30)
    assert len(receiver.about(subject, "")) == 1
    assert server.run("deploy").returncode == 0


def test_the_address_of_the_alarms_is_found_nowhere_but_with_who_gets_them(deployed: Deployed, receiver: Receiver) -> None:
    assert {message["path"] for message in receiver.told} == {f"/{SECRET}"}
    found = [
        str(path)
        for folder in (deployed.server.run_dir, deployed.corpus)
        for path in folder.rglob("*")
        if path.is_file() and SECRET.encode() in path.read_bytes()
    ]
    assert found == []
