"""Styles and how they dress a text; the shares of splits."""

from collections import Counter

from benchmarks.roundtrip.dressed import dress_headings
from benchmarks.roundtrip.packages import SHELVES
from benchmarks.roundtrip.styles import STYLES

BY_NAME = {style.name: style for style in STYLES}


def test_there_are_twenty_styles_of_both_splits_for_every_typesetter() -> None:
    assert len(BY_NAME) == len(STYLES) >= 20
    assert min(Counter((style.typesetter, style.split) for style in STYLES).values()) >= 2


def test_a_package_is_wholly_in_one_split() -> None:
    splits = {(shelf.package, shelf.split) for shelf in SHELVES}
    assert len(splits) == len({package for package, _ in splits}) >= 25
    assert len({shelf.kind for shelf in SHELVES}) >= 10


def test_headings_are_numbered_unless_they_have_numbers() -> None:
    style = BY_NAME["weasy-journal"]
    assert dress_headings("<h1>a</h1><p>x</p><h2>b</h2>", style) == "<h1>1 a</h1><p>x</p><h2>1.1 b</h2>"
    assert dress_headings("<h1>2.1. a</h1><h2>b</h2>", style) == "<h1>2.1. a</h1><h2>b</h2>"


def test_headings_in_capitals_keep_their_tags_and_entities() -> None:
    style = BY_NAME["weasy-law"]
    assert dress_headings("<h1>a <code>b</code> &amp; c</h1>", style) == "<h1>1 A <code>B</code> &amp; C</h1>"
