"""Places in an object store, with the ways of pathlib, so that a corpus is read and written alike in a folder and in a bucket."""

import io
import os
import re
import stat
from collections.abc import Generator
from fnmatch import fnmatchcase
from pathlib import Path, PosixPath
from typing import Any

from schemas.corpus import is_in_store, place_of
from schemas.errors import InputError
from tasks.store.objects import client
from tasks.store.objects.client import ObjectInfo

SCHEME = "s3"
BUCKET = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")
EMPTY_PARTS = ("", ".", "..")


class StorePath(PosixPath):
    """An object, or the prefix of some, which counts as a folder while there is one: such folders need not be made.

    What a store cannot do, and what would be done to a local file of that name, raises TypeError.
    """

    _found: ObjectInfo | None = None

    def __str__(self) -> str:
        """Return the URI."""
        return f"{SCHEME}://{'/'.join(self.parts[1:])}"

    def __fspath__(self) -> str:
        raise TypeError(f"{self} is no file of this machine")

    @property
    def bucket(self) -> str:
        """The name of its bucket."""
        return self.parts[1]

    @property
    def key(self) -> str:
        """Its key in the bucket; blank for the bucket itself."""
        return "/".join(self.parts[2:])

    @property
    def etag(self) -> str:
        """The ETag of an object that was listed; blank if it was not."""
        return self._found.etag if self._found else ""

    def exists(self, **_: object) -> bool:
        """Return whether there is an object of this key, or below it."""
        return self.is_file() or self.is_dir()

    def is_file(self, **_: object) -> bool:
        """Return whether there is an object of this key."""
        return self._read_info() is not None

    def is_dir(self, **_: object) -> bool:
        """Return whether there is an object below."""
        return self._found is None and any(True for found in client.list_objects(self.bucket, self.key) if found.key != self.key)

    def is_symlink(self) -> bool:
        """Return False: stores have no links."""
        return False

    def stat(self, **_: object) -> os.stat_result:
        """Return size and time of the object; both are 0 for a folder.

        Raises:
            FileNotFoundError: there is neither.
        """
        found = self._read_info()
        if found is None and not self.is_dir():
            raise FileNotFoundError(f"{self} does not exist")
        mode, size, mtime_ns = (stat.S_IFREG, found.size, found.mtime_ns) if found else (stat.S_IFDIR, 0, 0)
        seconds = mtime_ns // 10**9
        times: dict[str, Any] = {"st_mtime": mtime_ns / 1e9, "st_mtime_ns": mtime_ns}
        return os.stat_result((mode, 0, 0, 1, 0, 0, size, seconds, seconds, seconds), times)

    def _read_info(self) -> ObjectInfo | None:
        if self._found is None and not self.key:
            return None
        return self._found or client.read_object_info(self.bucket, self.key)

    def read_bytes(self) -> bytes:
        """Return the bytes of the object.

        Raises:
            FileNotFoundError: there is no such object.
        """
        return client.get_object(self.bucket, self.key)

    def read_text(self, encoding: str | None = None, errors: str | None = None, newline: str | None = None) -> str:
        """Return the text of the object; raises as `read_bytes`."""
        return self.read_bytes().decode(encoding or "utf-8", errors or "strict")

    def open(self, mode: str = "r", *_: object, **__: object) -> Any:
        """Return the bytes of the object as a file to read; raises as `read_bytes`."""
        if mode != "rb":
            raise TypeError(f"{self} can only be opened to read bytes")
        return io.BytesIO(self.read_bytes())

    def unlink(self, missing_ok: bool = False) -> None:
        """Delete the object. With `missing_ok`, it is not checked that it was there.

        Raises:
            FileNotFoundError: there is no such object.
        """
        if not missing_ok and self._read_info() is None:
            raise FileNotFoundError(f"{self} does not exist")
        client.delete_objects(self.bucket, [self.key])

    def mkdir(self, mode: int = 0o777, parents: bool = False, exist_ok: bool = False) -> None:
        """Do nothing: a folder is there with its first object."""

    def resolve(self, strict: bool = False) -> "StorePath":
        """Return itself: stores have no links."""
        return self

    absolute = resolve

    def iterdir(self) -> "Generator[StorePath, None, None]":
        """Yield what lies right below."""
        return self.glob("*")

    def rglob(self, pattern: str, **_: object) -> "Generator[StorePath, None, None]":
        """Yield the objects below, at any depth, whose name fits a pattern."""
        return (path for path in self.below() if fnmatchcase(path.name, pattern))

    def glob(self, pattern: str, **_: object) -> "Generator[StorePath, None, None]":
        """Yield the objects and folders below that fit a pattern, whose stars end at slashes."""
        parts = pattern.split("/")
        fixed = next((at for at, part in enumerate(parts) if "*" in part), len(parts))
        start, depth = self.joinpath(*parts[:fixed]), len(self.parts) + len(parts)
        seen: set[str] = set()
        for path in start.below():
            at = path if len(path.parts) == depth else StorePath(*path.parts[:depth])
            names = at.parts[len(self.parts) :]
            if len(path.parts) >= depth and at.key not in seen and all(map(fnmatchcase, names, parts)):
                seen.add(at.key)
                yield at

    def below(self) -> "Generator[StorePath, None, None]":
        """Yield all objects below, in order of their keys, with what the listing tells of them."""
        for found in client.list_objects(self.bucket, self.key):
            if found.key != self.key:
                path = StorePath(f"{SCHEME}:", self.bucket, found.key)
                path._found = found
                yield path


def as_object(path: Path) -> StorePath:
    """Return a path that lies in an object store.

    Raises:
        TypeError: it does not.
    """
    if not isinstance(path, StorePath):
        raise TypeError(f"{path} lies in no object store")
    return path


def place_in_bucket(path: Path) -> tuple[str, str]:
    """Return the bucket and the key of an object."""
    found = as_object(path)
    return found.bucket, found.key


def resolve_place(place: str, folder: str = "") -> str:
    """Return the one name of a folder or file, or of a place in a store, whatever it is called: absolute, without links and `..`.

    A path is relative to `folder`, as one in a file of options is, where ~ is the user's home; else to the working folder.

    Raises:
        InputError: it is a URI of another kind, or none.
    """
    if is_in_store(place):
        return str(place_of(place))
    return os.path.realpath(os.path.join(folder, os.path.expanduser(place)) if folder else place)


def parse_store_uri(uri: str) -> Path:
    """Return the place of a URI such as s3://bucket/corpus.

    Raises:
        InputError: the bucket or the rest is no name.
    """
    bucket, *parts = uri.removeprefix(f"{SCHEME}://").rstrip("/").split("/")
    if not BUCKET.fullmatch(bucket):
        raise InputError(f"{uri}: {bucket!r} is no bucket's name, which has 3 to 63 lower-case letters, digits, dots and dashes")
    if any(part in EMPTY_PARTS for part in parts):
        raise InputError(f"{uri}: a part of it is blank or made of dots only: name a prefix such as {SCHEME}://{bucket}/corpus")
    client.prepare_environment()
    return StorePath(f"{SCHEME}:", bucket, *parts)
