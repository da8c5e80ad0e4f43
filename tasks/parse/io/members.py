"""Members: documents in archives, mailboxes and mails. Worker processes list them, and write those that are wanted to files."""

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from operator import attrgetter
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, TypeVar

import pyarrow as pa

from schemas.conform import make_table_from_rows
from schemas.errors import ChangedError, DocumentError, PagemillError, ServiceError, WorkerError
from schemas.ids import digest, normal_path
from schemas.media_types import PAGES, holds_documents, media_type_of
from schemas.options.sections import LimitOptions
from schemas.references import Content, Inside
from schemas.types import required_column
from tasks.parse.books.inlined import list_relative_addresses
from tasks.parse.containers.archives import DAMAGED
from tasks.parse.containers.budget import PART_BYTES
from tasks.parse.containers.walk import Member, list_members, read_members
from tasks.parse.io.ranges import BEGUN, RangedParser, hold_worker_folder, map_ranged
from tasks.parse.rejections import refusal
from tasks.store.documents import ContainerCopies, fetch_document_contents
from tasks.store.files import compute_sha256
from tasks.workers.pool import WorkerPool

Tick = Callable[[int], None]

TOGETHER = 64
"""Small containers that share a call: mails are many, and a call costs more than one of them."""
SMALL_BYTES = 2**20

Item = TypeVar("Item")

MEMBERS = pa.schema(
    [
        required_column("key", pa.string()),
        required_column("path", pa.string()),
        required_column("size", pa.int64()),
        pa.field("sha256", pa.string()),
        required_column("locator", pa.string()),
        required_column("refused", pa.string()),
        required_column("remedy", pa.string()),
        required_column("left_out", pa.string()),
        required_column("media_type", pa.string()),
    ]
)
"""One row per member of a container, after one with a blank path for the container itself, which says if it cannot be read.

`key` names the container's bytes, and all that changes what is found in them; the rest is as in `Member`. That of a page has the
addresses of the pictures that may lie beside it, a line each.
"""


class Container(NamedTuple):
    """A file that holds documents: where it is, the name that tells its kind, its size and digest, and its key in MEMBERS."""

    path: str
    name: str
    size: int
    sha256: str
    key: str


def list_containers_together(containers: Sequence[Sequence[Any]], limits: str, tick: Tick) -> pa.Table:
    """Return the MEMBERS of containers; `limits` are LimitOptions as JSON. Runs in a worker."""
    found = LimitOptions.model_validate_json(limits)
    return pa.concat_tables([_list_container(Container(*container), found, tick) for container in containers])


def list_container(pool: WorkerPool, path: Path, limits: LimitOptions) -> list[Member]:
    """Return the members of one container of this machine.

    Raises:
        PagemillError: it cannot be read.
    """
    with fetch_document_contents([name_container(path)]) as [here]:
        if isinstance(here, PagemillError):
            raise here
        size, sha256 = Path(here.path).stat().st_size, compute_sha256(Path(here.path))
        [(_, rows)] = list_containers(pool, [Container(here.path, path.name, size, sha256, "")], limits)
    if isinstance(rows, PagemillError):
        raise rows
    head, *members = [Member(**{name: value for name, value in row.items() if name != "key"}) for row in rows.to_pylist()]
    if head.refused:
        raise refusal(DocumentError, head.refused, head.remedy)
    return members


def name_container(path: Path) -> Content:
    """Return a container of this machine of which nobody knows the digest yet: that of its path stands for it."""
    return Content(sha256=digest(str(path)), media_type="", path=str(path), size=0)


def find_member(pool: WorkerPool, container: Content, path: str, limits: LimitOptions) -> Inside | None:
    """Return where the document at `path` in a container is, or None. The digest of the container only names it.

    Raises:
        PagemillError: the container cannot be read.
    """
    name = Path(container.path).name
    with fetch_document_contents([container]) as [here]:
        if isinstance(here, PagemillError):
            raise here
        [(_, locator)] = pool.map(find_locator, [(here.path, name, normal_path(path), limits.model_dump_json())])
    if isinstance(locator, PagemillError):
        raise locator
    return Inside(container.path, container.sha256, locator) if locator else None


def find_locator(container: str, name: str, path: str, limits: str, tick: Tick) -> str:
    """Return the locator of the member at `path` of a container; blank if there is none. Runs in a worker.

    Raises:
        DocumentError: the container cannot be read.
    """
    bounds = LimitOptions.model_validate_json(limits)
    with Path(container).open("rb") as file:
        found = list_members(file, name, Path(container).stat().st_size, bounds, tick, digests=False)
        return next((member.locator for member in found if normal_path(member.path) == path), "")


