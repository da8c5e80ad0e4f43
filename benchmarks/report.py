"""What a benchmark prints: lines, tables and bars; and where it finds its data."""

import argparse
import os
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path


def say(line: str) -> None:
    """Print a line at once."""
    print(line, flush=True)


def say_table(columns: Sequence[str], rows: Mapping[str, Sequence[float | None]], digits: int = 3) -> None:
    """Print a row for each name; None is a dash."""
    width = max(map(len, rows))
    wide = max(9, *(len(column) + 2 for column in columns))
    say("  " + " " * width + "".join(f"{column:>{wide}}" for column in columns))
    for name, values in rows.items():
        shown = ("-" if value is None else f"{value:.{digits}f}" for value in values)
        say(f"  {name:<{width}}" + "".join(f"{value:>{wide}}" for value in shown))


def say_bar(what: str, value: float, bar: float, at_most: bool = False) -> None:
    """Print a figure beside the value that it must reach, or must not exceed."""
    met = value <= bar if at_most else value >= bar
    say(f"  {what}: {value:.3f}, bar {'at most' if at_most else 'at least'} {bar:g}: {'met' if met else 'MISSED'}")


def processor() -> str:
    """Return the name of the processor, as Linux knows it, or else the machine's kind."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


def parts_to_run(about: str | None, parts: Sequence[str], default: Sequence[str] = ()) -> list[str]:
    """Return the parts of a benchmark that the command line names, or else those of `default`, or all."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    if parts:
        shown = f"of {', '.join(parts)}; by default {', '.join(default) or 'all'}"
        parser.add_argument("parts", nargs="*", metavar="PART", choices=[[], *parts], default=[], help=shown)
    given = parser.parse_args()
    return (given.parts if parts else []) or list(default or parts)


def kit_folder(*parts: str) -> Path:
    """Return the folder of the benchmark kit that PAGEMILL_BENCH names, which holds `parts`.

    Raises:
        SystemExit: it is not set, or is no such folder.
    """
    named = os.environ.get("PAGEMILL_BENCH", "")
    if not named:
        raise SystemExit("PAGEMILL_BENCH is not set: add PAGEMILL_BENCH=folder-of-benchmark-data to the call of make")
    missing = [part for part in parts if not (Path(named) / part).exists()]
    if missing:
        raise SystemExit(f"PAGEMILL_BENCH={named} holds no {', '.join(missing)}: name the folder of the benchmark kit")
    return Path(named).resolve()


def cache_folder() -> Path:
    """Return where benchmarks keep what they fetch: PAGEMILL_BENCH_CACHE, or a folder of the user's cache."""
    caches = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    folder = Path(os.environ.get("PAGEMILL_BENCH_CACHE") or Path(caches) / "pagemill-bench")
    folder.mkdir(parents=True, exist_ok=True)
    return folder.resolve()
