"""Sharing: who may read and write what a corpus holds, which the mode of its folder says."""

import stat
from pathlib import Path

from schemas.corpus import PRIVATE
from schemas.errors import CorpusError

OWN, OWN_FILE = 0o700, 0o600
"""The modes of folders and files that are this user's alone, which is how temporary ones are made."""
SHARED = stat.S_ISGID | stat.S_IWGRP
"""What a folder has whose files are its group's: new ones get the group, and its members may write."""
STATUS = Path("/proc/self/status")


def choose_folder_mode(path: Path) -> int:
    """Return the mode of a new folder at `path`: that of its corpus, or outside of corpora for this user alone."""
    corpus = next((parent.parent for parent in path.parents if parent.name == PRIVATE), None)
    return stat.S_IMODE(corpus.stat().st_mode) if corpus else OWN


def choose_file_mode(path: Path) -> int:
    """Return the mode of a new file at `path`: readable and writable for whom its corpus's folder is."""
    return choose_folder_mode(path) & 0o666


def is_shared(folder: Path) -> bool:
    """Return whether there is a folder whose files are its group's."""
    return folder.exists() and folder.stat().st_mode & SHARED == SHARED


def check_umask(folder: Path) -> None:
    """Make sure that what libraries write in a corpus can be changed by its group, if it is shared: they obey the umask.

    Raises:
        CorpusError: it could not; says what to do.
    """
    if is_shared(folder) and (found := read_umask()) & stat.S_IRWXG:
        raise CorpusError(
            f"{folder} is shared with its group, but the umask {found:04o} would make files there that its members cannot "
            "change: run `umask 0007` first (in a service, UMask=0007), or end the sharing with chmod g-s"
        )


def read_umask() -> int:
    """Return the umask of this process; nothing where the system does not tell: to ask otherwise is to change it for a moment."""
    said = STATUS.read_text() if STATUS.exists() else ""
    return next((int(line.split()[1], 8) for line in said.splitlines() if line.startswith("Umask:")), 0)
