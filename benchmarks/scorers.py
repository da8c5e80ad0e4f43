"""The scorers of the benchmark kit, run in the peers' environment."""

import json
import subprocess
import tempfile
from pathlib import Path


def means_of(python: str, scorer: Path, predictions: Path, data: Path | None = None) -> dict[str, float | None]:
    """Return the means that a scorer of the kit finds; `data` holds a `truth/` other than its own.

    Raises:
        SystemExit: the scorer failed.
    """
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        where = ["--data", str(data)] if data else []
        command = [python, str(scorer), str(predictions), "--json", str(report), *where]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        if run.returncode:
            raise SystemExit(f"{' '.join(command)} failed:\n{run.stderr}")
        means: dict[str, float | None] = json.loads(report.read_text())["means"]
        return means
