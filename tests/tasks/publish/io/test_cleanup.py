"""When the staged files are looked through: as often as documents change, not as often as refreshes run."""

from pathlib import Path
from typing import Any

import pytest

from schemas.corpus import Corpus
from tasks.publish.io import cleanup

COUNTS = {"added": 0, "changed": 0, "metadata": 0, "moved": 0, "retried": 0, "removed": 0, "n_documents": 1000}


class Published:
    """A generation, as far as a sweep looks at it."""

    def __init__(self, generation: int, kind: str = "refresh", **counts: int) -> None:
        self.generation, self.kind, self.counts = generation, kind, {**COUNTS, **counts}


@pytest.fixture
def sweeps(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    done: list[int] = []
    published: list[Published] = []
    monkeypatch.setattr(cleanup, "read_all_generations", lambda corpus: published)
    monkeypatch.setattr(cleanup, "delete_unneeded_staged_rows", lambda corpus: done.append(published[-1].generation))

    def sweep(generation: Published) -> list[int]:
        published.append(generation)
        cleanup.clean_up_staged_rows(Corpus(str(tmp_path)))
        return done

    return sweep


def test_one_changed_document_of_a_thousand_waits_for_nine_others(sweeps: Any) -> None:
    for number in range(1, 23):
        done = sweeps(Published(number, changed=1))
    assert done == [1, 11, 21]


def test_many_changes_are_swept_at_once(sweeps: Any) -> None:
    for number in range(1, 4):
        done = sweeps(Published(number, removed=10))
    assert done == [1, 2, 3]


def test_a_rollback_is_swept_at_once(sweeps: Any) -> None:
    sweeps(Published(1))
    assert sweeps(Published(2, "rollback")) == [1, 2]


def test_a_small_corpus_is_swept_after_every_change(sweeps: Any) -> None:
    for number in range(1, 4):
        done = sweeps(Published(number, changed=1, n_documents=100))
    assert done == [1, 2, 3]


def test_what_failed_before_is_done_again_without_a_new_generation(sweeps: Any, tmp_path: Path) -> None:
    done = sweeps(Published(1))
    cleanup.clean_up_staged_rows(Corpus(str(tmp_path)))
    assert done == [1, 1]
