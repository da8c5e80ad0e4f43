import pickle
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pymupdf
import pytest

from schemas.conform import make_table_from_rows
from schemas.errors import ChangedError, LimitError, WorkerError
from schemas.options.sections import LimitOptions, ParseOptions
from schemas.references import Content
from schemas.staged import PARSED
from tasks.parse.elements.assembly import on_pages
from tasks.parse.io import parse, range_files, ranges
from tasks.parse.io.parse import parse_content, parse_if_short, parse_range
from tasks.parse.io.ranges import RangedParser, map_ranged
from tasks.parse.pdf.io import document
from tasks.workers.pool import WorkerPool
from tests.tasks import drawn
from tests.tasks.workers import worker_functions as work

LIMITS = LimitOptions(workers=2)
OPTIONS = ParseOptions(ocr=False)
LINE = "the wheel turns slowly in spring when the water of the upper pond is low and cold"


def manual(n_pages: int) -> bytes:
    """Draw a manual with a running header, chapters, a blank page, and pages that no plain path takes."""
    document = pymupdf.open()
    for n in range(n_pages):
        page = document.new_page(width=500, height=700)
        if n == 50:
            continue
        page.insert_text((50, 40), f"The Mill: {'spring' if n < 45 else 'autumn'}", fontsize=9)
        page.insert_text((400, 40), str(n + 1), fontsize=9)
        page.insert_text((50, 90), f"{n} The wheel", fontsize=16 if n % 20 else 20)
        page.insert_text((50, 130), [LINE] * 8, fontsize=9)
        if n % 25 == 0:
            page.draw_rect((50, 400, 300, 600), fill=(0.5, 0.5, 0.5))
    return drawn.bytes_of(document)


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Content:
    content = drawn.content_of(tmp_path_factory.mktemp("long") / "a.pdf", manual(2 * parse.RANGE_PAGES + 5))
    return content.model_copy(update={"size": parse.RANGED_BYTES})


@pytest.fixture(scope="module")
def pool() -> Iterator[WorkerPool]:
    with WorkerPool(LIMITS) as pool:
        yield pool


def test_a_document_read_in_ranges_is_the_one_read_whole(long: Content, pool: WorkerPool) -> None:
    [(index, ranged)] = map_ranged(pool, [long], OPTIONS, RangedParser(OPTIONS, LIMITS, None))
    whole = parse_content(long, OPTIONS, lambda _: None)
    assert index == 0
    assert ranged.equals(whole)
    kinds = {element["kind"] for element in ranged.to_pylist()[0]["elements"] if element["text"].startswith("The Mill")}
    assert kinds == {"furniture"}


def test_ranges_lie_below_the_place_that_is_named_while_they_are_read_and_then_no_more(
    long: Content, pool: WorkerPool, tmp_path: Path
) -> None:
    place, seen = tmp_path / "corpus" / "ranges", []

    def look(index: int, share: float) -> None:
        seen.append(len(list(place.rglob("*.json"))))

    [(_, table)] = map_ranged(pool, [long], OPTIONS, RangedParser(OPTIONS, LIMITS, place), look)
    assert seen[-1] == 3 and isinstance(table, pa.Table)
    assert list(place.iterdir()) == []


def test_a_worker_that_was_called_off_cannot_write_where_ranges_were(tmp_path: Path) -> None:
    with ranges.hold_worker_folder(None) as folder:
        Path(folder, "000000000.json").write_text("[]")
    with pytest.raises(FileNotFoundError):
        Path(folder, "000000024.json").write_text("late")
    assert not Path(folder).parent.exists()


