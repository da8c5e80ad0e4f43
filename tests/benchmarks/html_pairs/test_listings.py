"""Lines of code of books: what HTML has of them, and what Markdown has."""

from collections import Counter
from pathlib import Path

from benchmarks.html_pairs.listings import Listings, Share, code_in_html, code_in_markdown, listings_row, share_of

PAGE = b"<p>Text</p><pre>for <b>sack</b> in sacks:\n    pour(sack)\n}</pre><table><tr><td>pour(rye)</td></tr></table>"
MARKDOWN = "# Mills\n\n```\nfor sack in  sacks:\n```\n\npour(sack)\n\n```\nTo be seen\n```\n"


def test_lines_of_code_are_counted_without_their_spaces_and_short_ones_are_left_out() -> None:
    assert code_in_html([PAGE, PAGE]) == Counter({"for sack in sacks:": 2, "pour(sack)": 2})
    assert code_in_markdown(MARKDOWN) == Counter({"for sack in sacks:": 1, "To be seen": 1})


def test_a_line_that_is_read_as_text_is_not_found() -> None:
    listings = Listings("mills", Path("mills.pdf"), code_in_html([PAGE]))
    assert share_of(listings, MARKDOWN) == Share(n_lines=2, n_right=1, n_found=2)


def test_shares_are_of_all_books() -> None:
    assert listings_row([Share(2, 1, 2), Share(8, 8, 8)]) == [10, 0.9, 0.9]
    assert listings_row([Share(2, 0, 0)]) == [2, 0.0, None]
