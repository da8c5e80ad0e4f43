"""The runner tells of every region which passes made it what it is, and leaves out what it is asked to."""

from collections.abc import Sequence
from dataclasses import replace

from tasks.parse.layout.geometry import union
from tasks.parse.layout.page_model import PageModel, Source
from tasks.parse.layout.regions import Change, Region, Remark
from tasks.parse.layout.words import Word
from tasks.parse.passes.runner import Pass, run_passes, seen_by

PAGE = PageModel((0, 0, 100, 100), Source.DIGITAL)
UPPER, LOWER = Region((0, 0, 50, 10), "heading"), Region((0, 20, 50, 30), "paragraph")


def as_captions(page: PageModel, regions: Sequence[Region]) -> list[Region]:
    return [replace(region, kind="caption") if region.kind == "heading" else region for region in regions]


def halves(page: PageModel, regions: Sequence[Region]) -> list[Region]:
    return [replace(region, box=(x, region.box[1], x + 25, region.box[3])) for region in regions for x in (0.0, 25.0)]


def joined(page: PageModel, regions: Sequence[Region]) -> list[Region]:
    return [replace(regions[0], box=union(region.box for region in regions))]


def tables(page: PageModel, regions: Sequence[Region]) -> list[Region]:
    return [Region(union(region.box for region in regions), "table")]


def run(*passes: Pass, without: Sequence[str] = ()) -> list[Region]:
    return run_passes(PAGE, seen_by("model", [UPPER, LOWER]), passes, without)


def test_a_region_tells_where_it_comes_from_and_what_each_pass_made_of_it() -> None:
    upper, lower = run(Pass("captions", as_captions), Pass("again", as_captions))
    assert upper.changes == (("model", "heading"), ("captions", "heading → caption"))
    assert lower.changes == (("model", "paragraph"),)


def test_parts_of_a_region_keep_its_story_and_get_numbers_of_their_own() -> None:
    found = run(Pass("captions", as_captions), Pass("halves", halves))
    assert [region.changes[-1] for region in found] == [Change("halves", f"part of {region.kind}") for region in found]
    assert found[0].changes[:-1] == found[1].changes[:-1] == (("model", "heading"), ("captions", "heading → caption"))
    assert len({region.number for region in found}) == 4


def test_what_takes_the_place_of_other_regions_names_their_kinds() -> None:
    assert run(Pass("joined", joined))[0].changes[-1] == ("joined", "with 1 paragraph")
    assert run(Pass("tables", tables))[0].changes == (("tables", "new table, in place of 1 heading, 1 paragraph"),)


def test_a_pass_can_be_left_out_unless_it_is_needed_or_for_other_pages() -> None:
    captions = Pass("captions", as_captions)
    assert run(captions, without=["captions"]) == [UPPER, LOWER]
    assert run(replace(captions, for_=Source.SCAN)) == [UPPER, LOWER]
    assert run(replace(captions, needed=True), without=["captions"])[0].kind == "caption"


def test_what_a_pass_drops_takes_up_or_weighs_is_told_where_it_is_asked() -> None:
    words = [Word((1, 1, 9, 9), "Sails", 0, 0, 8.0), Word((1, 21, 9, 29), "Ropes", 1, 1, 8.0)]
    page = replace(PAGE, words=words)

    def told(*passes: Pass, given: Sequence[Region] = (UPPER, LOWER)) -> list[tuple[str, str]]:
        remarks: list[Remark] = []
        run_passes(page, seen_by("model", given), passes, remarks=remarks)
        return [(one.by, one.what) for one in remarks]

    first = Pass("first", lambda _, seen: seen[:1], explain=lambda _, seen: [Remark(seen[0].box, "no table: too few rows")])
    assert told(first) == [("first", "paragraph dropped: Ropes"), ("first", "no table: too few rows")]
    assert told(Pass("t", tables)) == [("t", "heading now in a table: Sails"), ("t", "paragraph now in a table: Ropes")]
    whole = replace(UPPER, words=words)
    fewer = Pass("fewer", lambda _, seen: [replace(one, words=one.words[:1]) for one in seen])
    assert told(fewer, given=[whole]) == [("fewer", "words of heading dropped: Ropes")]
