"""The table of passes: all that corrects the regions of a page, from what the layout model sees to elements, in order.

To say why an element is what it is: `pagemill inspect FILE --page N --why` names the passes that acted on it; look them up here,
or in `document` if they are of whole documents. Regions begin as `layout-model` or, on pages of plain text, `plain-lines`.
To change that: change the function of the pass, or add one: a pure function of the page and its regions, and its line below.
"""

from collections.abc import Callable, Container, Sequence
from dataclasses import replace

from tasks.parse.judge.headings import explain_judged_lines, with_judged_headings
from tasks.parse.judge.tables import explain_judged_tables, with_judged_tables
from tasks.parse.kinds import headings
from tasks.parse.kinds.box_titles import without_box_titles
from tasks.parse.kinds.bylines import without_bylines
from tasks.parse.kinds.fields import with_fields, without_values
from tasks.parse.kinds.footnotes import with_footnotes
from tasks.parse.kinds.headings import body_style
from tasks.parse.kinds.inner_headings import with_inner_headings
from tasks.parse.kinds.labels import without_labels
from tasks.parse.kinds.listings import apart_from_text, with_listings
from tasks.parse.kinds.set_as_text import without_set_as_text
from tasks.parse.kinds.terms import without_terms
from tasks.parse.kinds.unpainted import without_unpainted
from tasks.parse.kinds.whole_headings import with_whole_headings
from tasks.parse.layout.arrangement import (
    in_reading_order,
    with_missed_pictures,
    with_stray_paragraphs,
    with_words,
    without_empty,
    without_nested,
    without_tiny_pictures,
)
from tasks.parse.layout.page_model import BodyStyle, PageModel, Source
from tasks.parse.layout.regions import Region, Remark
from tasks.parse.layout.rules import Rules
from tasks.parse.layout.words import Word, as_written
from tasks.parse.passes.runner import Correction, Pass, run_passes
from tasks.parse.scans.regions import cut_between_blocks, with_blocks_joined, with_listed, without_noise
from tasks.parse.scans.written import mixed_in, replaced, with_headings_of, with_tables_of
from tasks.parse.tables import cuts
from tasks.parse.tables import regions as tables
from tasks.parse.tables.captioned import captioned
from tasks.parse.tables.settled import without_tables
from tasks.parse.tables.spaced.apart import side_by_side
from tasks.parse.tables.spaced.extended import extended
from tasks.parse.tables.spaced.loose import column_as_text, listing_as_text
from tasks.parse.tables.spaced.stacked import below_each_other


def _each(correct: Callable[[Region, Sequence[Word], Rules], Region]) -> Correction:
    """Return the pass that corrects each region by the words and the rules of the page."""
    return lambda page, seen: [correct(region, page.words, page.rules) for region in seen]


OCR_LAYOUT = (
    Pass("text-in-pictures", lambda page, seen: replaced(seen, page.written, page.told), Source.SCAN),
    Pass("headings-in-text", lambda page, seen: with_headings_of(seen, mixed_in(page.seen, page.words), page.told), Source.SCAN),
    Pass("tables-in-text", lambda page, seen: with_tables_of(seen, page.told, page.words), Source.SCAN),
    Pass("scanned-listings", lambda page, seen: with_listed(seen, page.words, page.rules), Source.SCAN),
    Pass("cut-between-ocr-blocks", lambda page, seen: cut_between_blocks(seen, page.words), Source.SCAN),
    Pass("join-ocr-blocks", lambda page, seen: with_blocks_joined(seen, page.words), Source.SCAN),
)
"""What OCR, and the layout model that sees words alone, know better than the one that sees the picture."""

