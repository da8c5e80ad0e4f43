"""Ranges: cuts a long document into ranges of pages, so that all worker processes parse it together.

Decisions that need all pages are made when the ranges are joined, so the rows are the same as for the document parsed at once.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from schemas.errors import LimitError, PagemillError
from schemas.options.sections import LimitOptions, ParseOptions
from schemas.references import Content
from tasks.parse.io.parse import RANGE_PAGES, join_staged, parse_if_short, parse_range
from tasks.store import local
from tasks.workers.pool import WorkerPool

BEGUN = 1
"""Urgency of what a document that is begun still needs."""


class RangedParser(NamedTuple):
    """The functions that parse a document, at once or in ranges, and its limits.

    Workers call `whole(content, options, tick)`, which returns the number of pages for a long document. When its ranges are in a
    folder, they call `joined(content, options, folder, tick)`. `limits` apply to a document, not to each of its ranges.
    Ranges hold text, so they lie below `place`, a folder of the corpus that the next command and a purge empty if this process is
    killed; without a corpus, among the system's temporary files.
    """

    parse: ParseOptions
    limits: LimitOptions
    place: Path | None
    whole: Callable[..., Any] = parse_if_short
    joined: Callable[..., Any] = join_staged


def map_ranged(
    pool: WorkerPool,
    contents: Sequence[Content],
    options: object,
    parser: RangedParser,
    on_part: Callable[[int, float], None] = lambda index, share: None,
) -> Iterator[tuple[int, Any]]:
    """Yield, as `WorkerPool.map`, (index of the content, its result or a PagemillError), first done first.

    `on_part(index, share)` is called after each range with the share of the long document's pages that is read.
    """
    for index, outcome in pool.map(parser.whole, [(content, options) for content in contents]):
        if isinstance(outcome, int):
            with hold_worker_folder(parser.place) as folder:
                error = _read_ranges(pool, contents[index], outcome, folder, parser, partial(on_part, index))
                call = (contents[index], options, folder)
                yield index, error or next(iter(pool.map(parser.joined, [call], urgency=BEGUN)))[1]
        else:
            yield index, outcome


@contextmanager
def hold_worker_folder(place: Path | None) -> Iterator[str]:
    """Make a folder for the length of the block; a worker that was called off cannot add to it while it is deleted.

    It lies below `place`, or among the system's temporary files.
    """
    with local.make_temporary_folder(place) if place else TemporaryDirectory(prefix="pagemill-ranges-") as outer:
        folder = Path(outer, "ranges")
        folder.mkdir()
        try:
            yield str(folder)
        finally:
            folder.rename(Path(outer, "done"))


def _read_ranges(
    pool: WorkerPool, content: Content, n_pages: int, folder: str, parser: RangedParser, on_part: Callable[[float], None]
) -> PagemillError | None:
    """Read all ranges of a document into `folder`. Return the first error, which cancels the other ranges."""
    calls = [(content, parser.parse, start, folder) for start in range(0, n_pages, RANGE_PAGES)]
    most, seconds = parser.limits.document_seconds, 0.0
    with closing(pool.map(parse_range, calls, urgency=BEGUN)) as outcomes:
        for n_read, (_, outcome) in enumerate(outcomes, start=1):
            if isinstance(outcome, PagemillError):
                return outcome
            seconds += outcome
            on_part(n_read / (len(calls) + 1))
            if seconds > most:
                return LimitError(f"the document was not finished within {most:g} s of CPU time: raise limits.document_seconds")
    return None
