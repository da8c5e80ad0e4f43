import asyncio
from pathlib import Path

import pytest

from tests.browsers import chromium


def program(path: Path, script: str) -> Path:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def reason() -> str:
    with pytest.raises(pytest.skip.Exception) as skipped, chromium():
        pass
    return str(skipped.value)


def test_without_chromium_a_test_is_skipped_and_told_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert reason() == "chromium is not installed: run WITH_BROWSER=1 deployments/setup.sh"


def test_a_driver_that_lacks_a_library_skips_a_test_and_says_which(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "chromium", "exit 1")
    node = program(tmp_path / "node", "echo error while loading shared libraries: libatomic.so.1 >&2; exit 127")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setenv("PLAYWRIGHT_NODEJS_PATH", str(node))
    assert "Playwright's driver cannot start" in reason()
    asyncio.run(asyncio.sleep(0))  # nothing of it is left that disturbs the tests after this one


def test_a_chromium_that_cannot_start_skips_a_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "chromium", "echo no display >&2; exit 1")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert "chromium cannot start" in reason()
