from tasks.parse.kinds.run_in import without_run_in
from tasks.parse.layout.geometry import union
from tasks.parse.layout.regions import Region
from tasks.parse.layout.words import Word

TEXT = "The mill grinds by day and by night, and the miller sleeps when there is no wind to turn its sails at all. " * 3


def region(kind: str, y: float, *runs: tuple[str, bool]) -> Region:
    words, x = [], 0.0
    for text, bold in runs:
        for part in text.split():
            font = "Serif-Bold" if bold else "Serif"
            words.append(Word((x, y, x + 5 * len(part), y + 10), part, 0, round(y), bold=bold, font=font))
            x += 5 * len(part) + 3
    return Region(union(word.box for word in words), kind, words=words)


def found(*regions: Region) -> list[tuple[str, str]]:
    page = without_run_in([*regions, region("paragraph", 900, (TEXT, False))])
    return [(part.kind, " ".join(word.text for word in part.words)) for part in page][:-1]


def test_a_heading_ends_where_the_text_begins_in_its_line() -> None:
    head = region("heading", 100, ("3.1 Wind and sails.", True), ("To begin, turn", False))
    assert found(head) == [("heading", "3.1 Wind and sails."), ("paragraph", "To begin, turn")]


def test_the_text_behind_a_heading_begins_the_paragraph_close_below() -> None:
    head = region("heading", 100, ("Wind and sails.", True), ("To begin, turn", False))
    below = region("paragraph", 112, ("the sails into the wind.", False))
    assert found(head, below) == [("heading", "Wind and sails."), ("paragraph", "To begin, turn the sails into the wind.")]
    apart = region("paragraph", 140, ("the sails into the wind.", False))
    assert [kind for kind, _ in found(head, apart)] == ["heading", "paragraph", "paragraph"]


def test_headings_without_a_point_or_with_one_plain_word_stay_whole() -> None:
    for runs in (
        [("Wind and sails", True), ("of the mill", False)],
        [("Wind.", True), ("Sails", False)],
        [("All in bold.", True)],
    ):
        assert [kind for kind, _ in found(region("heading", 100, *runs))] == ["heading"]
    assert found(region("paragraph", 100, ("Wind.", True), ("To begin, turn", False))) == [("paragraph", "Wind. To begin, turn")]
