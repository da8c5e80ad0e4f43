"""What `make test-soak` runs: two halves at once, and a table of what was played."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

PARTS = 2


def start(part: int, folder: Path) -> subprocess.Popen[bytes]:
    """Start a part; it adds its figures to a file in the folder."""
    environment = {**os.environ, "NIGHTS_PART": f"{part}/{PARTS}", "NIGHTS_FIGURES": str(folder / f"{part}.jsonl")}
    options = [
        "-p",
        "no:cacheprovider",
        f"--basetemp={folder / f'files-{part}'}",
        "--capture=no",
        "-q",
        "-o",
        "tmp_path_retention_policy=none",
    ]
    return subprocess.Popen([sys.executable, "-m", "pytest", *options, "tests/soak/every_night.py"], env=environment)


def table(found: list[dict[str, Any]]) -> list[str]:
    """Return the lines of the table: kills of every command, and what was done in the nights."""
    commands = list(dict.fromkeys(row["command"] for row in found if "kills" in row))
    lines = [f"{'killed command':<16}{'writes':>8}{'kills':>8}{'differences':>13}"]
    for name in commands:
        rows = [row for row in found if "kills" in row and row["command"] == name]
        kills, differences = (sum(row[column] for row in rows) for column in ("kills", "differences"))
        lines.append(f"{name:<16}{rows[0]['writes']:>8}{kills:>8}{differences:>13}")
    nights: Counter[str] = sum((Counter(row["nights"]) for row in found if "nights" in row), Counter())
    nights["differences"] = sum(row["differences"] for row in found if "nights" in row)
    return [*lines, "", "nights", *(f"  {name:<30}{n:>8}" for name, n in nights.items())]


def main() -> int:
    """Run all parts; return 0 if there is no difference."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        codes = [process.wait() for process in [start(part, folder) for part in range(PARTS)]]
        lines = [line for path in sorted(folder.glob("*.jsonl")) for line in path.read_text().splitlines()]
    sys.stdout.write("\n".join([*table([json.loads(line) for line in lines]), ""]))
    sys.stdout.write(f"{(time.monotonic() - started) / 60:.0f} minutes\n")
    return int(any(codes))


if __name__ == "__main__":
    sys.exit(main())
