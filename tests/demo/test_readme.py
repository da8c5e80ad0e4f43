"""README shows what the demo prints."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

HOME = Path(__file__).parents[2]
MEASURED = re.compile(r"\d+\.\d+")
"""Seconds and scores, which differ by machine."""


def lines(text: str) -> list[str]:
    return [MEASURED.sub("…", line.rstrip()) for line in text.splitlines()]


@pytest.mark.slow
def test_the_readme_shows_what_the_demo_prints(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(HOME)}
    done = subprocess.run([sys.executable, "-m", "demo.run"], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    shown = next(block for block in (HOME / "README.md").read_text().split("```") if "$ pagemill refresh" in block)
    printed = iter(lines(done.stdout))
    missing = [line for line in lines(shown.strip()) if line not in printed]  # `in` takes what it passed from an iterator
    assert missing == []
