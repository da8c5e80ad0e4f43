"""Scenes for kills: a corpus with some history, a command, and what must be so after it, however often it was killed."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from schemas.corpus import Corpus
from schemas.errors import UnknownDocument
from tasks.store import published
from tests.soak.commands import CANDIDATE
from tests.soak.kills.forks import Ended, Forks, Options, Order
from tests.soak.kills.writes import When
from tests.soak.state import State, held, kept_states, leftovers, live_state, traces

NEEDLES = (b"quibblefrotz", b"secret.txt")
QUESTION = {
    "id": "q1",
    "question": "Where does the heron stand?",
    "documents": ["notes.txt"],
    "gold": [{"document": "notes.txt", "quote": "stands in the river"}],
}
SECRET_QUESTION = {
    **QUESTION,
    "id": "q2",
    "documents": ["secret.txt"],
    "gold": [{"document": "secret.txt", "quote": "quibblefrotz"}],
}
KEEP_ALL: Options = {"publish": {"keep_generations": 9}}
LENIENT: Options = {"gate": {"max_reject_share": 0.5}, "plan": {"allow_removals": True}}


class Scene(NamedTuple):
    """A command on a corpus; `edit` changes the source before it."""

    name: str
    command: str
    given: dict[str, Any]
    edit: Callable[[Path], None] = lambda source: None


def edit(source: Path) -> None:
    """Change, remove, add and break a document each, and say something about one beside it."""
    (source / "notes.txt").write_text("The heron stands in the river. The ice has gone.\n\nIt fishes at the weir now.")
    (source / "history.txt").unlink()
    (source / "sub/new.txt").write_text("A second turbine was ordered in April. It delivers forty kilowatts.")
    (source / "guide.md").write_bytes(b"broken\0now")
    (source / "metadata.csv").write_text("path,author\nletter.txt,Charles\n")


PUBLISHING_AGAIN = ("rollback", "release", "rebuild")
"""Commands that publish one more generation each time they are given."""

SCENES = [
    Scene("first", "refresh", {}),
    Scene("refresh", "refresh", {"given": {"publish": {"keep_generations": 2}}}, edit),
    Scene("rebuild", "refresh", {"given": {"chunk": {"size_tokens": 32}, "publish": {"rebuild": True}}}),
    Scene("purge", "purge", {"path": "secret.txt"}),
    Scene("rollback", "rollback", {"generation": 1}),
    Scene("release", "refresh", {"given": {"publish": {"release": True}}}),
    Scene("cleanup", "cleanup", {"keep": 1}),
    Scene("evaluate", "evaluate", {}),
    Scene("beside", "beside", {}, edit),
    Scene("switch", "switch", {}),
    Scene("purge beside", "purge", {"path": "secret.txt"}),
]


def draw(source: Path) -> None:
    """Write the first night's documents."""
    (source / "sub").mkdir(parents=True)
    (source / "notes.txt").write_text("The heron stands in the river. It waits for fish.\n\nIn winter it leaves.")
    (source / "guide.md").write_text("# Setting up\n\nPut the pump on level ground.\n\n## Care\n\nClean the filter every month.")
    (source / "history.txt").write_text("The mill was built in 1804. A flood took its wheel in 1866.")
    (source / "letter.txt").write_text("Dear Ada, the engine runs. It took three years and 412 gears.")
    (source / "secret.txt").write_text("The zyxomma password is quibblefrotz. Tell nobody of it.")
    (source / "broken.txt").write_bytes(b"a\0b")


def make_history(forks: Forks, folder: Path) -> None:
    """Make a corpus of four generations; the secret document was in three of them and is no more in the source."""
    source, corpus = folder / "source", folder / "corpus"
    draw(source)
    _good(forks.refresh(corpus, source, KEEP_ALL))
    questions = folder / "questions.jsonl"
    questions.write_text(json.dumps(QUESTION) + "\n" + json.dumps(SECRET_QUESTION) + "\n")
    _good(forks.run(Order("evaluate", str(corpus), {"questions": str(questions)})))
    (source / "secret.txt").write_text("The other password is quibblefrotz too. It was changed.")
    (source / "letter.txt").write_text("Dear Ada, the engine runs. It took four years and 412 gears.")
    _good(forks.refresh(corpus, source, KEEP_ALL))
    (source / "notes.txt").write_text("The heron stands in the river. A kingfisher came in spring.")
    _good(forks.refresh(corpus, source, KEEP_ALL))
    (source / "secret.txt").unlink()
    _good(forks.refresh(corpus, source, {**KEEP_ALL, **LENIENT}))


def candidate_state(corpus: Path) -> State | None:
    """Return what the candidate holds, if there is one."""
    candidate = Corpus(str(corpus)).candidate(CANDIDATE)
    return live_state(candidate.folder)[1] if published.read_newest_generation(candidate) else None


