"""One page of a PDF: its words, pictures and regions."""

from collections.abc import Callable, Container, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from schemas.options.sections import ParseOptions
from tasks.parse.elements.from_regions import element, elements_of, explain_tables
from tasks.parse.elements.io.page_result import PageResult, add_figures
from tasks.parse.judge.io.models import read_trees
from tasks.parse.kinds.listings import is_typed
from tasks.parse.layout.clusters import is_scattered
from tasks.parse.layout.geometry import Box, area, as_struct, union
from tasks.parse.layout.io.form_fields import has_fields, with_fields_drawn
from tasks.parse.layout.io.layout_model import page_box, see_layout
from tasks.parse.layout.io.page_pictures import is_blank, is_blank_paper
from tasks.parse.layout.lines import text_of
from tasks.parse.layout.page_model import PageModel, Sight, Source
from tasks.parse.layout.plain_pages import PlainPage, plain_regions, rules_across
from tasks.parse.layout.regions import Region, Remark
from tasks.parse.layout.rules import NO_RULES
from tasks.parse.layout.words import Word, as_written, without_doubles
from tasks.parse.page_errors import page_failure, raise_unless_the_pages
from tasks.parse.passes.model import measured
from tasks.parse.passes.runner import seen_by
from tasks.parse.passes.table import classify_regions, place_regions
from tasks.parse.pdf.annotations import FieldValue, Note, news, with_values, without_notes
from tasks.parse.pdf.drop_caps import with_drop_caps
from tasks.parse.pdf.hidden import hidden_regions
from tasks.parse.pdf.io.camelot_tables import other_tables
from tasks.parse.pdf.io.drawings import MAX_VECTORS, boxes_of, drawn_clusters, rules_of
from tasks.parse.pdf.io.hidden_words import without_hidden
from tasks.parse.pdf.io.page_annotations import notes_of, values_of
from tasks.parse.pdf.io.page_links import links_of
from tasks.parse.pdf.io.page_sight import copied
from tasks.parse.pdf.io.page_text import PageContent, page_content_of
from tasks.parse.pdf.io.turned import set_upright, turn_of, turned_back
from tasks.parse.pdf.io.typewritten import is_typewritten
from tasks.parse.pdf.letter_spaced import with_letters_joined
from tasks.parse.pdf.line_numbers import line_numbers
from tasks.parse.pdf.links import Link, with_links
from tasks.parse.pdf.styled import line_boxes, may_be_doubled, may_be_ruled
from tasks.parse.pdf.vertical import vertical_regions
from tasks.parse.pdf.watermarks import watermarks
from tasks.parse.scans.io.ocr import Scan, as_shown, doubt, foreign, give_up, is_unreadable, may_show_letters, scan_of
from tasks.parse.scans.io.unnamed import with_unnamed_read
from tasks.parse.scans.legible import better_text
from tasks.parse.scans.typefaces.pitch import is_mostly_fixed
from tasks.parse.tables.settled import settled
from tasks.parse.tables.spaced.aligned import aligned_tables
from tasks.parse.tables.spaced.between import tables_between

if TYPE_CHECKING:
    import pymupdf

MAX_SEGMENTED = 10_000
"""Most drawings of a page that MuPDF cuts into segments: its time grows with their square, 38,500 of a map take 100 s."""
MAX_RULED = 20_000
"""More drawn paths are a map or a chart, not the rules of tables."""
UNSEEN = PageModel((0.0, 0.0, 0.0, 0.0), Source.PLAIN_TEXT)
"""What is known of a page whose regions have their words, and need no other pass than those of kinds."""
MIN_REPEATED = 5
"""A document with fewer pages has too little repetition to show running headers."""

LayoutModel = Callable[[Any], Sight]
"""A layout model."""


@dataclass(frozen=True)
class SeenPage:
    """A page before its passes: what is known of its result, and the models of its parts.

    A plain page has three parts, what is set apart at its top, its body, and what is set apart at its bottom; others have one, or
    none if nothing is read on them. Figures are drawn from `drawn`; `images` are its pictures. What OCR reads is in the view of
    its `scan`. `words` are those that `links` are behind. The page is turned to the right by `turn` degrees.
    """

    result: PageResult
    parts: Sequence[PageModel] = ()
    drawn: "pymupdf.Page | None" = None
    images: Sequence[Box] = ()
    scan: Scan | None = None
    words: Sequence[Word] = ()
    links: Sequence[Link] = ()
    turn: int = 0
    copy: object = None
    """The document of `drawn` if it is a copy: a page lives only as long as its document."""


def read_page(page: "pymupdf.Page", options: ParseOptions, explain: bool = False) -> PageResult:
    """Read one page, with remarks if it is to `explain` itself. All positions are those of the page as displayed."""
    seen = see_page(page, options)
    result, placed = settle_page(seen, explain=explain)
    if seen.drawn:
        add_figures(seen.drawn, options, result, placed, seen.images)
    return result