def find_container(path: Path) -> tuple[Path, str] | None:
    """Return the file that holds a document by its path, `archive.zip/a.pdf`, and the path in it; None if no file does."""
    for outer in path.parents:
        if holds_documents(outer.name) and outer.is_file():
            return outer, path.relative_to(outer).as_posix()
    return None


def _list_container(container: Container, limits: LimitOptions, tick: Tick) -> pa.Table:
    try:
        with Path(container.path).open("rb") as file:
            if media_type_of(container.name) in PAGES:
                addresses = "\n".join(list_relative_addresses(file.read()))
                members = [Member(addresses)] if addresses else []
            else:
                members = list(list_members(file, container.name, container.size, limits, tick))
        if compute_sha256(Path(container.path)) != container.sha256:
            raise ChangedError("it changed while it was read: run again")
    except DocumentError as error:
        return _make_table(container.key, [Member("", refused=str(error), remedy=" ".join(getattr(error, "__notes__", ())))])
    except OSError as error:
        raise ChangedError(f"it cannot be read any more: {error.strerror}: check its permissions and its disk") from error
    return _make_table(container.key, [Member(""), *members])


def _make_table(key: str, members: Sequence[Member]) -> pa.Table:
    return make_table_from_rows(({"key": key, **member._asdict()} for member in members), MEMBERS)


def list_containers(
    pool: WorkerPool, containers: Sequence[Container], limits: LimitOptions
) -> Iterator[tuple[Container, pa.Table | PagemillError]]:
    """Yield each container with its MEMBERS, or why they cannot be had this time."""
    for group, outcome in _map_together(pool, list_containers_together, containers, attrgetter("size"), limits.model_dump_json()):
        yield from _split_outcome(group, outcome)


def _map_together(
    pool: WorkerPool, function: Callable[..., Any], items: Sequence[Item], size: Callable[[Item], int], *rest: object
) -> Iterator[tuple[Sequence[Item], Any]]:
    """Yield items with what `function(items, *rest, tick)` returned in a worker, or a PagemillError.

    Small items share a call; if it fails, each of them is tried alone.
    """
    small = [item for item in items if size(item) <= SMALL_BYTES]
    groups = [[item] for item in items if size(item) > SMALL_BYTES]
    groups += [small[at : at + TOGETHER] for at in range(0, len(small), TOGETHER)]
    again: list[Item] = []
    for index, outcome in pool.map(function, [(group, *rest) for group in groups], urgency=BEGUN):
        if isinstance(outcome, PagemillError) and len(groups[index]) > 1:
            again += groups[index]
        else:
            yield groups[index], outcome
    for index, outcome in pool.map(function, [([item], *rest) for item in again], urgency=BEGUN):
        yield [again[index]], outcome


def _split_outcome(
    group: Sequence[Container], outcome: pa.Table | PagemillError
) -> Iterator[tuple[Container, pa.Table | PagemillError]]:
    by_key = {} if isinstance(outcome, PagemillError) else _split_by_key(outcome)
    wrong = WorkerError("a worker process returned something that is not the members of a container")
    for container in group:
        yield container, outcome if isinstance(outcome, PagemillError) else by_key.get(container.key, wrong)


def _split_by_key(outcome: object) -> dict[str, pa.Table]:
    """Return the MEMBERS of each container by its key; none if a worker, which is not trusted, returned anything else."""
    if not (isinstance(outcome, pa.Table) and outcome.schema.equals(MEMBERS)):
        return {}
    keys = outcome["key"].to_pylist()
    starts = [at for at, path in enumerate(outcome["path"].to_pylist()) if not path]
    return {keys[at]: outcome.slice(at, end - at) for at, end in zip(starts, [*starts[1:], len(keys)], strict=True)}


class Unpacking(NamedTuple):
    """Members of one container that are to be written to files: the container and their locators."""

    container: Container
    locators: list[str]


@contextmanager
def open_contents(
    pool: WorkerPool,
    contents: Sequence[Content],
    limits: LimitOptions,
    place: Path | None,
    copies: ContainerCopies | None = None,
) -> Iterator[list[Content | PagemillError]]:
    """Give contents whose paths are files of this machine, in the order of `contents`, or why there are none.

    Copies of objects, and files of members, last as long as the block. The latter lie below `place`, a folder of the corpus that
    the next command and a purge empty if this process is killed; without a corpus, among the system's temporary files. Copies of
    containers last as long as `copies`, if they are given.

    Raises:
        StoreError: the store refuses, or does not answer.
    """
    inner = [content for content in contents if content.inside]
    outer = {content.path: content for content in contents if not content.inside}
    for content in contents:
        if content.inside:
            path, sha256, _ = content.inside
            outer.setdefault(path, _make_held_content(path, sha256, content))
        for picture in content.compound.pictures if content.compound else ():
            outer.setdefault(picture.path, _make_held_content(picture.path, picture.sha256, content))
    with fetch_document_contents(list(outer.values()), copies) as given, ExitStack() as stack:
        here: dict[str, Content | PagemillError] = dict(zip(outer, given, strict=True))
        unpacked = _unpack(pool, inner, here, limits, stack.enter_context(hold_worker_folder(place))) if inner else {}
        yield [unpacked[content.inside] if content.inside else _place_pictures(content, here) for content in contents]


