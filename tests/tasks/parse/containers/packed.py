"""Archives made in memory."""

import gzip
import io
import tarfile
import warnings
import zipfile
from collections.abc import Iterable

Files = Iterable[tuple[str, bytes]]
MTIME = (2024, 1, 2, 3, 4, 6)


def make_zip(files: Files, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    made = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(made, "w", method) as archive:
        warnings.simplefilter("ignore", UserWarning)  # two members of one name
        for name, data in files:
            archive.writestr(zipfile.ZipInfo(name, MTIME), data, method)
    return made.getvalue()


def make_tar(files: Files) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, data in files:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return made.getvalue()


def make_tar_gz(files: Files) -> bytes:
    return gzip.compress(make_tar(files), mtime=0)


def encrypt(archive: bytes) -> bytes:
    """Mark every member of a ZIP archive as encrypted, as its headers say it; the bytes stay."""
    data = bytearray(archive)
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.find(mark)
        while at >= 0:
            data[at + offset] |= 1
            at = data.find(mark, at + 4)
    return bytes(data)
