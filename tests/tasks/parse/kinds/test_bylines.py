from tasks.parse.kinds.bylines import without_bylines
from tasks.parse.layout.geometry import union
from tasks.parse.layout.regions import Region
from tasks.parse.layout.words import Word

TEXT = "The mill grinds by day and by night, and the miller sleeps when there is no wind to turn its sails at all. " * 2


def region(kind: str, text: str, size: float = 10, bold: bool = False) -> Region:
    words = [Word((9 * n, 0, 9 * n + 8, size), part, 0, 0, size, bold=bold) for n, part in enumerate(text.split())]
    return Region(union(word.box for word in words), kind, words=words)


def kinds(*front: Region, below: bool = True) -> list[str]:
    page = [*front, region("paragraph", TEXT), region("heading", "Wind", 12, bold=below), region("paragraph", TEXT)]
    return [part.kind for part in without_bylines(page)][: len(front)]


def test_names_between_title_and_text_are_no_headings() -> None:
    front = region("title", "Mills of the north", 17), region("heading", "Maren Tolk", 12), region("heading", "Drammen", 11)
    assert kinds(*front) == ["title", "paragraph", "paragraph"]


def test_bold_and_numbered_lines_and_those_as_large_as_the_title_stay_headings() -> None:
    title = region("heading", "Mills of the north", 17, bold=True)
    for head in (
        region("heading", "Abstract", 12, bold=True),
        region("heading", "1. Wind", 12),
        region("heading", "A history", 17),
    ):
        assert kinds(title, head) == ["heading", "heading"]


def test_where_headings_are_not_bold_nothing_tells_names_from_them() -> None:
    assert kinds(region("title", "Mills of the north", 17), region("heading", "Maren Tolk", 12), below=False) == [
        "title",
        "heading",
    ]


def test_what_follows_text_is_no_byline() -> None:
    page = region("title", "Mills", 17), region("paragraph", TEXT), region("heading", "Water", 12)
    assert kinds(*page) == ["title", "paragraph", "heading"]


def test_a_page_without_text_has_no_bylines() -> None:
    page = [region("title", "Mills", 28), region("heading", "Wind", 18), region("heading", "Water", 12, bold=True)]
    assert without_bylines(page) == page
    assert without_bylines([*page, region("paragraph", TEXT)])[1].kind == "paragraph"
