"""What must agree before a release: version, changelog and lock. Run as a program, it prints the version, or what differs."""

import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

LOOSE = ("others", "test-sources", "train")
"""Extras that set-up does not install, and the lock does not hold."""


def version_of(project: str) -> str:
    """Return the version in the text of pyproject.toml."""
    found: str = tomllib.loads(project)["project"]["version"]
    return found


def find_problems(project: str, changelog: str, lock: str, installed: str) -> list[str]:
    """Return why the texts of pyproject.toml, CHANGELOG.md and constraints.txt, and the installed version, make no release."""
    wanted = version_of(project)
    heading = next(iter(re.findall(r"^## (.+)$", changelog, re.MULTILINE)), "")
    found = []
    if not re.fullmatch(rf"\[{re.escape(wanted)}\] - \d{{4}}-\d\d-\d\d", heading):
        found.append(f"CHANGELOG.md: the newest heading is {heading!r}: write ## [{wanted}] - YEAR-MONTH-DAY")
    if installed != wanted:
        found.append(f"pagemill --version is {installed}, pyproject.toml has {wanted}: run make setup")
    return found + list(_unlocked(tomllib.loads(project)["project"], lock))


def _unlocked(project: dict[str, Any], lock: str) -> Iterator[str]:
    """Yield the requirements that the lock does not fulfil."""
    pins = dict(re.findall(r"^([a-z0-9-]+)==([^ ;\\]+)", lock, re.MULTILINE))
    extras = [one for name, listed in project["optional-dependencies"].items() if name not in LOOSE for one in listed]
    for line in [*project["dependencies"], *extras]:
        requirement = Requirement(line)
        pin = pins.get(canonicalize_name(requirement.name))
        if pin is None or not requirement.specifier.contains(pin):
            yield f"constraints.txt: {line} is {f'pinned to {pin}' if pin else 'not pinned'}: run make constraints"


if __name__ == "__main__":
    texts = [Path(name).read_text("utf-8") for name in ("pyproject.toml", "CHANGELOG.md", "constraints.txt")]
    if found := find_problems(texts[0], texts[1], texts[2], version("pagemill")):
        sys.exit("\n".join(found))
    sys.stdout.write(f"{version_of(texts[0])}\n")