def see_page(page: "pymupdf.Page", options: ParseOptions, turns: bool = True) -> SeenPage:
    """Return what is seen on a page. If it `turns`, it may be turned to be read."""
    number, n_pages = page.number + 1, page.parent.page_count
    values, notes = values_of(page), notes_of(page)
    copy = None
    if page.rotation and has_fields(page):
        copy = with_fields_drawn(page)
        page, turns = copy[0], False  # its fields and notes cannot be read again
    set_upright(page)
    box = page_box(page)
    result = PageResult(number, box[2], box[3])
    content = _with_annotations(_without_hidden(page, result), values, notes, result)
    turn = turn_of(content.words) if turns else 0
    if turn:
        page.set_rotation(turn)
        return replace(see_page(page, options, turns=False), turn=turn)
    if is_unreadable(page, content.words, content.images):
        return replace(_see_scan(page, options, result, content), copy=copy)
    content = _with_letters(page, options, content, result)
    content = _set_apart(content, result)
    content = content._replace(tables=other_tables(page, options, result))
    plain = None if content.tables else _plain(page, content, n_pages)
    seen = _see_plain(result, plain, content.filled) if plain else _see_text(page, options, result, content)
    links = links_of(page)
    return replace(seen, words=list(map(as_written, content.words)) if links else (), links=links, copy=copy)


def settle_page(seen: SeenPage, without: Container[str] = (), explain: bool = False) -> tuple[PageResult, list[Region]]:
    """Return the result of a page after all passes but those `without`, yet without figures, and the regions that these show.

    It has remarks if it is to `explain` itself.
    """
    result = replace(seen.result, elements=seen.result.elements[:], changes=seen.result.changes[:])
    judge = read_trees("rows")
    remarks: list[Remark] | None = [] if explain else None
    placed: list[Region] = []
    counts = []
    for part in seen.parts:
        regions = place_regions(part, without, remarks)
        classified = classify_regions(part, regions, without, remarks)
        made = elements_of(result.number, classified, part.typewritten, judge)
        if remarks is not None:
            remarks += explain_tables(classified, judge)
        result.add(made)
        placed += regions
        counts.append(len(made))
    if len(counts) > 1:
        result.n_top, result.n_bottom = counts[0], counts[-1]
    result.remarks = remarks or []
    if seen.scan:
        result.elements = as_shown(seen.scan, result.elements)
        result.remarks = [one._replace(box=seen.scan.read.view.on_page(one.box)) for one in result.remarks]
    if seen.links:
        result.elements = with_links(result.elements, seen.words, seen.links)
    return turned_back(result, seen.turn) if seen.turn else result, placed


def _without_hidden(page: "pymupdf.Page", result: PageResult) -> PageContent:
    """Return what can be seen of the page, and make what is hidden asides. If that fails, all words are kept with a reject."""
    content = page_content_of(page)
    try:
        content = without_hidden(page, content)
    except Exception as error:
        raise_unless_the_pages(error)
        result.reject = page_failure(result.number, "HiddenTextError", "was not searched for hidden text", error)
        return content._replace(words=without_doubles(content.words))
    named = classify_regions(UNSEEN, seen_by("hidden-text", hidden_regions(content.hidden)))
    result.asides = [(found, size) for found, size, _ in elements_of(result.number, named, all_mono=False)]
    return content


def _with_annotations(
    content: PageContent, values: Sequence[FieldValue], notes: Sequence[Note], result: PageResult
) -> PageContent:
    """Return the content with values of fields, and drop caps and spaced letters in words; notes become asides."""
    words = with_drop_caps(with_letters_joined(without_notes(with_values(content.words, values), notes)))
    result.asides += [(element(result.number, "note", note.text, bbox=as_struct(note.box)), 0.0) for note in news(notes, words)]
    return content._replace(words=words, filled=[value.box for value in values])


def _set_apart(content: PageContent, result: PageResult) -> PageContent:
    """Return the content without watermarks and line numbers, which become furniture, and with vertical writing apart."""
    marks, numbers = watermarks(content.words), line_numbers(content.words)
    for line in (*marks, *([numbers] if numbers else [])):
        box = as_struct(union(word.box for word in line))
        result.asides.append((element(result.number, "furniture", text_of(line), bbox=box), 0.0))
    apart = {id(word) for line in (*marks, numbers) for word in line}
    rest = [word for word in content.words if id(word) not in apart] if apart else content.words
    vertical, rest = vertical_regions(rest)
    return content._replace(words=rest, watermarks=[word for line in marks for word in line], numbers=numbers, vertical=vertical)


def _with_letters(page: "pymupdf.Page", options: ParseOptions, content: PageContent, result: PageResult) -> PageContent:
    """Return the content with letters that the text layer does not name. If OCR fails, it stays as it is, with a reject."""
    if not options.ocr:
        return content
    try:
        return content._replace(words=with_unnamed_read(page, options, content.words))
    except Exception as error:
        raise_unless_the_pages(error)
        result.reject = page_failure(result.number, "GlyphError", "has letters without characters, which were not read", error)
        return content


