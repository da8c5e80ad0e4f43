import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from uuid import UUID

import psutil
import pytest

from schemas.corpus import Corpus
from tasks.store import lance
from tasks.store.locks import hold_lock
from tests.deployments.deployed import PREFECT, Deployed, environment_of, process_of
from tests.deployments.servers import Server, pretended

ALWAYS = ("refresh-nightly", "refresh-on-demand", "verify-nightly", "generate-questions")
"""Kinds of deployments that need no questions."""


def test_a_taken_port_is_told_and_nothing_is_started(server: Server) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", server.port))
        other.listen()
        done = server.run("up")
    assert done.returncode != 0
    assert f"port {server.port} is taken by another program" in done.stderr
    assert not list(server.run_dir.glob("*.pid"))


def test_down_spares_a_process_that_got_a_recycled_pid(server: Server) -> None:
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    with subprocess.Popen(["sleep", "600"]) as other:
        try:
            server.run_dir.mkdir()
            (server.run_dir / "server.pid").write_text(f"{other.pid} {boot} 1\n")
            done = server.run("down")
            assert (done.returncode, other.poll()) == (0, None)
        finally:
            other.kill()
    assert not (server.run_dir / "server.pid").exists()


def test_without_a_server_status_says_so_and_down_and_deploy_do_no_harm(server: Server) -> None:
    said = server.run("status").stdout
    assert said.startswith("server: not running\nworker: not running\nprocesses that read documents: ")
    assert re.search(r"no network \(namespaces\)|with network, because", said)
    assert server.run("down").returncode == 0
    assert "run make up first" in server.run("deploy").stderr


@pytest.mark.slow
def test_a_server_with_a_login_answers_nobody_else(server: Server) -> None:
    login = {"PREFECT_SERVER_API_AUTH_STRING": "keeper:tide"}
    done = server.run("up", **login)
    assert done.returncode == 0, done.stdout + done.stderr
    assert server.run_dir.stat().st_mode & 0o077 == 0
    with pytest.raises(urllib.error.HTTPError, match="401"):
        server.post("flows/filter", {})
    listed = server.call(PREFECT, "work-pool", "ls", PREFECT_API_AUTH_STRING="keeper:tide")
    assert (listed.returncode, "pagemill" in listed.stdout) == (0, True), listed.stderr


@pytest.mark.slow
def test_deployments_of_a_corpus_have_its_name_its_hour_and_its_tag(deployed: Deployed) -> None:
    found = {entry["name"]: entry for entry in deployed.server.post("deployments/filter", {})}
    asking = {"evaluate-nightly-reports", "evaluate-on-demand-reports", "experiment-reports"}
    asked_nothing = {f"{kind}-{name}" for kind in ALWAYS for name in ("reports", "minutes")}
    assert set(found) == asking | asked_nothing
    crons = {name: [plan["schedule"] for plan in entry["schedules"]] for name, entry in found.items() if entry["schedules"]}
    assert {name: (plan["cron"], plan["timezone"]) for name, [plan] in crons.items()} == {
        "refresh-nightly-reports": ("0 2 * * *", "Europe/Berlin"),
        "refresh-nightly-minutes": ("30 4 * * 1", "Europe/Berlin"),
    }
    assert {tuple(sorted(entry["tags"])) for name, entry in found.items() if "minutes" in name} == {
        ("corpus:minutes", "pagemill")
    }
    limits = {name: entry["global_concurrency_limit"] for name, entry in found.items()}
    assert limits["refresh-nightly-reports"] == limits["evaluate-nightly-reports"] != limits["refresh-nightly-minutes"]
    assert limits["refresh-nightly-reports"]["limit"] == limits["experiment-reports"]["limit"] == 1
    assert {entry["concurrency_options"]["collision_strategy"] for entry in found.values()} == {"ENQUEUE"}


@pytest.mark.slow
def test_deploying_again_changes_nothing_and_what_a_corpus_no_longer_has_goes(deployed: Deployed) -> None:
    def listed() -> dict[str, Any]:
        return {entry["name"]: entry["id"] for entry in deployed.server.post("deployments/filter", {})}

    def automations() -> list[str]:
        return sorted(entry["name"] for entry in deployed.server.post("automations/filter", {}))

    before, told = listed(), automations()
    again = deployed.server.run("deploy")
    assert "alarms: as an earlier deployment made them" in again.stdout
    assert (listed(), automations()) == (before, told)
    places = {"PAGEMILL_SOURCE": str(deployed.source), "PAGEMILL_CORPUS": str(deployed.corpus)}
    fewer = deployed.server.run("deploy", PAGEMILL_NAME="reports", **places)
    assert "without questions: evaluations and experiments are not deployed" in fewer.stdout
    assert "left as they are: generate-questions-minutes" in fewer.stdout
    assert listed().keys() == {name for name in before if not name.startswith(("evaluate", "experiment"))}
    assert deployed.server.run("deploy", PAGEMILL_NAME="reports").returncode == 0
    assert (listed().keys(), automations()) == (before.keys(), told)


