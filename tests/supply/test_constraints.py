"""constraints.txt pins all that is installed, with hashes: set-up takes nothing else."""

import re
import tomllib
from importlib.metadata import requires
from pathlib import Path

from tests.supply.release import LOOSE

LOCK = Path("constraints.txt").read_text()
ENTRIES = re.split(r"\n(?=\S)", LOCK.partition("\n")[2].rstrip())
PROJECT = tomllib.loads(Path("pyproject.toml").read_text())["project"]


def name_of(requirement: str) -> str:
    return re.sub(r"[-_.]+", "-", re.split(r"[^A-Za-z0-9._-]", requirement)[0]).lower()


def test_every_package_is_pinned_to_a_version_and_its_hashes() -> None:
    entry = re.compile(r"[a-z0-9-]+==[^ ]+(?: ; [^\\]+)?(?: \\\n    --hash=sha256:[0-9a-f]{64})+")
    assert [one for one in ENTRIES if not entry.fullmatch(one)] == []


def test_what_the_project_needs_is_pinned_torch_included() -> None:
    pinned = {name_of(one) for one in ENTRIES}
    extras = [one for extra, listed in PROJECT["optional-dependencies"].items() if extra not in LOOSE for one in listed]
    asked = {name_of(one) for one in [*PROJECT["dependencies"], *extras]}
    assert asked - pinned == set()
    assert {name_of(one) for one in requires("torch") or () if "extra ==" not in one} <= pinned
