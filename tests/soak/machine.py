"""A machine that thinks of nights: it changes the source, gives commands, kills them, moves the corpus, in any order."""

import shutil
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from tests.soak.kills.forks import Forks
from tests.soak.kills.writes import When
from tests.soak.model import SIZES, How
from tests.soak.night import Command, Nights
from tests.soak.night_source import BROKEN, PATHS, text_of

MOST_WRITES = {"refresh": 50, "purge": 225, "rollback": 11}
"""About how often a command writes: kills beyond the last write happen to none."""

paths = st.sampled_from(PATHS)
picks = st.integers(0, 11)
percents = st.integers(0, 99)
whens = st.sampled_from(("before", "after"))
refreshes = st.sampled_from(("refresh", "rebuild", "release"))
names = st.sampled_from(("refresh", "rebuild", "release", "purge", "rollback"))


class NightMachine(RuleBasedStateMachine):
    """Drives a corpus and its model through nights."""

    def __init__(self, forks: Forks, folder: Path, figures: Counter[str]) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(dir=folder))
        self.nights = Nights(forks, self.folder, figures)
        self.figures, self.n_checks = figures, 0
        figures["runs"] += 1

    def teardown(self) -> None:
        self.nights.end()
        shutil.rmtree(self.folder)

    def check_invariants(self, *given: Any) -> None:
        """Called before the first step and after each."""
        self.figures["steps"] += self.n_checks > 0
        self.n_checks += 1

    @initialize(n=st.integers(1, 4), broken=st.booleans())
    def begin(self, n: int, broken: bool) -> None:
        for path in PATHS[:n]:
            self._write(path)
        if broken:
            self.nights.source.write(PATHS[n], BROKEN[0])
        self.nights.play(Command("refresh"))

    @rule(path=paths, fresh=st.booleans())
    def add_or_edit(self, path: str, fresh: bool) -> None:
        self._write(path, fresh)

    @rule(path=paths, text=st.sampled_from(BROKEN))
    def break_file(self, path: str, text: str) -> None:
        self.nights.source.write(path, text)

    @rule(path=paths)
    def bring_back_an_old_text(self, path: str) -> None:
        self.nights.source.write(path, text_of(0))

    @rule(pick=picks)
    def delete(self, pick: int) -> None:
        if path := self._there(pick):
            self.nights.source.delete(path)

    @rule(pick=picks, to=paths)
    def rename(self, pick: int, to: str) -> None:
        if (path := self._there(pick)) and path != to:
            self.nights.source.rename(path, to)

    @rule(pick=picks, to=paths)
    def copy(self, pick: int, to: str) -> None:
        if (path := self._there(pick)) and path != to:
            self.nights.source.copy(path, to)

    @rule(path=paths, shelf=st.sampled_from(("", "east", "west")))
    def edit_metadata(self, path: str, shelf: str) -> None:
        self.nights.source.shelve(path, shelf)

    @rule(pick=picks, readable=st.booleans())
    def change_mode(self, pick: int, readable: bool) -> None:
        if path := self._there(pick):
            self.nights.source.let_read(path, readable)

    @rule(drop=st.booleans(), verify=st.booleans(), release=st.booleans(), watched=st.booleans())
    def refresh(self, drop: bool, verify: bool, release: bool, watched: bool) -> None:
        how = How(self._size, release=release, drop=drop, verify=verify)
        self.nights.play(Command("refresh", how), watched)

    @rule(careful=st.booleans(), nothing=st.booleans())
    def refresh_that_may_be_refused(self, careful: bool, nothing: bool) -> None:
        how = How(self._size, release=True, careful=careful, nothing=nothing, strict=not careful)
        self.nights.play(Command("refresh", how))

    @rule(size=st.sampled_from(SIZES), rebuild=st.booleans())
    def rebuild(self, size: int, rebuild: bool) -> None:
        self.nights.play(Command("refresh", How(size, rebuild=rebuild, release=rebuild)))

    @rule(path=paths)
    def purge(self, path: str) -> None:
        self.nights.play(Command("purge", path=path))

    @rule(pick=picks, watched=st.booleans())
    def roll_back(self, pick: int, watched: bool) -> None:
        self.nights.play(self._command("rollback", pick), watched)

    @rule(copy=st.booleans())
    def move(self, copy: bool) -> None:
        self.nights.copy() if copy else self.nights.move()

    @rule(name=names, pick=picks, path=paths)
    def two_at_once(self, name: str, pick: int, path: str) -> None:
        self._write(path)
        self.nights.at_once(self._command("refresh", pick), self._command(name, pick))

    @rule(name=refreshes, path=paths, pick=picks, percent=percents, when=whens, again=st.booleans())
    def kill_a_refresh(self, name: str, path: str, pick: int, percent: int, when: When, again: bool) -> None:
        self._write(path)
        self._kill(self._command(name, pick), percent, when, again)

    @rule(pick=picks, percent=percents, when=whens, again=st.booleans())
    def kill_a_purge(self, pick: int, percent: int, when: When, again: bool) -> None:
        self._kill(self._command("purge", pick), percent, when, again)

    @rule(pick=picks, percent=percents, when=whens, again=st.booleans())
    def kill_a_rollback(self, pick: int, percent: int, when: When, again: bool) -> None:
        self._kill(self._command("rollback", pick), percent, when, again)

    def _kill(self, command: Command, percent: int, when: When, again: bool) -> None:
        """Kill a command at a write; after it comes the same command again, or a refresh."""
        self.nights.kill(command, 1 + percent * MOST_WRITES[command.name] // 100, when)
        self.nights.play(command if again else Command("refresh", How(self._size, release=True)))

    @property
    def _size(self) -> int:
        return self.nights.model.live.size

    def _write(self, path: str, fresh: bool = False) -> None:
        self.nights.source.write(path, text_of(self.nights.words), fresh)
        self.nights.words += 1

    def _there(self, pick: int) -> str:
        here = sorted(self.nights.model.source)
        return here[pick % len(here)] if here else ""

    def _command(self, name: str, pick: int) -> Command:
        if name == "purge":
            known = sorted(path for path in PATHS if self.nights.model.knows(path))
            return Command(name, path=known[pick % len(known)] if known else PATHS[pick % len(PATHS)])
        if name == "rollback":
            kept = sorted(self.nights.model.kept)
            return Command(name, number=kept[pick % len(kept)])
        size = SIZES[pick % len(SIZES)] if name == "rebuild" else self._size
        return Command("refresh", How(size, rebuild=name == "rebuild", release=name in ("release", "rebuild")))


def play_nights(
    forks: Forks, folder: Path, figures: Counter[str], seeded: Callable[[type], Any] = lambda machine: machine, **given: Any
) -> None:
    """Play nights in a folder; `seeded` chooses them, `given` are settings of Hypothesis, such as how many there are."""

    class Machine(NightMachine):
        def __init__(self) -> None:
            super().__init__(forks, folder, figures)

    chosen = settings(
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        print_blob=True,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
        **given,
    )
    run_state_machine_as_test(seeded(Machine), settings=chosen)
