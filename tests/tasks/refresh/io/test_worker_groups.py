"""A call for several small contents that fails is made again for each of them: an error is one document's."""

import threading
from pathlib import Path

import pytest

from schemas.corpus import Corpus
from schemas.errors import LimitError, PagemillError
from schemas.media_types import PLAIN_TEXT
from schemas.options.sections import LimitOptions, ParseOptions
from schemas.references import Content
from schemas.staged import PARSED
from tasks.embed.vectors import VectorCache
from tasks.refresh.io import steps
from tasks.refresh.io.running import ActiveRun
from tasks.refresh.io.worker_calls import parse_together
from tasks.store.documents import ContainerCopies
from tasks.store.files import compute_sha256
from tasks.store.staging import Staging
from tasks.workers.pool import WorkerPool
from tasks.workers.progress import Progress


def content(path: Path) -> Content:
    return Content(sha256=compute_sha256(path), media_type=PLAIN_TEXT, path=str(path), size=path.stat().st_size)


@pytest.mark.parametrize("gone", [0, 1])
def test_a_file_that_is_gone_costs_no_other_its_row(tmp_path: Path, gone: int) -> None:
    paths = [tmp_path / f"{n}.txt" for n in range(9)]
    for path in paths:
        path.write_text(f"Text {path.stem}.")
    contents = [content(path) for path in paths]
    for path in paths[3 : 3 + gone]:
        path.unlink()
    with WorkerPool(LimitOptions(workers=1)) as pool:
        staging = Staging(Corpus(str(tmp_path)), ())
        live = ActiveRun(pool, pool, VectorCache(), Progress(), threading.Event(), staging, {}, 1, ContainerCopies())
        calls = {each: (each, (ParseOptions(), None)) for each in contents}
        results = list(steps._map_in_workers(live, parse_together, PARSED, calls))
    rows = {each: result for group, result in results for each in group}
    assert sorted(rows, key=contents.index) == contents
    errors = [each for each, result in rows.items() if isinstance(result, PagemillError)]
    assert errors == contents[3 : 3 + gone]
    assert not any(isinstance(rows[each], LimitError) for each in errors)
