"""The file of tokens, which tell who asks. It is read again as soon as it changes, and nobody is known while it is wrong."""

import hashlib
import json
import logging
import os
import secrets
import stat
import threading
from datetime import UTC, date, datetime
from pathlib import Path

from schemas.access import Principal
from schemas.errors import InputError
from tasks.serve.access import Refusal, TokenHolder, parse_token_lines
from tasks.store.files import write_atomically

TOKEN_BYTES = 32
OTHERS = stat.S_IRWXG | stat.S_IRWXO
UNREADABLE = Refusal(503, "the server cannot tell now whose token this is: its log says why")

logger = logging.getLogger(__name__)


def add_token(path: Path, groups: list[str], expires: date, name: str) -> str:
    """Add a token to a file, which is made for this user alone if it is new; return the token, which is kept nowhere.

    Raises:
        InputError: a group cannot be had, or the file is wrong, or others may read it, or it cannot be written.
    """
    token = secrets.token_urlsafe(TOKEN_BYTES)
    made = {"sha256": _digest(token), "groups": sorted(Principal(groups).groups), "expires": expires.isoformat()}
    try:
        path.touch(0o600)
        TokenFile(path)
        before = path.read_text()
        line = json.dumps({**made, "name": name} if name else made, ensure_ascii=False)
        write_atomically(path, f"{before}{'' if before.endswith(chr(10)) or not before else chr(10)}{line}\n".encode())
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}: name another file") from error
    return token


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


class TokenFile:
    """The holders of tokens. Threads may share it."""

    def __init__(self, path: Path) -> None:
        """Raises InputError: the file is wrong, or others than this user may read or change it."""
        self._path, self._lock, self._problem = path, threading.Lock(), ""
        self._seen, self._holders = self._read()

    def find_principal(self, token: str) -> Principal | Refusal:
        """Return who a token stands for, or why it is refused."""
        with self._lock:
            try:
                if self._seen != _identify(self._path):
                    self._seen, self._holders = self._read()
            except (InputError, OSError) as error:
                self._log_once(str(error))
                self._seen = None
                return UNREADABLE
            self._problem = ""
            holder = self._holders.get(_digest(token))
        if holder is None:
            return Refusal(401, "this token is none of the server's: ask who runs it for one")
        if holder.expires <= datetime.now(UTC):
            return Refusal(401, f"this token expired on {holder.expires:%Y-%m-%d}: ask who runs the server for a new one")
        return holder.principal

    def _log_once(self, problem: str) -> None:
        """Log a problem, but not again for each request."""
        if problem != self._problem:
            logger.warning("nobody is let in by the file of tokens: %s", problem)
        self._problem = problem

    def _read(self) -> tuple[tuple[int, ...] | None, dict[str, TokenHolder]]:
        try:
            with self._path.open("rb") as opened:
                found = os.fstat(opened.fileno())
                if found.st_mode & OTHERS or found.st_uid not in (os.geteuid(), 0):
                    raise InputError(f"{self._path} can be read or changed by others: chmod 600 it, and own it")
                content = opened.read().decode()
        except UnicodeDecodeError as error:
            raise InputError(f"{self._path} is not UTF-8: write it anew by pagemill access token") from error
        except OSError as error:
            raise InputError(f"{self._path} cannot be read: {error.strerror}: name a file by pagemill access token") from error
        return _identify(self._path), parse_token_lines(content, str(self._path))


def _identify(path: Path) -> tuple[int, ...]:
    """Return what changes when a file does."""
    found = path.stat()
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_mode, found.st_uid
