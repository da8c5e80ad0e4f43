import pytest

from tests.supply import licences
from tests.supply.licences import NVIDIA, is_known, licence_of, stated


def test_every_package_has_a_licence_that_may_be_combined_with_ours() -> None:
    unknown = {name: licence_of(name) for name in licences.pinned() if not is_known(licence_of(name))}
    assert {name for name, licence in unknown.items() if licence != NVIDIA} == set(), "look them up: tests/supply/licences.py"


def test_every_licence_is_listed() -> None:
    assert licences.PAGE.read_text() == licences.page(), "run: python -m tests.supply.licences"


@pytest.mark.parametrize(
    ("licence", "told"),
    [
        ("MIT", "MIT"),
        ("MPL-2.0 AND (Apache-2.0 OR MIT)", "MPL-2.0 AND (Apache-2.0 OR MIT)"),
        ("SSPL-1.0", ""),
        ("MIT AND BUSL-1.1", ""),
        ("Proprietary OR MIT", "Proprietary OR MIT"),
        ("", ""),
    ],
)
def test_a_licence_that_nobody_has_looked_at_is_not_taken(licence: str, told: str) -> None:
    assert stated(licence, []) == told


def test_classifiers_count_if_each_of_them_is_known() -> None:
    osi = "License :: OSI Approved :: "
    assert stated("see LICENSE", [f"{osi}MIT License", f"{osi}BSD License"]) == "BSD-3-Clause AND MIT"
    assert stated("see LICENSE", [f"{osi}MIT License", f"{osi}Sleepycat License"]) == ""