TABLE_DETECTION = (
    Pass("split-page-columns", tables.apart_at_page_columns, Source.OWN_TABLES),
    Pass("cut-at-grids", tables.cut_at_grids, Source.OWN_TABLES),
    Pass(
        "cut-tables-at-prose",
        tables.cut_tables_at_prose,
        Source.OWN_TABLES,
        evidence="roundtrip nid +.0003, roundtrip mhs +.0035",
    ),
    Pass("trim-text-below-tables", tables.trimmed_by(cuts.without_tail), Source.OWN_TABLES),
    Pass("split-tables-beside-each-other", tables.apart_by(side_by_side), Source.OWN_TABLES),
    Pass("split-tables-at-headings", tables.apart_by(below_each_other), Source.OWN_TABLES),
    Pass("titles-of-scanned-tables", tables.apart_from_titles, Source.SCAN),
    Pass(
        "listings-as-text",
        lambda page, seen: list(seen) if page.typewritten else _each(listing_as_text)(page, seen),
        Source.OWN_TABLES,
        evidence="with columns-as-text: roundtrip nid +.0013, roundtrip mhs +.0005, twins teds -.0133",
    ),
    Pass("columns-as-text", _each(column_as_text), Source.OWN_TABLES),
    Pass("lattice-tables", tables.with_framed_tables, Source.OWN_TABLES, explain=tables.explain_framed_tables),
    Pass(
        "booktabs-tables",
        tables.with_booktabs_tables,
        Source.OWN_TABLES,
        evidence="roundtrip teds +.0270, twins teds +.0229, roundtrip nid +.0006, roundtrip mhs +.0006",
        explain=tables.explain_booktabs_tables,
    ),
    Pass(
        "stream-tables",
        tables.with_stream_tables,
        Source.OWN_TABLES,
        evidence="roundtrip teds +.0105, twins teds +.0582",
        explain=tables.explain_stream_tables,
    ),
    Pass("extend-tables", lambda page, seen: extended(page.words, seen, page.rules), Source.OWN_TABLES),
    Pass("captioned-tables", lambda page, seen: captioned(page.words, seen, page.rules), Source.OWN_TABLES),
    Pass(
        "judged-tables",
        with_judged_tables,
        Source.DIGITAL,
        evidence="F1 of tables on 90 labelled pages, each source left out, .824 to .857",
        explain=explain_judged_tables,
    ),
    Pass("give-tables-their-rules", tables.with_rules, Source.OWN_TABLES, needed=True),
)
"""Where tables are. Camelot's words: rules make a lattice, white space a stream."""

READING_ORDER = (
    Pass("drop-nested", lambda page, seen: without_nested(seen, page.box), evidence="roundtrip nid +.0002"),
    Pass("missed-pictures", lambda page, seen: with_missed_pictures(seen, page.settled, page.pictures, page.box)),
    Pass("give-words", lambda page, seen: with_words(seen, page.words), needed=True),
    Pass("tiny-pictures", lambda _, seen: without_tiny_pictures(seen)),
    Pass("drop-empty", lambda _, seen: without_empty(seen), needed=True),
    Pass("stray-paragraphs", lambda _, seen: with_stray_paragraphs(seen), needed=True),
    Pass("reading-order", lambda page, seen: in_reading_order([*seen, *page.settled], page.frames), needed=True),
)
"""Which words are in which region, and the order of reading."""

SEGMENTATION = (
    *OCR_LAYOUT,
    Pass("unpainted-pictures", lambda page, seen: without_unpainted(seen, page.painted, page.drawn)),
    Pass("settled-tables", lambda page, seen: without_tables(seen, page.settled), Source.TABLE_READER, needed=True),
    *TABLE_DETECTION,
    Pass(
        "fields-of-forms",
        lambda page, seen: with_fields(page.words, seen, page.frames),
        Source.OWN_TABLES,
        evidence="roundtrip nid +.0023, roundtrip teds +.0098, roundtrip mhs +.0015",
    ),
    Pass(
        "part-listings",
        lambda page, seen: list(seen) if page.typewritten else apart_from_text(page.words, seen),
        Source.OWN_TABLES,
    ),
    Pass(
        "join-listings",
        lambda page, seen: list(seen) if page.typewritten else with_listings(page.words, seen, page.rules),
        Source.OWN_TABLES,
        evidence="roundtrip nid +.0001, roundtrip mhs +.0001",
    ),
    *READING_ORDER,
    Pass("titles-of-boxes", lambda page, seen: without_box_titles(seen, page.frames), evidence="roundtrip mhs +.0220"),
    Pass("noise-in-pictures", lambda page, seen: without_noise(seen, page.noise), Source.SCAN),
)
"""From what the layout model sees to regions with all words, in reading order."""


