import random
import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.pii.texts import CHECKED, draw_harmless, draw_texts
from schemas.errors import InputError
from schemas.options.pii import KINDS
from tasks.pii import recognisers
from tasks.pii.context import Context
from tasks.pii.recognisers import BUILT_IN, Match, find_by_pattern, find_matches


def found_in(text: str) -> dict[str, str]:
    return {text[one.start : one.end]: one.kind for one in find_matches(text, BUILT_IN)}


def test_every_kind_of_the_options_has_a_recogniser_but_names() -> None:
    assert {*BUILT_IN} == {*KINDS} - {"name"}


def test_drawn_values_are_found_with_their_spans() -> None:
    drawn = [*draw_texts(60, seed=7)]
    lost = [one for text in drawn for one in text.truth - {*find_matches(text.text, BUILT_IN)}]
    assert len(lost) <= 0.02 * sum(len(text.truth) for text in drawn), lost


def test_few_numbers_that_are_none_are_taken_for_personal_data() -> None:
    rng = random.Random(3)
    taken = [found for _ in range(400) if (found := found_in(draw_harmless(rng, "en")))]
    assert len(taken) <= 8, taken
    assert not [kind for one in taken for kind in one.values() if kind not in CHECKED]


@given(st.text(alphabet=st.sampled_from("0123456789 +-.@aZ:|\n()/"), max_size=80))
def test_matches_are_in_order_and_apart(text: str) -> None:
    matches = find_matches(text, BUILT_IN)
    assert all(0 <= one.start < one.end <= len(text) for one in matches)
    assert all(one.end <= other.start for one, other in pairwise(matches))


def test_a_column_says_what_its_numbers_are() -> None:
    table = "| Name | Date of birth | Phone |\n| --- | --- | --- |\n| Ada | 10.12.1985 | 030/90182000 |"
    assert found_in(table) == {"10.12.1985": "birth_date", "030/90182000": "phone"}
    assert found_in(table.replace("Date of birth", "Delivered").replace("Phone", "Amount")) == {}


def test_a_value_is_found_across_a_line_break() -> None:
    assert found_in("IBAN GB29 NWBK 6016\n1331 9268 19, or 4111 1111\n1111 1111.") == {
        "GB29 NWBK 6016\n1331 9268 19": "iban",
        "4111 1111\n1111 1111": "card",
    }
    assert found_in("write to ada@\nexample.org") == {"ada@\nexample.org": "email"}


def test_the_earlier_kind_takes_what_two_would() -> None:
    kinds = {"b": lambda _: [(2, 9)], "a": lambda _: [(0, 3), (8, 12), (12, 14)]}
    assert find_matches("x" * 20, kinds) == [Match(2, 9, "b"), Match(12, 14, "a")]


def test_a_pattern_that_takes_forever_is_stopped_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recognisers, "PATTERN_SECONDS", 0.1)
    began = time.process_time()
    with pytest.raises(InputError, match=r"pii\.patterns\.slow took more than 0\.1 s"):
        find_by_pattern("slow", r"(a|aa)+$", Context("a" * 60 + "b"))
    assert time.process_time() - began < 5