def _see_scan(page: "pymupdf.Page", options: ParseOptions, result: PageResult, content: PageContent) -> SeenPage:
    """See the page by OCR, or its text layer if that has more text; else make it a figure and a reject unless it is blank.

    Nothing is recorded for a page of one colour, or for one that looks like blank paper and on which OCR found nothing.
    """
    seen = SeenPage(result)
    if not content.words and is_blank(page):
        return seen
    may_be_read = options.ocr and (bool(content.words) or may_show_letters(page))
    scan, unread = scan_of(page, options, content.words) if may_be_read else (None, None)
    choice = better_text(text_of(content.words), text_of(scan.words) if scan else "", scan.strength if scan else 0)
    result.ocr = may_be_read and choice in ("scan", "none")
    if scan and choice == "scan":
        read = page_content_of(scan.page)._replace(words=scan.words, images=[])
        typed = is_mostly_fixed(scan.words)
        model = replace(
            _model_page(scan.page, options, read, scan.look, result), source=Source.SCAN, noise=scan.noise, typewritten=typed
        )
        seen = SeenPage(result, [measured(model)], scan.page, scan=scan)
    elif not content.words and choice == "none" and is_blank_paper(page):
        return seen
    elif choice == "none":
        give_up(page, options, result, unread)
    else:
        seen = _see_text(page, options, result, content)
        if choice == "doubtful layer":
            result.reject = doubt(options, result.number)
    if unread and not result.reject:
        result.reject = foreign(options, result.number, unread)
    return seen


def _plain(page: "pymupdf.Page", content: PageContent, n_pages: int) -> PlainPage | None:
    """Return the page's regions if they need no model. In a short document running headers cannot be recognised."""
    plain = None if content.images or content.vertical else plain_regions(content.words, content.drawn, page_box(page))
    across = rules_across(content.drawn)
    if plain and (aligned_tables(content.words, plain.body) or tables_between(content.words, across, is_typed(content.words))):
        return None
    if plain and n_pages < MIN_REPEATED:
        return plain if all(region.kind == "furniture" for region in (*plain.top, *plain.bottom)) else None
    return plain


def _see_plain(result: PageResult, plain: PlainPage, filled: Sequence[Box]) -> SeenPage:
    known = replace(UNSEEN, filled=filled, judge=read_trees("headings").probabilities)
    return SeenPage(result, [replace(known, seen=seen_by("plain-lines", regions)) for regions in plain])


def _see_text(page: "pymupdf.Page", options: ParseOptions, result: PageResult, content: PageContent) -> SeenPage:
    model = _model_page(page, options, content, lambda shown: see_layout(shown, *_styles_and_segments(content)), result)
    typewritten = is_typewritten(page, content.words)
    return SeenPage(result, [replace(measured(model), typewritten=typewritten)], page, content.images)


def _styles_and_segments(content: PageContent) -> tuple[bool, bool]:
    """Return whether the layout model is to look for styles of text and for segments: only where the content may show any."""
    lines = line_boxes(content.words)
    doubled = content.doubled or any(mark.is_outline for mark in content.marks) or may_be_doubled(lines)
    may_be_cut = len(content.drawn) <= MAX_SEGMENTED and not is_scattered([*lines, *content.drawn])
    return doubled or may_be_ruled(lines, content.drawn), may_be_cut


def _model_page(
    page: "pymupdf.Page", options: ParseOptions, content: PageContent, layout: LayoutModel, result: PageResult
) -> PageModel:
    """Return what is known of a page before anything is measured."""
    box = page_box(page)
    sight = _sight(page, layout, result, content) if area(box) <= options.max_page_pixels else Sight([])
    drawings = content.drawings if content.drawings is not None else page.get_cdrawings() if content.drawn else []
    rules = rules_of(drawings) if len(drawings) <= MAX_RULED else NO_RULES
    tables, rest = settled(content.words, content.tables or ())
    return PageModel(
        box,
        Source.DIGITAL if content.tables is None else Source.TABLE_READER,
        words=rest,
        seen=sight.seen,
        told=sight.told,
        written=sight.written,
        rules=rules,
        frames=boxes_of(drawings, rules) if len(drawings) <= MAX_VECTORS else [],
        pictures=[*content.images, *drawn_clusters(page, drawings)],
        painted=[mark.box for mark in content.marks if mark.is_picture],
        drawn=content.drawn,
        filled=content.filled,
        settled=[*tables, *content.vertical],
        lines=sight.lines,
        judge=read_trees("headings").probabilities,
        table_judge=read_trees("tables").probabilities,
    )


def _sight(page: "pymupdf.Page", layout: LayoutModel, result: PageResult, content: PageContent) -> Sight:
    """Return what the layout model sees. If it fails, the page keeps its words and gets a reject.

    It takes numbered lines for lists, and parts text at watermarks, so it sees the page without these.
    """
    try:
        marked = content.numbers or content.watermarks
        with copied(page, content.numbers, content.watermarks) if marked else nullcontext(page) as shown:
            return layout(shown)
    except Exception as error:
        raise_unless_the_pages(error)
        result.reject = page_failure(result.number, "LayoutError", "was read without the layout model", error)
        return Sight([])
