from tasks.parse.layout.regions import Region
from tasks.parse.layout.rules import NO_RULES, Rule
from tasks.parse.layout.words import Word
from tasks.parse.scans.regions import cut_between_blocks, with_blocks_joined, with_listed


def block(number: int, x: float, y: float) -> list[Word]:
    """Two lines of a word each."""
    return [Word((x, y + 12 * n, x + 90, y + 12 * n + 10), f"w{number}{n}", number, number * 10 + n) for n in range(2)]


LEFT, RIGHT = block(0, 0, 0), block(1, 120, 0)


def test_a_region_over_two_columns_is_cut() -> None:
    parts = cut_between_blocks([Region((0, 0, 210, 22), "paragraph")], LEFT + RIGHT)
    assert [part.box for part in parts] == [(0, 0, 90, 22), (120, 0, 210, 22)]


def test_tables_stay_whole() -> None:
    table = Region((0, 0, 210, 22), "table")
    assert cut_between_blocks([table], LEFT + RIGHT) == with_blocks_joined([table], LEFT + RIGHT) == [table]


def test_pieces_of_one_paragraph_are_joined() -> None:
    pieces = [Region((0, 0, 90, 10), "paragraph"), Region((0, 12, 90, 22), "paragraph")]
    assert [part.box for part in with_blocks_joined(pieces, LEFT)] == [(0, 0, 90, 22)]
    assert with_blocks_joined(pieces, [LEFT[0], LEFT[1]._replace(block=5)]) == pieces


def test_a_table_in_fixed_width_type_without_rules_is_a_listing() -> None:
    table, prose = Region((0, 0, 210, 22), "table"), [word._replace(block=2) for word in block(2, 0, 100) + block(3, 0, 140)]
    listing = [word._replace(mono=True) for word in LEFT + RIGHT]
    words = [*listing, *prose, *block(4, 0, 180)]
    assert [region.kind for region in with_listed([table], words, NO_RULES)] == ["paragraph"]
    ruled = NO_RULES._replace(horizontals=(Rule(11, 0, 210),))
    assert with_listed([table], words, ruled) == [table]
    assert with_listed([table], [*LEFT, *listing[2:], *prose], NO_RULES) == [table]
    assert with_listed([table], listing, NO_RULES) == [table], "the page is typewritten"