def _by(rule: Callable[[Region, BodyStyle], str]) -> Correction:
    """Return the pass that gives each region the kind that a rule finds."""
    return lambda page, seen: [
        region if (kind := rule(region, page.body)) == region.kind else replace(region, kind=kind) for region in seen
    ]


CLASSIFICATION = (
    Pass("inner-headings", lambda _, seen: with_inner_headings(seen), Source.EVERY, evidence="roundtrip mhs +.0074"),
    Pass("labelled-headings", _by(headings.labelled_heading), Source.EVERY, evidence="roundtrip mhs +.0253"),
    Pass("bulleted-headings", _by(headings.bulleted_heading), Source.EVERY),
    Pass("large-captions-and-headers", _by(headings.large_heading), Source.EVERY),
    Pass("join-heading-lines", lambda _, seen: with_whole_headings(seen), Source.EVERY, evidence="roundtrip mhs +.0022"),
    Pass(
        "footnotes-in-footers",
        lambda _, seen: with_footnotes(seen),
        Source.EVERY,
        evidence="footnotes that were lost: 3 of 99 documents of dpbench, 2 of 350 of roundtrip test, 1 of 499 real pages",
    ),
    Pass("bylines", lambda _, seen: without_bylines(seen), Source.EVERY),
    Pass(
        "headings-set-as-text",
        lambda _, seen: without_set_as_text(seen),
        Source.EVERY,
        evidence="roundtrip mhs +.0040, twins headings -.0306",
    ),
    Pass(
        "terms",
        lambda page, seen: without_terms(seen, page.body.size),
        Source.EVERY,
        evidence="roundtrip nid +.0002, roundtrip mhs +.0275",
    ),
    Pass(
        "labels",
        lambda page, seen: without_labels(seen, page.body.size),
        Source.EVERY,
        evidence="roundtrip nid +.0001, roundtrip mhs +.0142",
    ),
    Pass(
        "judged-headings",
        lambda page, seen: with_judged_headings(seen, page),
        Source.TEXT_LAYER,
        evidence="roundtrip test mhs +.007; F1 of lines of seven sources, each left out, .878 to .902",
        explain=lambda page, seen: explain_judged_lines(seen, page),
    ),
    Pass("values-of-fields", lambda page, seen: without_values(seen, page.filled), Source.TEXT_LAYER),
)
"""Which regions are headings. Those of plain pages, which need no layout model, go through these alone."""

PASSES = (*SEGMENTATION, *CLASSIFICATION)


def place_regions(page: PageModel, without: Container[str] = (), remarks: list[Remark] | None = None) -> list[Region]:
    """Return the regions of a page with all its words, in reading order, by all passes but those `without`.

    What passes drop, weigh and refuse is added to `remarks`, if given.
    """
    return run_passes(page, page.seen, SEGMENTATION, without, remarks)


def classify_regions(
    page: PageModel, regions: Sequence[Region], without: Container[str] = (), remarks: list[Remark] | None = None
) -> list[Region]:
    """Return regions with their words as written, and their kinds settled, by all passes but those `without`.

    What passes drop, weigh and refuse is added to `remarks`, if given.
    """
    model, written = prepare_to_classify(page, regions)
    return run_passes(model, written, CLASSIFICATION, without, remarks)


def prepare_to_classify(page: PageModel, regions: Sequence[Region]) -> tuple[PageModel, list[Region]]:
    """Return the page with the style of its text, and regions with their words as written: what CLASSIFICATION starts from."""
    written = [_as_written(region) for region in regions]
    return replace(page, body=body_style(written)), written


def _as_written(region: Region) -> Region:
    shifted = any(word.shifts for word in region.words)
    return replace(region, words=list(map(as_written, region.words))) if shifted else region
