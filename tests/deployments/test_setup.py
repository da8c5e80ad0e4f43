import shutil
import subprocess
from pathlib import Path

import pytest


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project of its own with nothing set up in it."""
    (tmp_path / "deployments").mkdir()
    for name in ("pyproject.toml", "constraints.txt", "deployments/setup.sh"):
        shutil.copy(name, tmp_path / name)
    return tmp_path


def set_up(project: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    script = project / "deployments/setup.sh"
    return subprocess.run([script], env={"PATH": "/usr/bin:/bin", **environment}, text=True, capture_output=True, check=False)


def pretend(path: Path, script: str) -> Path:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def test_an_old_python_is_refused_with_what_to_do(project: Path) -> None:
    old = pretend(project / "python3.9", '[ "$1" = --version ] && echo Python 3.9.2 || exit 1')
    done = set_up(project, PYTHON=str(old))
    assert done.returncode != 0
    assert "needs Python 3.11, 3.12 or 3.13, found Python 3.9.2" in done.stderr
    assert "make PYTHON=" in done.stderr
    assert not (project / ".venv").exists()


def test_what_is_set_up_is_not_set_up_again(project: Path) -> None:
    if shutil.which("tesseract", path="/usr/bin:/bin") is None:
        pytest.skip("Tesseract lies elsewhere")
    fake_venv(project)
    assert set_up(project).returncode == 0
    assert not (project / ".run").exists()


def test_another_python_is_set_up_anew(project: Path) -> None:
    fake_venv(project)
    assert "found no Python" in set_up(project, PYTHON="/nowhere/python").stderr


def test_another_pyproject_is_set_up_anew(project: Path) -> None:
    fake_venv(project)
    (project / "constraints.txt").write_text("")
    with (project / "pyproject.toml").open("a") as content:
        content.write("# another line\n")
    done = set_up(project, PYTHON=str(project / ".venv/bin/python"), PIP_NO_INDEX="1")
    assert done.returncode != 0
    assert "installing Python packages" in done.stderr
    assert (project / ".venv/.unfinished").exists()


@pytest.mark.skipif(shutil.which("tesseract", path="/usr/bin:/bin") is None, reason="Tesseract lies elsewhere")
def test_with_a_browser_comes_the_library_that_its_driver_loads(project: Path) -> None:
    fake_venv(project)
    bin_ = project / "bin"
    bin_.mkdir()
    pretend(project / ".venv/bin/python", 'case "$2" in *libatomic*) exit 1;; esac')
    pretend(bin_ / "chromium", "exit 0")
    pretend(bin_ / "id", "echo 0")
    pretend(bin_ / "apt-get", f'echo "$@" >{project}/asked')
    done = set_up(project, WITH_BROWSER="1", PATH=f"{bin_}:/usr/bin:/bin")
    assert done.returncode == 0, done.stderr
    assert (project / "asked").read_text().endswith("install --no-install-recommends chromium libatomic1 strace\n")


def fake_venv(project: Path) -> None:
    """An environment whose stamp says that it was made from what is there."""
    (project / ".venv/bin").mkdir(parents=True)
    pretend(project / ".venv/bin/python", '[ "$1" = -c ]')
    content = f"{project}\n".encode() + b"".join(
        (project / name).read_bytes() for name in ("pyproject.toml", "constraints.txt", "deployments/setup.sh")
    )
    stamp = subprocess.run(["sha256sum"], input=content, capture_output=True, check=True).stdout.split()[0]
    (project / ".venv/.set-up").write_bytes(stamp + b"\n")
