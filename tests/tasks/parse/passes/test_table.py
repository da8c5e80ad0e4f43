"""The table of passes."""

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.parse.layout.page_model import PageModel, Source
from tasks.parse.layout.regions import Region, Remark
from tasks.parse.layout.words import Word
from tasks.parse.passes.document import DOCUMENT_PASSES
from tasks.parse.passes.model import measured
from tasks.parse.passes.runner import place_of
from tasks.parse.passes.table import PASSES, classify_regions, place_regions
from tests.tasks.parse.layout.test_regions import PAGE, pages


def test_passes_have_names_of_their_own() -> None:
    assert len({one.name for one in PASSES}) == len(PASSES)


def test_the_function_of_every_pass_can_be_found() -> None:
    lines = {name: Path(name).read_text().splitlines() for name in map(str, Path("tasks/parse").rglob("*.py"))}
    for one in (*PASSES, *DOCUMENT_PASSES):
        places = [place.split(":") for place in place_of(one.correct).split(", ")]
        assert all(lines[name][int(number) - 1].startswith("def ") for name, number in places), one.name


@settings(max_examples=60)
@given(pages(), st.sets(st.sampled_from([one.name for one in PASSES])), st.sampled_from([Source.DIGITAL, Source.SCAN]))
def test_whatever_is_left_out_every_word_is_in_one_region_that_says_where_it_comes_from(
    page: tuple[list[Word], list[Region]], without: set[str], source: Source
) -> None:
    words, regions = page
    model = measured(PageModel(PAGE, source, words, regions, judge=lambda rows: (rows[:, :1] > 1) * 1.0))
    remarks: list[Remark] = []
    found = classify_regions(model, place_regions(model, without, remarks), without, remarks)
    assert found == classify_regions(model, place_regions(model, without), without)
    assert {remark.by for remark in remarks} <= {one.name for one in PASSES if one.needed or one.name not in without}
    assert sorted(word.text for region in found for word in region.words) == sorted(word.text for word in words)
    assert all(region.changes for region in found)
    assert len({region.number for region in found}) == len(found)
    acted = {change.by for region in found for change in region.changes}
    assert not acted & without & {one.name for one in PASSES if not one.needed}