def test_what_lies_in_the_file_of_a_range_runs_no_code(long: Content, tmp_path: Path) -> None:
    class Evil:
        def __reduce__(self) -> Any:
            return Path.touch, (tmp_path / "ran",)

    (tmp_path / "ranges").mkdir()
    (tmp_path / "ranges" / "000000000.json").write_bytes(pickle.dumps(Evil()))
    with pytest.raises(ValueError):
        parse.join_ranges(long, str(tmp_path / "ranges"))
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("draw", [drawn.with_figure, drawn.ruled_table, drawn.two_columns])
def test_pages_written_and_read_again_are_the_same(draw: Any, tmp_path: Path) -> None:
    read = document.read_pages(draw(), range(9), OPTIONS, lambda _: None)
    range_files.write_range(tmp_path, 0, read)
    pages, metadata = range_files.read_ranges(tmp_path)
    assert metadata == read[1]
    rows = [document.document_row(*read), document.document_row(pages, metadata)]
    tables = [make_table_from_rows([{**row, "elements": on_pages(row["elements"], row["pages"])}], PARSED) for row in rows]
    assert tables[0].equals(tables[1])


def test_only_a_long_document_is_cut(long: Content, tmp_path: Path) -> None:
    short = drawn.content_of(tmp_path / "a.pdf", drawn.two_columns())
    assert parse_if_short(long, OPTIONS, lambda _: None) == 2 * parse.RANGE_PAGES + 5
    for content in (short, short.model_copy(update={"size": parse.RANGED_BYTES})):
        assert isinstance(parse_if_short(content, OPTIONS, lambda _: None), pa.Table)


def test_a_long_document_that_is_damaged_is_a_final_reject(tmp_path: Path) -> None:
    content = drawn.content_of(tmp_path / "a.pdf", b"no PDF" * 50_000)
    table: pa.Table = parse_if_short(content, OPTIONS, lambda _: None)
    row = table.to_pylist()[0]
    assert [(reject["page_number"], reject["final"]) for reject in row["rejects"]] == [(0, True)]


def test_the_last_range_ends_with_the_document(long: Content, tmp_path: Path) -> None:
    ticks: list[int] = []
    assert parse_range(long, OPTIONS, 2 * parse.RANGE_PAGES, str(tmp_path), ticks.append) > 0
    assert ticks == [1, 2, 3, 4, 5]


def test_a_document_that_changes_while_its_ranges_are_read_is_not_staged(
    long: Content, pool: WorkerPool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changing = long.model_copy(update={"path": str(tmp_path / "changing.pdf")})
    Path(changing.path).write_bytes(Path(long.path).read_bytes())

    def change(index: int, share: float) -> None:
        Path(changing.path).write_bytes(b"%PDF-1.7 something else")

    [(_, outcome)] = map_ranged(pool, [changing], OPTIONS, RangedParser(OPTIONS, LIMITS, None), change)
    assert isinstance(outcome, ChangedError)


def failing(content: Content, options: Any, start: int, folder: str, tick: Any) -> float:
    """Die in the second range."""
    tick(1)
    if start:
        work.die(signal.SIGKILL, tick)
    return 0.0


def slow(content: Content, options: Any, start: int, folder: str, tick: Any) -> float:
    """Take a thousand seconds, as it says."""
    return 1000.0


def test_a_crash_in_one_range_fails_its_document_and_the_others_continue(
    long: Content, pool: WorkerPool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tasks.parse.io.ranges.parse_range", failing)
    other = drawn.content_of(tmp_path / "a.txt", b"Text.").model_copy(update={"media_type": "text/plain"})
    outcomes = dict(map_ranged(pool, [long, other], OPTIONS, RangedParser(OPTIONS, LIMITS, None)))
    assert isinstance(outcomes[0], LimitError | WorkerError)
    assert outcomes[1].to_pylist()[0]["text"] == "Text."


def test_the_seconds_of_a_document_are_those_of_its_ranges_together(
    long: Content, pool: WorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tasks.parse.io.ranges.parse_range", slow)
    limits = LimitOptions(document_seconds=2500)
    [(_, outcome)] = map_ranged(pool, [long], OPTIONS, RangedParser(OPTIONS, limits, None))
    assert isinstance(outcome, LimitError)
    assert "document_seconds" in str(outcome)
