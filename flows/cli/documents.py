"""Commands that work on single documents, without a corpus."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.cli.flags import CHUNK, add_option_flags
from flows.cli.output import Json, print_json, print_json_row, print_line, print_table, print_warning
from schemas.errors import DocumentError, InputError
from schemas.options.sections import RefreshOptions

if TYPE_CHECKING:
    from schemas.records import BBox
    from tasks.file_tools.io.convert import Outcome
    from tasks.file_tools.io.inspect import ElementChange, InspectedElement, InspectedPage, PageRemark

FORMATS = ("md", "jsonl", "arrow")
SHOWN_CHARS, SHOWN_REASON = 60, 140


def add_document_commands(application: typer.Typer) -> None:
    """Add the commands."""
    application.command()(parse)
    application.command()(inspect)
    application.command()(chunk)
    application.command()(describe)


def _parse_path(given: str) -> Path:
    """Return the path, but refuse a blank one: it comes from an unset variable, and would mean the working folder."""
    if not given.strip():
        raise InputError("a path is blank: name a file or a folder")
    return Path(given)


def parse(
    paths: Annotated[list[Path], typer.Argument(help="Documents, or folders of documents.", parser=_parse_path, metavar="PATH…")],
    out: Annotated[Path, typer.Option("--out", help="Folder for the results.", parser=_parse_path, metavar="DIR")],
    form: Annotated[str, typer.Option("--format", help="md, jsonl (one element a line) or arrow.")] = "md",
    furniture: Annotated[str, typer.Option(help="keep or drop running headers, footers and page numbers.")] = "drop",
    links: Annotated[bool, typer.Option("--links", help="In Markdown, write linked words as \\[words](address).")] = False,
    as_json: Json = False,
) -> None:
    """Turn documents into Markdown, or into their layout elements. Documents that cannot be read are named and skipped.

    The result of report.pdf is report.md; those of a folder lie in the same subfolders below --out. Documents of one folder whose
    results would share a name keep their suffix: report.pdf.md beside report.txt.md. What lies in --out is never read.
    """
    from tasks.file_tools.io.convert import OutputForm, convert_documents

    if form not in FORMATS:
        raise InputError(f"--format {form}: choose md, jsonl or arrow")
    if furniture not in ("keep", "drop"):
        raise InputError(f"--furniture {furniture}: choose keep or drop")
    outcomes = []
    for outcome in convert_documents(paths, out, OutputForm(form, furniture == "keep", links), _make_refresh_options()):
        outcomes.append(outcome)
        if not as_json:
            _print_outcome(outcome)
    if as_json:
        print_json(sorted(outcomes, key=lambda outcome: str(outcome["path"])))
    if n_failed := sum(bool(outcome["error"]) for outcome in outcomes):
        raise DocumentError(f"{n_failed} of {len(outcomes)} documents failed")


def _print_outcome(outcome: "Outcome") -> None:
    print_line(f"{outcome['path']}: {outcome['output'] or outcome['error']}")
    for page in outcome["pages"]:
        print_line(f"  {page['message']}: {page['remedy']}")


def inspect(
    file: Annotated[Path, typer.Argument(help="A document.", parser=_parse_path, metavar="FILE")],
    page: Annotated[int, typer.Option("--page", help="Page, counted from 1.")] = 1,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="PNG file for a picture of the page; only for PDFs.", parser=_parse_path, metavar="PAGE.PNG"),
    ] = None,
    furniture: Annotated[bool, typer.Option("--furniture", help="Also show running headers, footers and page numbers.")] = False,
    why: Annotated[
        bool, typer.Option("--why", help="Also say what made each element what it is, and what was left out; only for PDFs.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Show how Pagemill sees a page: its elements in reading order, as a list, or drawn as numbered boxes coloured by kind.

    The list gives each element's number, kind, level (of a heading), box in points from the top left of the page, and text. With
    --why it gives, in place of the box, what the layout model took each element for, or the lines of a page of plain text; the
    passes that changed it, in order, each a line of tasks/parse/passes/table.py or document.py; and what was said of its place:
    how likely lines are headings or rows, and from where on they are; regions that were dropped; tables that were refused.
    """
    from tasks.file_tools.io.inspect import inspect_page

    found = inspect_page(file, page, out, furniture, _make_refresh_options(), why)
    if as_json:
        print_json(found)
        return
    if why:
        _print_reasons(found)
    else:
        rows = [_make_element_line(element) for element in found["elements"]]
        print_table(rows, ["number", "kind", "level", "box", "text"], f"no elements on page {page} of {file}")
    if found["n_furniture_left_out"]:
        print_line(f"left out: {found['n_furniture_left_out']} running headers, footers or page numbers; --furniture shows them")
    for reject in found["rejects"]:
        print_line(f"{reject['message']}: {reject['remedy']}")
    if "personal_data" in found:
        kinds = Counter(one["kind"] for one in found["personal_data"])
        print_line(f"personal data: {', '.join(f'{kind} {n}' for kind, n in sorted(kinds.items())) or 'none'}")
    if found["output"]:
        print_line(f"{found['output']}: page {page} of {found['n_pages']} of {file}")


