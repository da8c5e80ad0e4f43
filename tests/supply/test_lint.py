"""`pre-commit` runs what `make lint` runs."""

import re
import subprocess
from pathlib import Path

import yaml

HOOKS = yaml.safe_load(Path(".pre-commit-config.yaml").read_text("utf-8"))["repos"][0]["hooks"]


def test_a_commit_runs_what_make_lint_runs() -> None:
    recipe = re.search(r"^lint: .*\n((?:\t.*\n)+)", Path("Makefile").read_text("utf-8"), re.MULTILINE)
    assert recipe
    commands = [line.strip("\t@").replace("$(BIN)", ".venv/bin") for line in recipe[1].splitlines()]
    assert [hook["entry"] for hook in HOOKS] == commands
    done = subprocess.run([".venv/bin/pre-commit", "validate-config"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
