"""A PostgreSQL of its own: in a folder that goes with it, on loopback, as a user without rights."""

import os
import secrets
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

USER = "postgres"
"""Whom Debian's package makes: PostgreSQL refuses to run as root."""


def programs() -> Path | None:
    """Return the folder of PostgreSQL's programs, the newest of those that are installed, or None."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return found[-1].parent if found else None


@contextmanager
def postgres(password: str = "") -> Iterator[str]:
    """Start one; yield the address of an empty database as SQLAlchemy writes it, with the password in it; stop it at the end.

    Raises:
        SystemExit: it is not installed.
    """
    places = programs()
    if places is None:
        raise SystemExit("PostgreSQL is missing: apt-get install postgresql")
    folder, password = Path(tempfile.mkdtemp()), password or secrets.token_hex(16)
    owner = USER if os.geteuid() == 0 else None
    (folder / "password").write_text(password)
    if owner:
        shutil.chown(folder, owner)
        shutil.chown(folder / "password", owner)
    port = _free_port()
    start: list[Path | str] = [places / "pg_ctl", "start", "--wait", "--silent", "-D", folder / "data", "-l", folder / "log"]
    settings = f"-c listen_addresses=127.0.0.1 -p {port} -k {folder}"
    steps: tuple[list[Path | str], ...] = (
        [places / "initdb", "-D", folder / "data", "-U", "prefect", "-A", "scram-sha-256", f"--pwfile={folder / 'password'}"],
        [*start, "-o", settings],
        [places / "createdb", "-h", "127.0.0.1", "-p", str(port), "-U", "prefect", "prefect"],
    )
    try:
        for step in steps:
            _run(step, owner, folder, {"PGPASSWORD": password} if step is steps[-1] else {})
        yield f"postgresql+asyncpg://prefect:{password}@127.0.0.1:{port}/prefect"
    finally:
        if (folder / "data/postmaster.pid").exists():
            _run([places / "pg_ctl", "stop", "--mode=fast", "-D", folder / "data"], owner, folder, {})
        shutil.rmtree(folder)


def _run(command: list[Path | str], owner: str | None, folder: Path, more: dict[str, str]) -> None:
    subprocess.run(command, check=True, user=owner, cwd=folder, env={**os.environ, **more}, stdout=subprocess.DEVNULL)


def _free_port() -> int:
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        port: int = asked.getsockname()[1]
        return port
