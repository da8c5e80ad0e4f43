"""Documents of a source as files of this machine: worker processes read those, and reach no network."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from schemas.errors import ChangedError
from schemas.media_types import PAGES
from schemas.references import Content
from tasks.store.sources.places import open_source
from tasks.store.sources.source import Source


class ContainerCopies:
    """Copies from another place of what a run reads many times and fetches once: archives, mails, pictures beside pages."""

    def __init__(self) -> None:
        self._paths: set[Path] = set()

    def keep(self, path: Path) -> None:
        """Keep a copy until all are dropped."""
        self._paths.add(path)

    def __contains__(self, path: Path) -> bool:
        return path in self._paths

    def drop(self) -> None:
        """Delete the copies."""
        while self._paths:
            self._paths.pop().unlink(missing_ok=True)


@contextmanager
def fetch_document_contents(
    contents: Sequence[Content], copies: ContainerCopies | None = None
) -> Iterator[list[Content | ChangedError]]:
    """Give, for each of `contents`, the same content with a path that this machine can read, or the error why there is none.

    Files of other places are copied to this machine; the copies last as long as the block, and those of containers as long as
    `copies`, if they are given.

    Raises:
        StoreError: a source refuses, or does not answer.
    """
    places = {content.source for content in contents if content.source}
    sources = {place: open_source(place.url, place.options, place.name) for place in places}
    with ThreadPoolExecutor(max((source.readers for source in sources.values()), default=1)) as threads:
        given = list(threads.map(lambda content: _fetch_content(content, content.source and sources[content.source]), contents))
    copied = [here for content, here in zip(contents, given, strict=True) if content.source and isinstance(here, Content)]
    for here in copied:
        if copies is not None and here.is_container:
            copies.keep(Path(here.path))
    try:
        yield given
    finally:
        for here in copied:
            if copies is None or Path(here.path) not in copies or here.media_type in PAGES:  # nothing else shows a page
                Path(here.path).unlink(missing_ok=True)


def _fetch_content(content: Content, source: Source | None) -> Content | ChangedError:
    if source is None:
        return content
    try:
        local = source.fetch_file(content.path, content.file_sha256)
    except FileNotFoundError:
        return ChangedError(f"{content.path} has been deleted since the plan was made: run the refresh again")
    return content.model_copy(update={"path": str(local), "source": None, "size": local.stat().st_size})
