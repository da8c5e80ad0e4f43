from tasks.parse.kinds.contents import entries_of
from tasks.parse.layout.words import Word
from tests.tasks.parse.layout.pages import a_row, a_sentence

NAMES = ["Sluices", "Wheels", "Stones", "Grain and flour", "Trade"]


def led(*pages: int) -> list[Word]:
    return [word for n, page in enumerate(pages) for word in a_sentence(f"{NAMES[n]} ........ {page}", 0, 20 * n)]


def bare(*pages: str) -> list[Word]:
    return [word for n, page in enumerate(pages) for word in a_row(20 * n, NAMES[n], page, width=200)]


def test_lines_that_lead_to_pages_are_entries() -> None:
    assert entries_of(led(1, 4, 9)) == ["Sluices ........ 1", "Wheels ........ 4", "Stones ........ 9"]
    assert entries_of(led(1, 4)) is None


def test_texts_with_pages_that_never_fall_are_entries() -> None:
    assert entries_of(bare("1", "4", "4", "17", "120")) == [
        f"{name} {page}" for name, page in zip(NAMES, (1, 4, 4, 17, 120), strict=True)
    ]


def test_other_figures_are_a_table() -> None:
    assert entries_of(bare("1", "4", "3", "17", "120")) is None
    assert entries_of(bare("7", "7", "7", "7", "7")) is None
    assert entries_of(bare("1", "4", "4", "17", "1.2")) is None
    assert entries_of(bare("1", "4", "9")) is None
    assert entries_of([]) is None
