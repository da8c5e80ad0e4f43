"""Lines from right to left, given as they stand on a page."""

import pytest

from tasks.parse.pdf.leftward_order import Mark, reading_order


def read(shown: str, leftwards: bool = True) -> str:
    """Return what is read where `shown` stands on a page, each character ten points wide."""
    marks = [Mark(text, 10.0 * n, 10.0 * n + 10, 10.0) for n, text in enumerate(shown)]
    order = reading_order(marks, leftwards)
    return shown if order is None else "".join(text for _, text in order)


@pytest.mark.parametrize(
    ("shown", "said"),
    [
        ("\u05d3\u05d2 \u05d1\u05d0", "\u05d0\u05d1 \u05d2\u05d3"),
        (".\u05d1\u05d0 .1.2", "1.2. \u05d0\u05d1."),
        ("inetd \u05d1\u05d0 .9.6", "9.6. \u05d0\u05d1 inetd"),
        (":(socket) \u05d1\u05d0", "\u05d0\u05d1 (socket):"),
        (":)socket( \u05d1\u05d0", "\u05d0\u05d1 (socket):"),
        ("\u05d1 etc/inetd.conf/ \u05d0", "\u05d0 /etc/inetd.conf \u05d1"),
        (".(ABC) 1998 \u05d1\u05d0", "\u05d0\u05d1 1998 (ABC)."),
        ("\u05d1 25% \u05d0", "\u05d0 25% \u05d1"),
        ("\u05d1 argv[0] \u05d0", "\u05d0 argv[0] \u05d1"),
        ("\u05d1 12 34 \u05d0", "\u05d0 34 12 \u05d1"),
        (".The end of it", "The end of it."),
        ("devscripts .1.3", "1.3. devscripts"),
    ],
)
def test_a_line_is_read_from_the_right_with_words_of_other_scripts_and_numbers_from_the_left(shown: str, said: str) -> None:
    assert read(shown) == said


@pytest.mark.parametrize("shown", ["The end of it.", "plain words", "1.2 Sails", "..."])
def test_a_line_of_other_scripts_stays_as_it_is_unless_its_end_is_on_the_left(shown: str) -> None:
    assert read(shown) == shown


def test_words_from_right_to_left_in_a_line_that_is_not_are_turned_alone() -> None:
    assert (
        read("see \u05d3\u05d2 \u05d1\u05d0, and (\u05d4\u05d5) 12.", leftwards=False)
        == "see \u05d0\u05d1 \u05d2\u05d3, and (\u05d5\u05d4) 12."
    )


def test_a_mark_without_width_belongs_to_the_letter_whose_left_edge_it_has() -> None:
    marks = [Mark("\u0630", 0, 10, 10), Mark("\u064f", 10, 10, 10), Mark("\u064a", 10, 20, 10)]
    assert [n for n, _ in reading_order(marks, True) or ()] == [2, 1, 0]


def test_the_alef_of_a_ligature_follows_its_lam_wherever_the_font_puts_it() -> None:
    joined = [Mark("\u0644", 0, 10, 10), Mark("\u0627", 10, 10, 10), Mark(" ", 10, 20, 10), Mark("\u0645", 20, 30, 10)]
    apart = [Mark("\u0633", 0, 10, 10), Mark("\u0627", 10, 10, 10), Mark("\u0644", 10, 20, 10)]
    assert "".join(text for _, text in reading_order(joined, True) or ()) == "\u0645 \u0644\u0627"
    assert "".join(text for _, text in reading_order(apart, True) or ()) == "\u0644\u0627\u0633"
