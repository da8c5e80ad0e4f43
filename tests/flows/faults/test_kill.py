import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tasks.store import files
from tests.flows.corpora import assert_same_vectors, digest, draw_pdf, staged
from tests.flows.forks import Forks, Moment
from tests.soak.readers import Poller

Homes = Callable[[Path], Path]

MOMENTS = [
    Moment("tasks.store.files", "write_table_atomically", 4),
    Moment("tasks.publish.io.cleanup", "delete_old_generations", 1),
]
"""While staging, and after the row that publishes; between merges below; `tests/soak` kills at every write."""


def edit(source: Path) -> None:
    """Change, remove, add and break a document each."""
    (source / "notes.txt").write_text("The heron is back. The ice has gone.\n\nIt fishes at the weir now.")
    (source / "history.txt").unlink()
    draw_pdf(source / "new.pdf", ["A second turbine was ordered in April.", "It delivers 40 kilowatts."])
    (source / "report.pdf").write_bytes(b"%PDF-1.7 broken")


@pytest.fixture(scope="module")
def after(forks: Forks, homes: Homes, before: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The corpus after an undisturbed refresh of the edited source."""
    folder = copied(before, tmp_path_factory.mktemp("after"), homes)
    edit(folder / "source")
    assert not forks.run(folder / "source", homes(folder) / "corpus").error
    return homes(folder) / "corpus"


def copied(folder: Path, to: Path, homes: Homes) -> Path:
    """Copy a source and its corpus, times included."""
    shutil.copytree(folder, to, dirs_exist_ok=True)
    if homes(folder) != folder:
        for path in (homes(folder) / "corpus").rglob("*"):
            files.write_atomically(homes(to) / path.key, path.read_bytes())  # type: ignore[attr-defined]
    return to


@pytest.fixture
def folder(before: Path, tmp_path: Path, homes: Homes) -> Iterator[Path]:
    yield copied(before, tmp_path, homes)


@pytest.mark.slow
@pytest.mark.parametrize("moment", MOMENTS, ids=lambda moment: f"{moment.function}-{moment.n}")
def test_a_refresh_killed_anywhere_and_run_again_ends_as_if_undisturbed(
    forks: Forks, homes: Homes, before: Path, after: Path, folder: Path, moment: Moment
) -> None:
    source, corpus = folder / "source", homes(folder) / "corpus"
    whole = (digest(homes(before) / "corpus"), digest(after))
    edit(source)
    seen: list[dict[str, str]] = []

    def look() -> None:
        state = digest(corpus)
        if state not in seen:
            seen.append(state)

    with Poller(look) as reader:
        assert forks.run(source, corpus, moment).signal == 9
        embedded = staged(corpus, "embed")
        again = forks.run(source, corpus)
    assert not again.error
    assert_equal_states(corpus, after)
    assert all(state in whole for state in seen)
    assert not reader.errors, reader.errors[0]
    assert_embedded_once(again.outcome, embedded, corpus)


@pytest.mark.slow
def test_an_edit_that_is_reverted_after_the_kill_leaves_the_corpus_as_it_was(
    forks: Forks, homes: Homes, before: Path, folder: Path
) -> None:
    source, corpus = folder / "source", homes(folder) / "corpus"
    edit(source)
    assert forks.run(source, corpus, Moment("tasks.store.lance", "replace_documents", 2)).signal == 9
    shutil.rmtree(source)
    shutil.copytree(before / "source", source)
    assert not forks.run(source, corpus).error
    assert_equal_states(corpus, homes(before) / "corpus")
    (source / "notes.txt").write_text("Something else altogether.")
    assert not forks.run(source, corpus).error
    (source / "notes.txt").write_text((before / "source/notes.txt").read_text())
    assert not forks.run(source, corpus).error
    assert_equal_states(corpus, homes(before) / "corpus")


def assert_equal_states(corpus: Path, expected: Path) -> None:
    assert digest(corpus) == digest(expected)
    assert_same_vectors(corpus, expected)


def assert_embedded_once(outcome: dict[str, Any] | None, embedded: set[str], corpus: Path) -> None:
    """What was embedded before the kill was not embedded again."""
    assert outcome is not None
    computed = outcome.get("steps", {}).get("embed", {"computed": 0})["computed"]
    assert computed == len(staged(corpus, "embed") - embedded)
