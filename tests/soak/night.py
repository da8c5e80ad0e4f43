"""Nights of a real corpus beside its model: commands, alone, at once or killed, and what must be so after them."""

import os
import shutil
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from schemas.corpus import Corpus
from schemas.errors import ConflictError, CorpusError
from schemas.ids import normal_path
from tasks.store import published
from tests.soak.kills.forks import Ended, Forks, Options, Order
from tests.soak.kills.writes import When
from tests.soak.model import File, How, Model, expected, is_nothing, is_unsure, refusal, seen
from tests.soak.night_source import NightSource, word_of
from tests.soak.readers import OpenReader, StatePoller
from tests.soak.state import held, kept_states, leftovers, read_state, traces

NO_PURGE = "no generation of"
REFUSED_DRAFT = "the draft was refused"
"""Also where a file that cannot be read is known from before, and what was made of it must be computed again."""
NO_ROLLBACK = "cannot be restored"
AT_ONCE = (ConflictError.__name__, f"{CorpusError.__name__}: corpus")
"""How one of two commands at once may be refused because of the other."""


class Command(NamedTuple):
    """A command with what is given to it; `path` is a purge's, `number` a rollback's."""

    name: str
    how: How = How()
    path: str = ""
    number: int = 0


def options_of(how: How) -> Options:
    """Return the options of a refresh, by section."""
    return {
        "chunk": {"size_tokens": how.size},
        "publish": {"rebuild": how.rebuild, "release": how.release},
        "gate": {"max_reject_share": 0.0 if how.strict else 1.0, "accept_drift": True},
        "plan": {
            "on_reject": "drop" if how.drop else "keep",
            "allow_removals": not how.careful,
            "allow_empty": not how.nothing,
            "include": ["nowhere/**"] if how.nothing else ["**"],
            "verify": how.verify,
        },
    }


def was_given(how: How, options: Mapping[str, Any]) -> bool:
    """Return whether a generation's options are those of a refresh."""
    given = options_of(how)
    return all(
        options[section][name] == given[section][name] for section, name in (("chunk", "size_tokens"), ("publish", "rebuild"))
    )


