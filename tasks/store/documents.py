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


class ContainerCopies:
    """Copies of archives, mailboxes and mails from an object store: a run reads each of them many times, and fetches it once."""

    def __init__(self) -> None:
        self._paths: set[Path] = set()

    def keep(self, path: Path) -> None:
        """Keep a copy until all are dropped."""
        self._paths.add(path)

    def drop(self) -> None:
        """Delete the copies."""
        while self._paths:
            self._paths.pop().unlink(missing_ok=True)


@contextmanager
def fetch_document_contents(
    contents: Sequence[Content], copies: ContainerCopies | None = None
) -> Iterator[list[Content | ChangedError]]:
    """Give, for each of `contents`, the same content with a path that this machine can read, or the error why there is none.

    Objects of a store are copied to this machine; the copies last as long as the block, and those of containers as long as
    `copies`, if they are given.

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
                if copies and content.is_container:
                    copies.keep(Path(here.path))
                else:
                    Path(here.path).unlink(missing_ok=True)


def _fetch_content(content: Content) -> Content | ChangedError:
    path = place_of(content.path)
    try:
        local = find_storage(path).fetch_document(path, content.sha256)
    except FileNotFoundError:
        return ChangedError(f"{content.path} has been deleted since the plan was made: run the refresh again")
    return content if local == path else content.model_copy(update={"path": str(local)})
