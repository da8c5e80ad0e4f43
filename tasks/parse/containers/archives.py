"""Archives: the entries of ZIP and tar files, in their order. An entry is opened only if its bytes are wanted."""

import gzip
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import BinaryIO, NamedTuple, cast

from schemas.errors import DocumentError
from tasks.parse.containers.budget import PART_BYTES, Budget, CountedReader
from tasks.parse.rejections import refusal

DAMAGED = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    ValueError,
    NotImplementedError,
    OverflowError,
    IndexError,
    struct.error,
    RuntimeError,
)
"""What the readers of archives raise on damaged or hostile ones."""
COPY = "get a complete copy of it, or exclude it"
PASSWORD = "unpack it with its password and put the files into the source, or exclude it"
_BLOCK = 512
_ENCRYPTED, _UTF8 = 0x1, 0x800
_OFFICE = "[Content_Types].xml"


class Entry(NamedTuple):
    """A member of a container: the name that the container gives it, and `locator`, where it is found again in equal bytes.

    `refused` and `remedy` say why its bytes cannot be had, and what to do; `left_out` why it is no file.
    """

    name: str
    locator: str
    open: Callable[[], BinaryIO]
    refused: str = ""
    remedy: str = ""
    left_out: str = ""


def list_zip_entries(file: BinaryIO, budget: Budget) -> Iterator[Entry]:
    """Yield the files of a ZIP archive.

    Raises:
        DocumentError: it is damaged, encrypted as a whole, or an Office document.
    """
    try:
        archive = zipfile.ZipFile(file)
    except DAMAGED as error:
        raise _refuse_damaged("a ZIP archive", error) from error
    infos = [info for info in archive.infolist() if info.filename and not info.is_dir()]
    if any(info.filename == _OFFICE for info in infos):
        raise refusal(
            DocumentError, "the content is an Office document, not a ZIP archive", "give the file the suffix of its format"
        )
    if infos and all(info.flag_bits & _ENCRYPTED for info in infos):
        raise refusal(DocumentError, "the archive opens only with a password", PASSWORD)
    for at, info in enumerate(infos):
        encrypted = "it opens only with a password" if info.flag_bits & _ENCRYPTED else ""
        link = "a symbolic link" if (info.external_attr >> 28) == 0o12 else ""

        def open_info(info: zipfile.ZipInfo = info) -> BinaryIO:
            return cast(BinaryIO, CountedReader(cast(BinaryIO, archive.open(info)), budget))

        yield Entry(_decode_zip_name(info), str(at), open_info, encrypted, PASSWORD if encrypted else "", link)


def _decode_zip_name(info: zipfile.ZipInfo) -> str:
    """Return the name of a ZIP member. Without the mark of UTF-8 it should be CP437, but often is UTF-8 all the same."""
    if info.flag_bits & _UTF8:
        return info.filename
    try:
        return info.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return info.filename


def list_tar_entries(file: BinaryIO, budget: Budget, packed: bool) -> Iterator[Entry]:
    """Yield the files of a tar archive, which gzip has `packed` or not. Each is read, if at all, before the next is asked for.

    Raises:
        DocumentError: it is damaged or truncated.
    """
    counted = CountedReader(cast(BinaryIO, gzip.GzipFile(fileobj=file)) if packed else file, budget)
    end, at, sparse = 0, -1, False
    try:
        with tarfile.open(fileobj=cast(BinaryIO, counted), mode="r|") as archive:
            while info := archive.next():
                at, sparse = at + 1, sparse or info.issparse()
                end = info.offset_data + -(-(info.size if info.isreg() else 0) // _BLOCK) * _BLOCK
                if info.isdir():
                    continue
                left_out = "" if info.isreg() else "a link" if info.issym() or info.islnk() else "not a regular file"

                def open_info(info: tarfile.TarInfo = info) -> BinaryIO:
                    return cast(BinaryIO, archive.extractfile(info))

                yield Entry(info.name, str(at), open_info, left_out=left_out)
            ends_well = sparse or counted.read_again(end, _BLOCK) == bytes(_BLOCK)
            while counted.read(PART_BYTES):  # gzip checks its sum at its end
                pass
    except DocumentError:
        raise
    except DAMAGED as error:
        raise _refuse_damaged("a tar archive", error) from error
    if not ends_well:
        raise refusal(DocumentError, "the tar archive is damaged or truncated: it ends without its end mark", COPY)


def _refuse_damaged(what: str, error: Exception) -> DocumentError:
    return refusal(DocumentError, f"the file is not {what}, or is damaged or truncated ({_explain(error)})", COPY)


def _explain(error: Exception) -> str:
    return " ".join((str(error) or type(error).__name__).split())[:200]


def refuse_member(error: Exception) -> DocumentError:
    """Return the error of one member that cannot be read, from what a reader of archives raised."""
    if isinstance(error, NotImplementedError):
        return refusal(
            DocumentError,
            f"it is packed in a way that cannot be read ({_explain(error)})",
            "pack the archive anew, or exclude it",
        )
    return refusal(DocumentError, f"it is damaged in its archive ({_explain(error)})", COPY)