@pytest.mark.slow
def test_a_nightly_run_waits_for_its_corpus_outlives_its_worker_evaluates_and_can_be_followed(deployed: Deployed) -> None:
    server, corpus = deployed.server, str(deployed.corpus)
    with hold_lock(Corpus(corpus).lock("refresh"), 0, "a test"):
        following = server.begin(PREFECT, "deployment", "run", "refresh/refresh-nightly-reports", "--watch")
        run = deployed.await_run()
        os.kill(server.pid("worker"), signal.SIGKILL)
    told, _ = following.communicate(timeout=300)
    assert (following.returncode, "Completed" in told) == (0, True), told
    assert run["parameters"]["corpus"] == corpus
    evaluations = {"deployments": {"name": {"any_": ["evaluate-nightly-reports"]}}}
    for _ in range(300):
        if found := server.post("flow_runs/filter", evaluations):
            break
        time.sleep(0.2)
    assert server.run("up").returncode == 0, "a worker for the evaluation, which waits for one"
    assert deployed.await_end(found[0]["id"])["state_name"] == "Completed"
    found = json.loads(server.call(PREFECT.with_name("pagemill"), "status", "--corpus", corpus, "--json").stdout)
    assert (found["generation"], found["n_documents"]) == (1, 1)
    assert lance.open_table(Corpus(corpus), "metrics").count_rows() > 0


@pytest.mark.slow
def test_runs_that_many_create_at_once_are_all_there(deployed: Deployed) -> None:
    flow = deployed.server.post("flows/", {"name": "idle"})["id"]
    with ThreadPoolExecutor(16) as pool:
        made = list(pool.map(lambda _: deployed.server.post("flow_runs/", {"flow_id": flow})["id"], range(160)))
    assert len(set(made)) == deployed.server.post("flow_runs/count", {"flows": {"id": {"any_": [flow]}}}) == 160


@pytest.mark.slow
def test_down_ends_a_run_under_way_in_an_orderly_way_and_leaves_no_process(deployed: Deployed) -> None:
    server = deployed.server
    assert server.run("up").returncode == 0
    (deployed.source / "tide.txt").write_text("The tide comes in at six.")
    with hold_lock(Corpus(str(deployed.corpus)).lock("refresh"), 0, "a test"):
        run = deployed.start("refresh/refresh-on-demand-reports")
        deployed.await_state(run, "RUNNING")
        flow = process_of(run)
        down = server.run("down")
    assert re.search(r"ending \d+ flow runs under way", down.stdout) and "stopped the server" in down.stdout
    assert (not flow.is_running() or flow.status() == psutil.STATUS_ZOMBIE) and not of(server)
    assert "database is locked" not in (server.run_dir / "server.log").read_text()
    assert server.run("status").returncode != 0
    with sqlite3.connect(server.run_dir / "prefect/prefect.db") as database:
        states = database.execute("SELECT state_type FROM flow_run WHERE id = ?", (str(UUID(run)),)).fetchall()
    assert states == [("CRASHED",)]


def of(server: Server) -> list[str]:
    """Return the commands of the processes that belong to a server: the server itself, its worker and its runs."""
    here = [entry for entry in psutil.process_iter() if environment_of(entry).get("PREFECT_API_URL") == server.url]
    return [" ".join(entry.cmdline()) for entry in here if entry.pid != os.getpid()]


def test_a_name_or_a_schedule_that_cannot_be_is_told_before_anything_is_deployed(server: Server) -> None:
    wrong = {
        "PAGEMILL_NAME": ("a b", "NAME=a b: use letters"),
        "PAGEMILL_SCHEDULE": ("0 25 * * *", 'PAGEMILL_SCHEDULE="0 25 * * *" is not a cron expression'),
        "PAGEMILL_TIMEZONE": ("Europe/Berlim", "PAGEMILL_TIMEZONE=Europe/Berlim is not a time zone: did you mean Europe/Berlin?"),
    }
    with pretended(server.port):
        for variable, (value, message) in wrong.items():
            done = server.run("deploy", PAGEMILL_SOURCE="a", PAGEMILL_CORPUS="b", **{variable: value})
            assert (done.returncode, done.stdout) == (1, "")
            assert message in done.stderr and done.stderr.count("\n") == 1
