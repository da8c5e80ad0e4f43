"""Inputs: the documents that a command line names, as files or in folders."""

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from schemas.errors import DocumentError, InputError, PagemillError
from schemas.ids import normal_path
from schemas.media_types import (
    PAGES,
    PICTURES,
    START_BYTES,
    USUAL_SUFFIXES,
    container_type_of,
    holds_documents,
    lacks_suffix,
    media_type_by_start,
    media_type_of,
)
from schemas.options.sections import LimitOptions
from schemas.references import Compound, Content, Inside, find_compound
from tasks.parse.books.inlined import MAX_BYTES, PictureFile, choose_pictures
from tasks.parse.containers.walk import Member
from tasks.parse.io.members import find_container, find_member, list_container, name_container, open_contents
from tasks.store import files
from tasks.store.sources.folder import walk_source
from tasks.workers.pool import WorkerPool


class InputFile(NamedTuple):
    """A document. `inner` is its path below the named folder, or its file name; `refused` says why it is not read, if so.

    `content` is that of a member of an archive, mailbox or mail.
    """

    path: Path
    inner: str
    refused: str = ""
    content: Content | None = None


def check_readable_document(path: Path) -> Path:
    """Return `path` if it is a document that Pagemill can read.

    Raises:
        InputError: it is not such a document.
    """
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise InputError(f"{path} does not exist: check the path") from error
    except OSError as error:
        raise InputError(f"{path} cannot be reached: {error.strerror}") from error
    if stat.S_ISDIR(found.st_mode):
        raise InputError(f"{path} is a folder: name one document")
    if not stat.S_ISREG(found.st_mode):
        raise InputError(f"{path} is not a regular file: name a document")
    if not (find_media_type(path) or holds_documents(path.name)):
        raise InputError(
            f"{path} is not a document that Pagemill can read: choose one of these types: {', '.join(USUAL_SUFFIXES)}"
        )
    return path


def find_documents(paths: Iterable[Path], out: Path) -> list[InputFile]:
    """Return the documents at and below `paths`, each once, but no files in the folder `out`.

    Raises:
        InputError: a path is neither a document nor a readable folder, a path is `out` itself, or there are no documents.
    """
    found: dict[str, InputFile] = {}
    named = list(paths)
    for path in named:
        for given in _list_documents_in_folder(path, out) if path.is_dir() else [InputFile(_check_named(path), path.name)]:
            found.setdefault(os.path.realpath(given.path), given)
    if not found:
        raise InputError(f"no documents in {', '.join(map(str, named))}: Pagemill reads {', '.join(USUAL_SUFFIXES)}")
    return list(found.values())


def _check_named(path: Path) -> Path:
    return path if not path.exists() and find_container(path) else check_readable_document(path)


def _list_documents_in_folder(folder: Path, out: Path) -> Iterator[InputFile]:
    """Yield the documents in a folder, but for those in the folder of results: the next call would take results for documents."""
    inside, root = Path(os.path.realpath(out)), Path(os.path.realpath(folder))
    if inside == root:
        raise InputError(f"{out} is the folder of the documents: choose another folder for --out, for example one inside it")
    for file in walk_source(folder):
        is_document = find_media_type(folder / file.path) or holds_documents(file.path)
        if is_document and not (root / file.path).is_relative_to(inside):
            yield InputFile(folder / file.path, file.path, file.refused)


def hash_content(path: Path, refused: str = "") -> Content:
    """Return the content of the document at `path`.

    Raises:
        DocumentError: the file cannot be read, or `refused` gives a reason not to read it.
    """
    if refused:
        raise DocumentError(refused)
    try:
        sha256, size = files.compute_sha256(path), path.stat().st_size
    except OSError as error:
        raise DocumentError(
            f"{path} cannot be read: {error.strerror}: give this user permission, or leave the file out"
        ) from error
    return _make_content(path, sha256, size)


def find_content(pool: WorkerPool, path: Path, limits: LimitOptions, refused: str = "") -> Content:
    """Return the content of the document at `path`; that of a page with its pictures that lie in its folder or below.

    Raises:
        DocumentError: as `hash_content`.
    """
    content = hash_content(path, refused)
    compound = _find_pictures(pool, path, content.sha256, limits) if content.media_type in PAGES else None
    return content.model_copy(update={"sha256": compound.sha256, "compound": compound}) if compound else content


