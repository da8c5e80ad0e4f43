"""Packages of Debian as data: fetched by name, unpacked into the benchmarks' cache, never installed."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from benchmarks.report import cache_folder


def unpack_package(name: str) -> Path:
    """Return the folder with the files of a package of Debian, fetched unless it is there.

    Raises:
        SystemExit: this machine has no apt-get, or it does not know the package.
    """
    folder = cache_folder() / "debian" / name
    if folder.exists():
        return folder
    if not shutil.which("apt-get"):
        raise SystemExit("packages are fetched by apt-get: run this on Debian or Ubuntu")
    with tempfile.TemporaryDirectory(dir=cache_folder()) as scratch:
        fetched = subprocess.run(["apt-get", "download", "-q", name], cwd=scratch, capture_output=True, text=True, check=False)
        found = list(Path(scratch).glob("*.deb"))
        if fetched.returncode or not found:
            raise SystemExit(f"apt-get cannot fetch {name}: {fetched.stderr.strip()}: run apt-get update first")
        subprocess.run(["dpkg-deb", "-x", str(found[0]), f"{scratch}/files"], check=True)
        folder.parent.mkdir(parents=True, exist_ok=True)
        try:
            os.rename(f"{scratch}/files", folder)
        except OSError:
            if not folder.exists():  # else another process was faster
                raise
    return folder
