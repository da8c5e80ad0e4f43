from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.flows.corpora import STORIES, digest, rows
from tests.flows.forks import Forks

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("wait", [0, 120])
def test_two_refreshes_started_together_leave_one_whole_corpus(
    forks: Forks, homes: Callable[[Path], Path], before: Path, source: Path, corpus: Path, wait: int
) -> None:
    for _ in range(2):
        forks.start(source, corpus, publish={"lock_wait_seconds": wait})
    ends = [forks.wait(), forks.wait()]
    outcomes = Counter(end.outcome["outcome"] if end.outcome else "refused" for end in ends)
    assert outcomes == ({"published": 1, "nothing changed": 1} if wait else {"published": 1, "refused": 1})
    assert all("lock_wait_seconds" in end.error for end in ends if end.error)
    for table, key in (("documents", "document_id"), ("chunks", "chunk_id"), ("elements", "element_id")):
        keys = [row[key] for row in rows(corpus, table)]
        assert len(keys) == len(set(keys))
    assert len(rows(corpus, "documents")) == len(STORIES)
    assert digest(corpus) == digest(homes(before) / "corpus")