def _find_pictures(pool: WorkerPool, page: Path, sha256: str, limits: LimitOptions) -> Compound | None:
    folder = page.parent.resolve()

    def find(path: str) -> PictureFile | None:
        file = (folder / path).resolve()
        if media_type_of(path) not in PICTURES or not file.is_relative_to(folder) or not file.is_file():
            return None
        size = file.stat().st_size
        return PictureFile(str(file), size, files.compute_sha256(file) if size <= MAX_BYTES else "")

    try:
        addresses = [address for member in list_container(pool, page, limits) for address in member.path.split("\n")]
    except PagemillError:
        return None  # the parser says what is wrong with the page
    chosen, n_left_out = choose_pictures(page.name, addresses, find)
    return Compound(sha256, pictures=chosen, n_left_out=n_left_out) if chosen or n_left_out else None


def find_media_type(path: Path) -> str:
    """Return the media type of a file, as its suffix or, without one, its content tells it; blank if it is no document."""
    return media_type_of(path.name) or (_read_media_type(path) if lacks_suffix(path.name) else "")


def _read_media_type(path: Path) -> str:
    try:
        with path.open("rb") as opened:
            return media_type_by_start(opened.read(START_BYTES)) or ""
    except OSError:
        return ""


def _make_content(path: Path, sha256: str, size: int, inside: Inside | None = None, media_type: str = "") -> Content:
    media_type = media_type or find_media_type(path)
    compound = find_compound(media_type, sha256)
    sha256 = compound.sha256 if compound else sha256
    return Content(sha256=sha256, media_type=media_type, path=str(path), size=size, inside=inside, compound=compound)


def list_with_members(pool: WorkerPool, given: Iterable[InputFile], limits: LimitOptions) -> Iterator[InputFile]:
    """Yield documents, and after each file that holds some the documents in it; one that cannot be read is refused."""
    for file in given:
        outer, named = (None if file.path.exists() else find_container(file.path)) or (file.path, "")
        if file.refused or not (named or holds_documents(file.path.name)):
            yield file
            continue
        try:
            members = [*_choose_members(list_container(pool, outer, limits), outer, named)]
        except InputError:
            raise
        except PagemillError as error:
            yield file._replace(refused=": ".join([str(error), *getattr(error, "__notes__", ())]))
            continue
        if not (named or container_type_of(file.path.name)):
            yield file
        for member in members:
            inner = InputFile(outer / member.path, file.inner if named else f"{file.inner}/{member.path}")
            if member.refused:
                yield inner._replace(refused=f"{member.refused}: {member.remedy}")
            elif member.sha256:
                inside = Inside(str(outer), files.compute_sha256(outer), member.locator)
                yield inner._replace(content=_make_content(inner.path, member.sha256, member.size, inside, member.media_type))


def _choose_members(members: Sequence[Member], container: Path, named: str) -> Sequence[Member]:
    """Return the member that is named, or all of them if none is.

    Raises:
        InputError: there is no such document.
    """
    chosen = [member for member in members if normal_path(member.path) == normal_path(named)] if named else members
    if named and not chosen:
        raise InputError(f"{container} holds no document {named}: check the path")
    return chosen


@contextmanager
def open_document(pool: WorkerPool, path: Path, limits: LimitOptions) -> Iterator[Content]:
    """Give the content of one document, a file or a member such as `archive.zip/a.pdf`; its path is that of a file.

    Raises:
        InputError: there is no such document, or it is a file that only holds others.
        PagemillError: it cannot be read.
    """
    held = None if path.exists() else find_container(path)
    if not held:
        if container_type_of(check_readable_document(path).name):
            raise InputError(f"{path} holds documents: name one of them, such as {path}/NAME; `pagemill parse` lists them")
        yield find_content(pool, path, limits)
        return
    if not (media_type_of(path.name) or lacks_suffix(path.name)):
        check_readable_document(Path(path.name))
    inside = find_member(pool, name_container(held[0]), held[1], limits)
    if not inside:
        raise InputError(f"{held[0]} holds no document {held[1]}: check the path; `pagemill parse` lists them")
    with open_contents(pool, [_make_content(path, "", 0, inside)], limits, None) as [here]:
        if isinstance(here, PagemillError):
            raise here
        file = Path(here.path)
        media_type = here.media_type or _read_media_type(file)
        if not media_type:
            raise InputError(
                f"{path} is not a document that Pagemill can read: its name has no suffix, and its content tells none"
            )
        yield _make_content(file, files.compute_sha256(file), file.stat().st_size, media_type=media_type)