def _make_element_line(element: "InspectedElement") -> dict[str, object]:
    box, text = element["bbox"], " ".join(element["text"].split())
    return {
        **element,
        "number": str(element["number"]),
        "level": str(element["level"] or ""),
        "box": _format_box(box) if box else "",
        "text": _shorten(text, SHOWN_CHARS),
    }


def _print_reasons(found: "InspectedPage") -> None:
    """Print each element and below it what made it what it is; then what was said of other places of the page."""
    for element in found["elements"]:
        row = _make_element_line(element)
        print_line(f"{row['number']} {row['kind']} {row['level']} {row['text']}")
        _print_changes([*element["changes"], *element["remarks"]])
    if found["remarks"]:
        print_line("on no element that is shown")
        placed: list[PageRemark] = [{**one, "what": f"at {_format_box(one['bbox'])}: {one['what']}"} for one in found["remarks"]]
        _print_changes(placed)


def _print_changes(changes: "Sequence[ElementChange]") -> None:
    """Print changes, those of one step below each other under its name and the place of its function."""
    for (by, at), group in groupby(changes, key=itemgetter("by", "at")):
        print_line(f"    {by} ({at})")
        for what, n in Counter(change["what"] for change in group).items():
            print_line(f"        {_shorten(what, SHOWN_REASON)}{f' ({n} times)' if n > 1 else ''}")


def _format_box(box: "BBox") -> str:
    return " ".join(f"{value:.0f}" for value in box.values())


def _shorten(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


@add_option_flags(CHUNK)
def chunk(
    options: RefreshOptions,
    file: Annotated[Path | None, typer.Argument(help="A document.", parser=_parse_path, metavar="FILE")] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the strategies, their options, defaults and origin.")] = False,
    as_json: Json = False,
) -> None:
    """Cut one document as a refresh does; print a JSON line for each chunk: start, end, n_tokens, text, kind, pages, section.

    A line is printed as soon as its chunk is made. Pages that could not be read are named beside the output.
    """
    from tasks.file_tools.io.chunk_file import chunk_file

    if listed:
        _print_strategies(as_json)
        return
    if file is None:
        raise InputError("no document given: name one, or use --list to see the strategies")
    found = chunk_file(file, options)
    for reject in found.rejects:
        print_warning(f"{file}, page {reject['page_number']}: {reject['message']}: {reject['remedy']}")
    if as_json:
        print_json(list(found.chunks))
        return
    for row in found.chunks:
        print_json_row(row)


def _print_strategies(as_json: bool) -> None:
    """Print the summary, the options with their defaults, and the origin of each strategy."""
    from schemas.options.chunking import COMMON, ChunkOptions
    from schemas.options.strategies import STRATEGIES

    common = {name: ChunkOptions.model_fields[name].default for name in COMMON}
    if as_json:
        found = {name: {**strategy._asdict(), "options": {**common, **strategy.options}} for name, strategy in STRATEGIES.items()}
        print_json(found)
        return
    print_line(f"every strategy: {_format_defaults(common)}")
    for name, strategy in STRATEGIES.items():
        options = f"options: {_format_defaults(strategy.options)}"
        for line in (name, f"  {strategy.summary}", f"  {options}", f"  origin: {strategy.origin}"):
            print_line(line)
    own = {name: field.description for name, field in ChunkOptions.model_fields.items() if name not in ("strategy", *common)}
    for line in ("options", *(f"  {name}: {description}" for name, description in own.items())):
        print_line(line)


def _format_defaults(options: Mapping[str, object]) -> str:
    return ", ".join(f"{name} = {json.dumps(value)}" for name, value in options.items()) or "none of its own"


def describe(
    images: Annotated[
        list[Path],
        typer.Argument(
            help="Pictures: PNG, JPEG, TIFF, WebP and others that Pillow reads.", parser=_parse_path, metavar="IMAGE…"
        ),
    ],
    clip_model: Annotated[
        str | None, typer.Option(help="A directory or hub id of a CLIP or SigLIP; by default, the bundled model.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON line for each picture.")] = False,
) -> None:
    """Say what pictures show: type, confidence, text, description. Pictures that cannot be read are named and skipped."""
    from tasks.file_tools.io.describe_images import describe_images

    given = {"describe": {"clip_model": clip_model}} if clip_model else {}
    failed = 0
    for row in describe_images(images, _make_refresh_options(given)):
        failed += bool(row["error"])
        if as_json:
            print_json_row(row)
        else:
            print_line(f"{row['path']}: {row['error'] or row['description']}")
    if failed:
        raise DocumentError(f"{failed} of {len(images)} pictures cannot be read")


def _make_refresh_options(given: Mapping[str, object] | None = None) -> RefreshOptions:
    from flows.settings import read_refresh_options

    return read_refresh_options(given or {})
