"""The scorers of the benchmark kit, run in the peers' environment."""

import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any


def report_of(python: str, scorer: Path, predictions: Path, *options: str) -> Any:
    """Return what a scorer of the kit writes by `--json` of these predictions.

    Raises:
        SystemExit: the scorer failed.
    """
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [python, str(scorer), str(predictions), "--json", str(report), *options]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        if run.returncode:
            raise SystemExit(f"{' '.join(command)} failed:\n{run.stderr}")
        return json.loads(report.read_text())


def means_of(python: str, scorer: Path, predictions: Path, data: Path | None = None) -> dict[str, float | None]:
    """Return the means that a scorer of the kit finds; `data` holds a `truth/` other than its own.

    Raises:
        SystemExit: the scorer failed.
    """
    where = ["--data", str(data)] if data else []
    means: dict[str, float | None] = report_of(python, scorer, predictions, *where)["means"]
    return means
