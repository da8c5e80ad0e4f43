"""Ranges: a long document is cut into ranges of pages, so that it is parsed by all worker processes at once.

What can only be decided about all pages together is decided when they are joined: the rows are those of the document parsed
whole.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from schemas.errors import LimitError, PagemillError
from schemas.options.sections import LimitOptions, ParseOptions
from schemas.references import Content
from tasks.parse.io.parse import RANGE_PAGES, join_staged, parse_if_short, parse_range
from tasks.workers.pool import WorkerPool


class RangedParser(NamedTuple):
    """How documents are parsed.

    Workers call `whole(content, options, tick)`, which may answer how many pages a long document has; then, when its ranges
    are in a folder, `joined(content, options, folder, tick)`. `limits` are those of a document, however many its ranges.
    """

    parse: ParseOptions
    limits: LimitOptions
    whole: Callable[..., Any] = parse_if_short
    joined: Callable[..., Any] = join_staged


def map_ranged(
    pool: WorkerPool,
    contents: Sequence[Content],
    options: Any,
    parser: RangedParser,
    on_part: Callable[[int, float], None] = lambda index, share: None,
) -> Iterator[tuple[int, Any]]:
    """Yield what `WorkerPool.map` does: (index of the content, its result or a PagemillError), first done first.

    `on_part(index, share)` is told which share of a long document's pages has been read, after each range.
    """
    for index, outcome in pool.map(parser.whole, [(content, options) for content in contents]):
        if isinstance(outcome, int):
            with TemporaryDirectory(prefix="pagemill-ranges-", ignore_cleanup_errors=True) as folder:
                error = _read_ranges(pool, contents[index], outcome, folder, parser, partial(on_part, index))
                call = (contents[index], options, folder)
                yield index, error or next(iter(pool.map(parser.joined, [call])))[1]
        else:
            yield index, outcome


def _read_ranges(
    pool: WorkerPool, content: Content, n_pages: int, folder: str, parser: RangedParser, on_part: Callable[[float], None]
) -> PagemillError | None:
    """Read all ranges of a document to `folder`; return the first error, which calls off the others."""
    calls = [(content, parser.parse, start, folder) for start in range(0, n_pages, RANGE_PAGES)]
    most, seconds = parser.limits.document_seconds, 0.0
    with closing(pool.map(parse_range, calls)) as outcomes:
        for n_read, (_, outcome) in enumerate(outcomes, start=1):
            if isinstance(outcome, PagemillError):
                return outcome
            seconds += outcome
            on_part(n_read / (len(calls) + 1))
            if seconds > most:
                return LimitError(f"was not done within {most:g} s of computing: raise limits.document_seconds")
    return None
