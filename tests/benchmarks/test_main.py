"""`make bench NAME=…`, and the targets of the Makefile."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.__main__ import about, benchmarks, main

KNOWN = benchmarks()
MAKEFILE = Path("Makefile").read_text()


def make(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["make", *arguments], capture_output=True, text=True, check=False)


@pytest.mark.filterwarnings("ignore:.*found in sys.modules")  # where other tests have imported the module
@pytest.mark.parametrize("name", KNOWN)
def test_every_benchmark_says_what_it_measures_and_explains_its_arguments(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert about(KNOWN[name][0])
    monkeypatch.setattr(sys, "argv", [])
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])
    assert ended.value.code == 0 and capsys.readouterr().out.startswith("usage: ")


@pytest.mark.parametrize("arguments", [[], ["parse"]])
def test_a_missing_or_wrong_name_is_answered_with_all_there_are(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert [name for name in KNOWN if f"\n  {name} " not in str(caught.value)] == []


def test_the_name_of_a_benchmark_and_its_arguments_reach_it() -> None:
    shown = make("--dry-run", "bench", "NAME=parsing", "ARGS=quality --alone").stdout
    assert "-m benchmarks parsing quality --alone" in shown
    assert "-m benchmarks  \n" in make("--dry-run", "bench", "-e").stdout


def test_help_fits_a_screen_and_has_every_target() -> None:
    lines = make("help").stdout.splitlines()
    targets = re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE)
    assert [target for target in set(targets) if not any(f"make {target} " in line for line in lines)] == []
    assert len(lines) <= 30 and max(map(len, lines)) <= 130