def _make_held_content(path: str, sha256: str, holder: Content) -> Content:
    """Return what a content of the same place needs, and others too: a container that it is in, or a picture that it shows."""
    return Content(sha256=sha256, media_type="", path=path, size=0, source=holder.source)


def _place_pictures(content: Content, here: Mapping[str, Content | PagemillError]) -> Content | PagemillError:
    """Return a content with the files of its pictures, or why there are none."""
    found = here[content.path]
    if isinstance(found, PagemillError) or not found.compound:
        return found
    pictures = []
    for picture in found.compound.pictures:
        file = here[picture.path]
        if isinstance(file, PagemillError):
            return file
        pictures.append(picture._replace(path=file.path))
    return found.model_copy(update={"compound": found.compound._replace(pictures=tuple(pictures))})


def _unpack(
    pool: WorkerPool, contents: Sequence[Content], here: Mapping[str, Content | PagemillError], limits: LimitOptions, folder: str
) -> dict[Inside, Content | PagemillError]:
    """Return contents of members with the paths of their files in `folder`, by their places, or why there are none."""
    wanted: dict[str, list[str]] = {}
    found: dict[Inside, Content | PagemillError] = {}
    for content in contents:
        if content.inside:
            container = here[content.inside.container]
            if isinstance(container, PagemillError):
                found[content.inside] = container
            else:
                wanted.setdefault(content.inside.container, []).append(content.inside.locator)
    calls = []
    for path, locators in wanted.items():
        local_file = here[path]
        if isinstance(local_file, Content):
            size = Path(local_file.path).stat().st_size
            calls.append(Unpacking(Container(local_file.path, path, size, local_file.sha256, ""), locators))
    done = _map_together(pool, unpack_members, calls, attrgetter("container.size"), limits.model_dump_json(), folder)
    errors = {call.container.name: outcome for group, outcome in done for call in group if isinstance(outcome, PagemillError)}
    for content in contents:
        if content.inside and content.inside not in found:
            file = Path(folder, _name_file(content.inside.sha256, content.inside.locator))
            gone = ChangedError(f"{content.path} cannot be read from {content.inside.container} any more: run the refresh again")
            error = errors.get(content.inside.container) or (None if file.exists() else gone)
            found[content.inside] = error or content.model_copy(update={"path": str(file), "inside": None, "source": None})
    return found


def unpack_members(calls: Sequence[Sequence[Any]], limits: str, folder: str, tick: Tick) -> int:
    """Write members of containers to files in `folder`, named by digests; `limits` are LimitOptions as JSON. Runs in a worker.

    Raises:
        DocumentError, ChangedError: a container cannot be read any more as it could when it was listed.
        ServiceError: a container cannot be read now.
    """
    bounds, n_written = LimitOptions.model_validate_json(limits), 0
    for container, locators in calls:
        path, name, size, sha256, _ = container
        try:
            with Path(path).open("rb") as file:
                for locator, source in read_members(file, name, size, locators, bounds, tick):
                    _write(Path(folder, _name_file(sha256, locator)), source)
                    n_written += 1
        except OSError as error:
            raise ServiceError(f"{name} cannot be read: {error.strerror or error}: check its permissions and its disk") from error
        except DAMAGED as error:
            raise ChangedError(f"{name} changed since it was listed: run again") from error
    return n_written


def _name_file(sha256: str, locator: str) -> str:
    return digest(sha256, locator)


def _write(path: Path, source: BinaryIO) -> None:
    with path.open("wb") as sink:
        shutil.copyfileobj(source, sink, PART_BYTES)


def map_members(
    pool: WorkerPool, contents: Sequence[Content], options: object, parser: RangedParser
) -> Iterator[tuple[int, Any]]:
    """Yield, as `map_ranged`, (index of the content, its result or a PagemillError) of contents that may lie in containers."""
    with open_contents(pool, contents, parser.limits, parser.place) as given:
        here = {at: found for at, found in enumerate(given) if isinstance(found, Content)}
        yield from ((at, found) for at, found in enumerate(given) if at not in here)
        places = list(here)
        for index, outcome in map_ranged(pool, list(here.values()), options, parser):
            yield places[index], outcome
