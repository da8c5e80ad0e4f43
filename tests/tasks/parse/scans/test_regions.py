from tasks.parse.layout.regions import Region
from tasks.parse.layout.words import Word
from tasks.parse.scans.regions import as_ocr_saw


def block(number: int, x: float, y: float) -> list[Word]:
    """Two lines of a word each."""
    return [Word((x, y + 12 * n, x + 90, y + 12 * n + 10), f"w{number}{n}", number, number * 10 + n) for n in range(2)]


LEFT, RIGHT = block(0, 0, 0), block(1, 120, 0)


def test_a_region_over_two_columns_is_cut() -> None:
    parts = as_ocr_saw([Region((0, 0, 210, 22), "paragraph")], LEFT + RIGHT)
    assert [part.box for part in parts] == [(0, 0, 90, 22), (120, 0, 210, 22)]


def test_tables_stay_whole() -> None:
    table = Region((0, 0, 210, 22), "table")
    assert as_ocr_saw([table], LEFT + RIGHT) == [table]


def test_pieces_of_one_paragraph_are_joined() -> None:
    pieces = [Region((0, 0, 90, 10), "paragraph"), Region((0, 12, 90, 22), "paragraph")]
    assert [part.box for part in as_ocr_saw(pieces, LEFT)] == [(0, 0, 90, 22)]
    assert as_ocr_saw(pieces, [LEFT[0], LEFT[1]._replace(block=5)]) == pieces
