import pytest

from tests.tasks.parse.web.test_document import blocks

LISTS = {
    "<ol>": ["1. ", "2. "],
    "<ol type=a>": ["a. ", "b. "],
    '<ol style="list-style-type: lower-alpha">': ["a. ", "b. "],
    '<ol type=a style="list-style: upper-roman inside">': ["I. ", "II. "],
    '<ol style="list-style-type:decimal-leading-zero">': ["01. ", "02. "],
    '<ol style="list-style-type:lower-greek" start=2>': ["\u03b2. ", "\u03b3. "],
    '<ol style="list-style-type: cjk-ideographic">': ["\u4e00. ", "\u4e8c. "],
    '<ol style="list-style:none">': ["", ""],
    '<ol style="list-style-type: disc">': ["", ""],
    '<ol style="list-style-type: unheard-of">': ["1. ", "2. "],
    '<ol style="color: red">': ["1. ", "2. "],
    '<ol class="upperalpha simple">': ["A. ", "B. "],
    '<ol class="arabic none">': ["1. ", "2. "],
    '<ul style="list-style-type: decimal">': ["1. ", "2. "],
    "<ul>": ["", ""],
    '<ul type="a">': ["", ""],
}


@pytest.mark.parametrize(("start", "markers"), LISTS.items())
def test_items_have_the_numbers_that_their_list_shows(start: str, markers: list[str]) -> None:
    found = blocks(f"{start}<li>x<li>x</{start[1:3]}>")
    assert [block.text for block in found] == [f"{marker}x" for marker in markers]
