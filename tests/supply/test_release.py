"""Version, changelog and lock agree; what does not is named."""

from importlib.metadata import version
from pathlib import Path

import pytest

from tests.supply.release import find_problems, version_of

PROJECT, CHANGELOG, LOCK = (Path(name).read_text("utf-8") for name in ("pyproject.toml", "CHANGELOG.md", "constraints.txt"))
VERSION = version_of(PROJECT)


def test_the_installed_version_has_a_heading_in_the_changelog_and_the_lock_has_all_that_is_needed() -> None:
    assert find_problems(PROJECT, CHANGELOG, LOCK, version("pagemill")) == []


@pytest.mark.parametrize(
    ("project", "changelog", "lock", "installed", "problem"),
    [
        (PROJECT, CHANGELOG.replace("## [", "## [Unreleased]\n\n## [", 1), LOCK, VERSION, "newest heading is '[Unreleased]'"),
        (PROJECT, CHANGELOG, LOCK, "0.0.9", "pagemill --version is 0.0.9"),
        (PROJECT, CHANGELOG, LOCK.replace("\nprefect==", "\nprefect-other=="), VERSION, "prefect==3.8.8 is not pinned"),
        (PROJECT, CHANGELOG, LOCK.replace("\nhttpx==", "\nhttpx==0.1 #"), VERSION, "httpx>=0.28 is pinned to 0.1"),
    ],
)
def test_what_does_not_agree_is_named(project: str, changelog: str, lock: str, installed: str, problem: str) -> None:
    [found] = find_problems(project, changelog, lock, installed)
    assert problem in found


def test_the_changelog_tells_each_change_in_a_line_or_two() -> None:
    entries = CHANGELOG.split("\n- ")[1:]
    assert [entry for entry in entries if len(entry.partition("\n\n")[0].splitlines()) > 2] == []
