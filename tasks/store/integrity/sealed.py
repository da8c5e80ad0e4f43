"""Sealed JSON: a file whose first line is the SHA-256 of the rest, so that damage to the file itself is seen."""

import hashlib
import json
from pathlib import Path
from typing import Any

from tasks.store import files
from tasks.store.objects.place import StorePath


def write_sealed(path: Path, value: Any) -> None:
    """Write `value` as sealed JSON, at once, and bring it to the disk. In a folder it can be read by who can read the folder.

    Raises:
        WriteError: it cannot be written.
    """
    content = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    files.put(path, hashlib.sha256(content).hexdigest().encode() + b"\n" + content)
    if not isinstance(path, StorePath):
        path.chmod(path.parent.stat().st_mode & 0o666)
    files.sync(path)
    files.sync(path.parent)


def read_sealed(path: Path) -> Any | None:
    """Return the value of a sealed file, or None if it is damaged.

    Raises:
        FileNotFoundError: there is no such file.
    """
    seal, _, content = path.read_bytes().partition(b"\n")
    return json.loads(content) if seal == hashlib.sha256(content).hexdigest().encode() else None
