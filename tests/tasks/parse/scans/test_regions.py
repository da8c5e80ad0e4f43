from tasks.parse.layout.regions import Region
from tasks.parse.layout.words import Word
from tasks.parse.scans.regions import as_ocr_saw, in_ocr_order


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


def test_regions_come_as_ocr_read_them_with_pictures_beside_their_words() -> None:
    footer = Region((0, 90, 210, 99), "furniture", role="page-footer", words=block(2, 0, 90))
    right, left = (Region((0, 0, 1, 1), "paragraph", words=words) for words in (RIGHT, LEFT))
    picture = Region((120, 30, 210, 60), "figure")
    ordered = in_ocr_order([footer, right, picture, left], [*footer.words, *LEFT, *RIGHT])
    assert [ordered.index(region) for region in (left, right, picture, footer)] in ([0, 1, 2, 3], [0, 2, 1, 3])
