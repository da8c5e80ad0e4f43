"""Chromium for tests of pages. Without it, or where it cannot start, they are skipped, and say why."""

import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest


@contextmanager
def chromium() -> Iterator[Any]:
    """Yield a browser of Playwright, closed at the end."""
    api = pytest.importorskip("playwright.sync_api")
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("chromium is not installed: run WITH_BROWSER=1 deployments/setup.sh")
    with ExitStack() as opened:
        try:
            playwright = opened.enter_context(api.sync_playwright())
        except Exception as error:
            pytest.skip(f"Playwright's driver cannot start: {error}")
        yield opened.enter_context(_launched(playwright, program))


def _launched(playwright: Any, program: str) -> Any:
    root = ["--no-sandbox"] if os.geteuid() == 0 else []
    try:
        return playwright.chromium.launch(executable_path=program, args=root)
    except Exception as error:
        pytest.skip(f"{program} cannot start: {error}")
