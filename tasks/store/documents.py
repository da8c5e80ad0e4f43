"""Documents of a source as files of this machine: worker processes read those, and reach no store."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from schemas.corpus import place_of
from schemas.errors import ChangedError
from schemas.references import Content
from tasks.store.files import find_storage
from tasks.store.objects.client import AT_ONCE


@contextmanager
def fetch_document_contents(contents: Sequence[Content]) -> Iterator[list[Content | ChangedError]]:
    """Give, for each of `contents`, the same content with a path that this machine can read, or the error why there is none.

    Objects of a store are copied to this machine; the copies last as long as the block.

    Raises:
        StoreError: the store refuses, or does not answer.
    """
    with ThreadPoolExecutor(AT_ONCE) as threads:
        given = list(threads.map(_fetch_content, contents))
    try:
        yield given
    finally:
        for content, here in zip(contents, given, strict=True):
            if isinstance(here, Content) and here.path != content.path:
                Path(here.path).unlink(missing_ok=True)


def _fetch_content(content: Content) -> Content | ChangedError:
    path = place_of(content.path)
    try:
        local = find_storage(path).fetch_document(path, content.sha256)
    except FileNotFoundError:
        return ChangedError(f"{content.path} has been deleted since the plan was made: run the refresh again")
    return content if local == path else content.model_copy(update={"path": str(local)})
