import pytest

from tasks.parse.kinds.footnotes import with_footnotes
from tests.tasks.parse.kinds.test_bylines import region

NOTED = {
    "the fee was raised³ in May": "3 Decree of 4 May.",
    "(in 1998^12)": "12. Decree of 4 May.",
    "raised[7].": "7 Decree of 4 May.",
    "the “fee.”86 It": "⁸⁶ Decree of 4 May.",
    "raised* in May": "* Decree of 4 May.",
}


@pytest.mark.parametrize(("text", "foot"), NOTED.items())
def test_a_footer_whose_mark_is_raised_in_the_text_is_a_footnote(text: str, foot: str) -> None:
    assert [part.kind for part in with_footnotes([region("paragraph", text), region("furniture", foot)])][1] == "footnote"


@pytest.mark.parametrize("foot", ["4 Annual report 2024", "3 | 12", "3", "May 3 report", "12 Annual report 2024"])
def test_other_footers_stay_footers(foot: str) -> None:
    page = [region("paragraph", "the fee was raised³ by 0.12 and 3.12 in CO12"), region("furniture", foot)]
    assert with_footnotes(page) == page
