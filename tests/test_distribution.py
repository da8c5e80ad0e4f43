import re
from pathlib import Path

from tests.distribution import LONGEST, TOGETHER, place_of, unit_of

ROOT = Path(__file__).parents[1]
SHARING = re.compile(r"\b(bucket: Path|prefect_api|prefect_refresh|deployed: Deployed|forks: Forks)\b")


def test_what_is_named_exists() -> None:
    named = [place for places in TOGETHER.values() for place in places] + [unit for unit in LONGEST if unit not in TOGETHER]
    assert [place for place in named if not (ROOT / place).exists()] == []
    assert len(set(named)) == len(named) and len(set(LONGEST)) == len(LONGEST)


def test_tests_that_share_a_server_or_a_process_that_forks_run_in_one_process() -> None:
    files = {str(path.relative_to(ROOT)): path.read_text() for path in (ROOT / "tests").rglob("test_*.py")}
    sharing = {unit_of(path) for path, text in files.items() if SHARING.search(text) and path != "tests/test_distribution.py"}
    assert sharing == set(TOGETHER)


def test_long_units_come_first_and_the_rest_as_it_was_collected() -> None:
    longest, others = f"{LONGEST[-1]}::test_one", ["tests/b.py::test_two", "tests/a.py::test_one"]
    assert sorted([*others, longest], key=place_of) == [longest, *others]
    assert unit_of("tests/soak/kills/test_kills.py::test_one[tests/flows/test_ui.py]") == "nights"
