"""Walk: the members of a container and of those in it, each with its path, and their bytes if they are wanted."""

import hashlib
import io
from collections.abc import Callable, Collection, Iterator
from typing import BinaryIO, NamedTuple

from schemas import media_types
from schemas.errors import DocumentError
from schemas.media_types import (
    MAILS,
    START_BYTES,
    container_type_of,
    holds_documents,
    lacks_suffix,
    media_type_by_start,
    media_type_of,
)
from schemas.options.sections import LimitOptions
from tasks.parse.containers.archives import DAMAGED, Entry, list_tar_entries, list_zip_entries, refuse_member
from tasks.parse.containers.budget import PART_BYTES, Budget
from tasks.parse.containers.mailboxes import list_mail_entries, list_mbox_entries
from tasks.parse.containers.names import Namer, is_hidden_member, make_member_path
from tasks.parse.rejections import refusal

_SNIFFED = 512
_TAR_MARK = slice(257, 262)

Tick = Callable[[int], None]


class Member(NamedTuple):
    """A document in a container: its path there, its size and digest, and its locator.

    `refused` and `remedy` say why it cannot be read; then it has no digest. `left_out` says why it is no document: its kind, if
    blank and there is no digest. `media_type` is told where the name does not tell it.
    """

    path: str
    size: int = 0
    sha256: str | None = None
    locator: str = ""
    refused: str = ""
    remedy: str = ""
    left_out: str = ""
    media_type: str = ""


def list_members(
    file: BinaryIO, path: str, size: int, limits: LimitOptions, tick: Tick, digests: bool = True
) -> Iterator[Member]:
    """Yield the members of a container, which is a seekable file of `size` bytes; `path` names its kind.

    Without `digests`, documents have neither size nor digest, and most of them are not read.

    Raises:
        DocumentError: it cannot be read, or holds more than is allowed.
    """
    walk = Walk(Budget(limits, size, tick), Namer(), digests)
    yield from walk.list_members(file, path, Member(""), 1)


def read_members(
    file: BinaryIO, path: str, size: int, wanted: Collection[str], limits: LimitOptions, tick: Tick
) -> Iterator[tuple[str, BinaryIO]]:
    """Yield locator and bytes of the members that are wanted, by their locators; each is read before the next is asked for.

    Raises:
        DocumentError: the container cannot be read, or one of them.
    """
    yield from _read_wanted(file, path, "", wanted, Budget(limits, size, tick))


class Walk(NamedTuple):
    """A walk through a container and those in it, with one budget and one set of names."""

    budget: Budget
    namer: Namer
    digests: bool

    def list_members(self, file: BinaryIO, path: str, outer: Member, depth: int) -> Iterator[Member]:
        """Yield the members of the container `outer`, `depth` containers deep."""
        for entry in _list_entries(file, path, self.budget):
            self.budget.count_member()
            inner = make_member_path(entry.name)
            if not inner or is_hidden_member(inner):
                continue
            locator = f"{outer.locator}/{entry.locator}" if outer.locator else entry.locator
            member = Member(self.namer.name(f"{outer.path}/{inner}" if outer.path else inner), locator=locator)
            is_named = media_type_of(inner) or holds_documents(inner)
            if entry.left_out or not (is_named or (lacks_suffix(inner) and not entry.refused)):
                yield member._replace(left_out=entry.left_out)
            elif entry.refused:
                yield member._replace(refused=entry.refused, remedy=entry.remedy)
            else:
                yield from self._read_member(entry, member, depth)

    def _read_member(self, entry: Entry, member: Member, depth: int) -> Iterator[Member]:
        """Yield a member with its digest if it is a document, and the members in it."""
        try:
            if not holds_documents(member.path):
                yield self._digest(entry, member)
                return
            with entry.open() as source:
                read = self.budget.read_nested(source)
            if depth >= self.budget.depth:
                message = f"it lies more than {self.budget.depth} deep in archives and mails"
                raise refusal(DocumentError, message, "raise limits.container_depth, unpack it, or exclude it")
            inner = list(self.list_members(read, member.path, member, depth + 1))
        except DocumentError as error:
            if self.budget.is_exhausted:
                raise
            yield _refuse(member, error)
        except DAMAGED as error:
            yield _refuse(member, refuse_member(error))
        else:
            if media_type_of(member.path):
                yield member._replace(size=read.getbuffer().nbytes, sha256=hashlib.sha256(read.getbuffer()).hexdigest())
            yield from inner

    def _digest(self, entry: Entry, member: Member) -> Member:
        if not self.digests:
            return member
        with entry.open() as source:
            start = source.read(START_BYTES)
            if lacks_suffix(member.path):
                member = member._replace(media_type=media_type_by_start(start) or "")
                if not member.media_type:
                    return member
            made, size = hashlib.sha256(start), len(start)
            for part in iter(lambda: source.read(PART_BYTES), b""):
                made.update(part)
                size += len(part)
        return member._replace(size=size, sha256=made.hexdigest())


def _refuse(member: Member, error: DocumentError) -> Member:
    return member._replace(refused=str(error), remedy=" ".join(getattr(error, "__notes__", ())))


def _list_entries(file: BinaryIO, path: str, budget: Budget, only: Collection[str] | None = None) -> Iterator[Entry]:
    """Yield the entries of a container of the kind that its first bytes tell, or else its name; at least those of `only`."""
    if media_type_of(path) in MAILS:
        return list_mail_entries(file)
    start = file.read(_SNIFFED)
    file.seek(0)
    kind = _container_type_by_start(start) or container_type_of(path)
    if kind == media_types.MBOX:
        return list_mbox_entries(file, only)
    if kind == media_types.ZIP:
        return list_zip_entries(file, budget)
    return list_tar_entries(file, budget, packed=kind == media_types.TAR_GZ)


def _container_type_by_start(start: bytes) -> str | None:
    """Return the media type of a container by its first bytes; None if these do not tell."""
    if start.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return media_types.ZIP
    if start.startswith(b"From "):
        return media_types.MBOX
    if start.startswith(b"\x1f\x8b"):
        return media_types.TAR_GZ
    return media_types.TAR if start[_TAR_MARK] == b"ustar" else None


def _read_wanted(
    file: BinaryIO, path: str, locator: str, wanted: Collection[str], budget: Budget
) -> Iterator[tuple[str, BinaryIO]]:
    rests: dict[str, list[str]] = {}
    for one in wanted:
        head, _, rest = one.partition("/")
        rests.setdefault(head, []).append(rest)
    for entry in _list_entries(file, path, budget, rests):
        budget.count_member()
        here = rests.get(entry.locator)
        if here is None:
            continue
        try:
            with entry.open() as source:
                if here == [""]:
                    yield locator + entry.locator, source
                    continue
                read = budget.read_nested(source)
        except DAMAGED as error:
            raise refuse_member(error) from error
        if "" in here:
            yield locator + entry.locator, io.BytesIO(read.getbuffer())
        inner = [rest for rest in here if rest]
        yield from _read_wanted(read, make_member_path(entry.name), f"{locator}{entry.locator}/", inner, budget)
