import pytest

from tests.tasks.parse.web.test_document import blocks, kinds

PARTED = {
    '<span style="display:block">Price</span><span style="display:block">10 kg</span>': "Price\n10 kg",
    '<a style="DISPLAY: Block !important">Price</a>10 kg': "Price\n10 kg",
    '<span style="display:block;float:left">1</span>Tides': "1 Tides",
    'Price<span style="display: flex">10 kg</span>': "Price\n10 kg",
    'Price<b style="display:grid">10</b>kg': "Price\n10\nkg",
    '<span style="display:table-cell">Price</span><span style="display:table-cell">10 kg</span>': "Price 10 kg",
    '<span style="display:inline-block;padding:0 4px">Price</span><span>10 kg</span>': "Price 10 kg",
    '<span style="display:inline-flex;margin-right:9px">Price</span>10 kg': "Price 10 kg",
    '<span style="display:flex"><b>Price</b><b>10 kg</b></span>': "Price\n10 kg",
    '<i style="display:inline-block">P</i><i style="display:inline-block">rice</i>': "Price",
    '<span style="display:inline">Pri</span>ce': "Price",
    '<span style="white-space:pre">Price\n  10   kg</span>': "Price\n10 kg",
    '<b style="white-space: pre-wrap">Price</b>\n10 kg': "Price 10 kg",
    '<span style="white-space:pre-line">Price\r\n<i style="white-space:normal">10\nkg</i>\nnet</span>': "Price\n10 kg\nnet",
    '<span style="white-space:nowrap">Price\n10 kg</span>': "Price 10 kg",
    '<span style="white-space:inherit">Price\n10 kg</span>': "Price 10 kg",
}


@pytest.mark.parametrize(("line", "text"), PARTED.items())
def test_styles_part_words_as_readers_see_them(line: str, text: str) -> None:
    assert kinds(f"<p>{line}</p>") == [("paragraph", text)]


def test_a_heading_of_several_lines_is_one_heading() -> None:
    (heading,) = blocks('<h2><span style="display:block">Part 1</span> The Quay</h2>')
    assert (heading.kind, heading.text) == ("heading", "Part 1\nThe Quay")


def test_a_block_keeps_its_lines_and_what_is_behind_it_does_not() -> None:
    page = '<div style="white-space:pre">a\nb</div><p>c\nd</p><td style="white-space:pre">'
    assert kinds(page) == [("paragraph", "a\nb"), ("paragraph", "c d")]


def test_pictures_on_lines_of_their_own_are_figures() -> None:
    assert kinds('<a href="x"><img style="display:block" alt="Map"></a>') == [("figure", "Map")]