def _good(ended: Ended) -> Ended:
    assert ended.signal == 0 and not ended.error, ended
    return ended


class Stage:
    """A scene's corpus before the command, the state after an undisturbed one, and how often that writes."""

    def __init__(self, forks: Forks, history: Path, folder: Path, scene: Scene) -> None:
        self.forks = forks
        self.scene = scene
        self.before = folder / "before"
        shutil.copytree(history, self.before)
        if scene.name == "first":
            shutil.rmtree(self.before / "corpus")
        if scene.name == "release":
            _good(forks.run(Order("rollback", str(self.before / "corpus"), {"generation": 2})))
        if scene.name in ("switch", "purge beside"):
            self._build_beside(self.before)
        scene.edit(self.before / "source")
        undisturbed = folder / "after"
        shutil.copytree(self.before, undisturbed)
        self.n_writes = _good(forks.run(self.order(undisturbed))).writes
        self.expected = live_state(undisturbed / "corpus")[1]
        self.kept = kept_states(undisturbed / "corpus")
        self.held = held(undisturbed / "corpus")
        self.candidate = candidate_state(undisturbed / "corpus")

    def _build_beside(self, folder: Path) -> None:
        """Build the candidate with the secret document in the source; build it once more without, if it is to be switched to."""
        secret = folder / "source/secret.txt"
        secret.write_text("The other password is quibblefrotz too. It was changed.")
        order = self.forks.refresh_order(folder / "corpus", folder / "source", LENIENT)._replace(command="beside")
        _good(self.forks.run(order))
        secret.unlink()
        if self.scene.name == "switch":
            _good(self.forks.run(order))

    def order(self, folder: Path, kill: int = 0, when: When = "after") -> Order:
        """Return the order to give the scene's command in a folder, killed at a write."""
        given = dict(self.scene.given)
        if self.scene.command in ("refresh", "beside"):
            options = {**LENIENT, **given.get("given", {})}
            order = self.forks.refresh_order(folder / "corpus", folder / "source", options)
            return order._replace(command=self.scene.command, kill=kill, when=when)
        if self.scene.command == "evaluate":
            given["questions"] = str(folder / "questions.jsonl")
        return Order(self.scene.command, str(folder / "corpus"), given, kill, when)

    def play(self, folder: Path, kill: int, when: When) -> None:
        """Kill the command at a write, look at the corpus, run it again, look again, and refresh a last time."""
        shutil.copytree(self.before, folder)
        corpus, source = folder / "corpus", folder / "source"
        old = live_state(corpus)[1] if corpus.exists() else None
        assert self.forks.run(self.order(folder, kill, when)).signal == 9
        self._whole(corpus, old)
        again = self.forks.run(self.order(folder))
        self._ended_well(again, kill)
        assert live_state(corpus)[1] == self.expected
        assert held(corpus) == self.held
        kept = kept_states(corpus)
        assert all(kept[number] == state for number, state in self.kept.items() if number in kept)
        if self.scene.name not in PUBLISHING_AGAIN:
            assert kept.keys() == self.kept.keys()
        if self.scene.command == "purge":
            assert traces(corpus, *NEEDLES) == []
        assert candidate_state(corpus) == self.candidate
        self._one_more_night(corpus, source)

    def _whole(self, corpus: Path, old: State | None) -> None:
        """What readers see right after the kill is the old state or the new one; and so is every kept generation."""
        if (corpus / "generations.lance").exists() and published.read_newest_generation(Corpus(str(corpus))):
            assert live_state(corpus)[1] in (old, self.expected)
            assert published.read_live_generation(Corpus(str(corpus))).generation in kept_states(corpus)

    def _ended_well(self, again: Ended, kill: int) -> None:
        purged = self.scene.command == "purge" and again.error.startswith(UnknownDocument.__name__) and kill == self.n_writes
        switched = self.scene.name == "switch" and "has no candidate" in again.error
        assert not again.error or purged or switched, again

    def _one_more_night(self, corpus: Path, source: Path) -> None:
        """The next refresh publishes what lies in the source, and leaves nothing that nothing needs."""
        (source / "last.txt").write_text("The last night was a quiet one. Nothing else happened.")
        size: dict[str, Any] = {"size_tokens": 32} if self.scene.name in ("rebuild", "switch") else {}
        _good(self.forks.refresh(corpus, source, {"chunk": size, "publish": {"release": True}, **LENIENT}))
        _, state = live_state(corpus)
        texts = {str(path.relative_to(source)) for path in source.rglob("*.txt")} | {"guide.md"}
        assert set(state.documents) == texts - {"broken.txt"}
        assert not held(corpus)
        assert leftovers(corpus) == []
