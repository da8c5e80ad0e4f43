"""Whatever dies, in whatever state its runs are, no corpus is blocked for longer than ten minutes."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import psutil
import pytest

from schemas.corpus import Corpus
from tasks.store.locks import hold_lock
from tests.deployments.deployed import Deployed, environment_of, process_of
from tests.deployments.servers import Server

pytestmark = [pytest.mark.slow, pytest.mark.long]
LONGEST_SECONDS = 600
NAMES = ("running", "pending")


class Corpora(NamedTuple):
    """A server with a corpus whose run is under way, and one whose run a worker has just taken."""

    server: Server
    folders: dict[str, Path]

    def start(self, name: str) -> str:
        return Deployed(self.server, self.folders[name], self.folders[name]).start(f"refresh/refresh-on-demand-{name}")

    def state(self, run: str) -> str:
        return str(self.server.get(f"flow_runs/{run}")["state_type"])

    def until(self, run: str, *states: str, seconds: float = 120, tick: float = 0.02) -> float:
        """Wait until a run is in one of `states`; return the seconds that it took."""
        began = time.monotonic()
        while (state := self.state(run)) not in states:
            assert time.monotonic() - began < seconds, f"{run} is {state} after {seconds} s"
            time.sleep(tick)
        return time.monotonic() - began


@pytest.fixture
def corpora(server: Server, tmp_path: Path) -> Iterator[Corpora]:
    folders = {name: tmp_path / name for name in NAMES}
    sections = []
    for name, folder in folders.items():
        (folder / "source").mkdir(parents=True)
        (folder / "source/tide.txt").write_text("The tide comes in at six.")
        sections.append(f'[corpora.{name}]\nsource = "{name}/source"\ncorpus = "{name}/corpus"\n')
    (tmp_path / "pagemill.toml").write_text("".join(sections))
    server.environment["PAGEMILL_CONFIG"] = str(tmp_path / "pagemill.toml")
    assert [server.run(verb).returncode for verb in ("up", "deploy")] == [0, 0]
    yield Corpora(server, folders)


@pytest.mark.parametrize("victims", [("server",), ("worker",), ("server", "worker"), ("server", "worker", "runs")], ids="+".join)
def test_a_corpus_is_free_again_within_ten_minutes(
    corpora: Corpora, victims: tuple[str, ...], record_property: Callable[[str, object], None]
) -> None:
    server = corpora.server
    with hold_lock(Corpus(str(corpora.folders["running"] / "corpus")).lock("refresh"), 0, "a test"):
        under_way = corpora.start("running")
        corpora.until(under_way, "RUNNING")
        taken = corpora.start("pending")
        corpora.until(taken, "PENDING", "RUNNING")
        pids = [server.pid(name) for name in victims if name != "runs"]
        pids += [process_of(run).pid for run in (under_way,) if "runs" in victims]
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
        if "runs" in victims:
            kill_all_of(server)
    assert server.run("up").returncode == 0
    next_runs = {name: corpora.start(name) for name in NAMES}
    for name, run in next_runs.items():
        seconds = corpora.until(run, "COMPLETED", "FAILED", "CRASHED", seconds=LONGEST_SECONDS, tick=1)
        record_property(f"seconds until the next run of {name} ended", round(seconds))
        assert corpora.state(run) == "COMPLETED"
    ended = {corpora.until(run, "COMPLETED", "CRASHED", seconds=LONGEST_SECONDS, tick=1) for run in (under_way, taken)}
    assert max(ended) < LONGEST_SECONDS
    if "runs" not in victims:
        assert corpora.state(under_way) == "COMPLETED", "it outlives its server and its worker"


def kill_all_of(server: Server) -> None:
    """Kill what runs for a server, as a power failure does."""
    for entry in psutil.process_iter():
        if environment_of(entry).get("PREFECT_API_URL") == server.url and entry.pid != os.getpid():
            with suppress(psutil.NoSuchProcess):
                entry.kill()


def test_a_refresh_goes_on_through_a_restart_of_the_server(corpora: Corpora) -> None:
    with hold_lock(Corpus(str(corpora.folders["running"] / "corpus")).lock("refresh"), 0, "a test"):
        run = corpora.start("running")
        corpora.until(run, "RUNNING")
        os.kill(corpora.server.pid("server"), signal.SIGTERM)
        time.sleep(20)
        assert corpora.server.run("up").returncode == 0
        time.sleep(300)  # its place among the runs of its corpus has to be renewed within this time
        assert corpora.state(run) == "RUNNING"
    corpora.until(run, "COMPLETED")