class Nights:
    """A corpus, its source, and the model of both."""

    def __init__(self, forks: Forks, folder: Path, figures: Counter[str]) -> None:
        """`figures` count what is done."""
        self.forks, self.folder, self.figures = forks, folder, figures
        self.model = Model()
        self.source = NightSource(folder / "source", self.model.source)
        self.corpus = folder / "corpus 0"
        self.words = 0
        self.half_purged = False
        self._texts: defaultdict[str, set[str]] = defaultdict(set)
        self._left: list[tuple[Path, object]] = []

    def play(self, command: Command, watched: bool = False) -> None:
        """Run a command to its end; it must end as the model says, and leave what the model says."""
        before, allowed = self.model.last, self._refusals(command)
        wanted = self._wanted(command)
        with self._readers(command, watched):
            ended = self._ended(self._order(command)._replace(watched=watched))
        self._follow([command])
        assert any(words in ended.error if words else not ended.error for words in allowed), (ended, allowed)
        assert self.model.last - before in ((0,) if ended.error else wanted), (self.model.last - before, wanted, ended)
        if command.name == "purge":
            self.half_purged = False
            self._check_purged(command.path, self.model.last > before)
        self.check((ended.outcome or {}).get("outcome") == "published", watched)

    def kill(self, command: Command, write: int, when: When) -> None:
        """Kill a command at a write, unless it ends before; the old state or the new one is there as a whole."""
        ended = self._ended(self._order(command)._replace(kill=write, when=when))
        self.figures[f"killed {command.name}"] += ended.signal == 9
        self.half_purged |= command.name == "purge"
        self._follow([command])
        self.check()

    def at_once(self, one: Command, other: Command) -> None:
        """Start two commands at once: the state is as if they had run one after the other, or one of them not at all."""
        both = (one, other)
        before = [self._refusals(command) for command in both]
        for command in both:
            self.figures[command.name] += 1
            self.forks.start(self._order(command))
        ends = [self.forks.wait() for _ in both]
        self._follow(both)
        self.half_purged |= "purge" in (one.name, other.name)
        self.check()
        for command, words, ended in zip(both, before, ends, strict=True):
            self.figures["refused because of another"] += ended.error.startswith(AT_ONCE)
            refused = any(word and word in ended.error for word in words | self._refusals(command))
            assert not ended.error or ended.error.startswith(AT_ONCE) or refused, ended

    def move(self) -> None:
        """Move the corpus to another folder."""
        self.corpus = Path(shutil.move(self.corpus, self._next()))
        self.check()

    def copy(self) -> None:
        """Go on with a copy of the corpus; nobody may touch the original any more."""
        self._left.append((self.corpus, listed(self.corpus)))
        self.corpus = Path(shutil.copytree(self.corpus, self._next()))
        self.check()

    def check(self, cleaned: bool = False, watched: bool = False) -> None:
        """Every kept generation is as the model says; once `cleaned`, nothing is left that nothing needs."""
        states = kept_states(self.corpus)
        assert self.model.may_keep(states, cleaned), (sorted(states), self.model.kept, cleaned)
        self.model.kept = set(states)
        for number, state in states.items():
            assert seen(state) == expected(self.model.generations[number]), f"generation {number}"
        assert published.read_live_generation(Corpus(str(self.corpus))).generation == self.model.last
        assert held(self.corpus) == self.model.live.held
        if cleaned:
            left = leftovers(self.corpus, versions=not watched)
            assert [path for path in left if not (self.half_purged and path.endswith("purge.json"))] == []

    def end(self) -> None:
        """Look whether the originals of copied corpora are as they were."""
        for corpus, before in self._left:
            assert listed(corpus) == before, f"{corpus} was touched by a refresh of its copy"

    def _order(self, command: Command) -> Order:
        if command.name == "refresh":
            for path, file in self.model.source.items():
                self._texts[path].add(file.text)
            return self.forks.refresh_order(self.corpus, self.source.folder, options_of(command.how))
        given = {"path": command.path} if command.name == "purge" else {"generation": command.number}
        return Order(command.name, str(self.corpus), given)

    def _ended(self, order: Order) -> Ended:
        self.figures[order.command] += 1
        return self.forks.run(order)

    @contextmanager
    def _readers(self, command: Command, watched: bool) -> Iterator[None]:
        """Readers of before and during the command see whole generations. Only a purge may delete what is being read."""
        if not self.model.generations or command.name == "purge":
            yield
            return
        opened, poller = OpenReader(self.corpus), StatePoller(self.corpus)
        if watched:
            with poller:
                yield
            poller.check(kept_states(self.corpus))
        else:
            yield
        opened.check()

    def _follow(self, commands: Sequence[Command]) -> None:
        """Let the model publish what was published, in its order."""
        given = {command.name: command for command in commands}
        hows = [command.how for command in commands if command.name == "refresh"]
        for found in published.read_all_generations(Corpus(str(self.corpus)))[self.model.last :]:
            if found.kind == "refresh":
                (how, *_) = [how for how in hows if was_given(how, found.options)]
                self.model.refresh(how, read_state(self.corpus, found))
            elif found.kind == "rollback":
                assert found.base == given["rollback"].number
                self.model.roll_back(found.base)
            elif found.kind == "purge":
                self.model.purge(given["purge"].path)
            else:
                assert found.kind == "release" and any(how.release for how in hows)
                self.model.release()

    def _readings(self) -> Iterator[Mapping[str, File]]:
        """Yield what a refresh may see: a file that cannot be read may be known from before."""
        unread = [path for path, file in self.model.source.items() if not file.readable]
        for known in product((False, True), repeat=len(unread)):
            readable = dict(zip(unread, known, strict=True))
            yield {path: file._replace(readable=readable.get(path, True)) for path, file in self.model.source.items()}

    def _refusals(self, command: Command) -> set[str]:
        """Return the words with which a command may be refused; blank if it may be carried out."""
        if command.name == "purge":
            unknown = {NO_PURGE, ""} if self.half_purged or self._texts[command.path] else {NO_PURGE}
            return {""} if self.model.knows(command.path) else unknown
        if command.name == "rollback":
            return {"" if command.number in self.model.kept else NO_ROLLBACK}
        if not self.model.generations:
            return {""}
        words = {refusal(self.model.live, source, command.how) for source in self._readings()}
        unread = not all(file.readable for file in self.model.source.values())
        return words | {REFUSED_DRAFT} if command.how.strict and unread else words

    def _wanted(self, command: Command) -> tuple[int, ...]:
        """Return how many generations a command that is carried out may publish."""
        if command.name != "refresh" or not self.model.generations:
            return (1,) if command.name != "purge" or self.model.knows(command.path) else (0, 1)
        if is_unsure(self.model.live, self.model.source):
            return (0, 1)
        releases = command.how.release and self.model.live.held
        return (0,) if is_nothing(self.model.live, self.model.source, command.how) and not releases else (1,)

    def _check_purged(self, path: str, rewritten: bool) -> None:
        """Nothing of the document is left, nor, where tables were `rewritten`, of any text that no kept generation holds."""
        assert not self.model.knows(path)
        kept = [self.model.generations[number].entries.values() for number in self.model.kept]
        texts = [entry.document.text for entries in kept for entry in entries if entry.document]
        if not rewritten:  # files may have what others had, in rows that are marked as deleted
            texts += [text for other, known in self._texts.items() if other != path for text in known]
        words = (word_of(number) for number in range(self.words))
        gone = [word for word in words if not any(word in text for text in texts)]
        names = [normal_path(path)] if rewritten else []
        assert traces(self.corpus, *(needle.encode() for needle in (*gone, *names))) == []

    def _next(self) -> Path:
        return self.folder / f"corpus {int(self.corpus.name.split()[1]) + 1}"


def listed(folder: Path) -> list[tuple[str, int, int]]:
    """Return all files below a folder with sizes and times."""
    files = (Path(where) / name for where, _, names in os.walk(folder) for name in names)
    return sorted((str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in files)
