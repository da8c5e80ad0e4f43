import pytest
from markdown_it import MarkdownIt

from tasks.file_tools.rendering import render_as_markdown
from tasks.parse.elements.from_regions import element
from tasks.parse.text.markdown import parse_markdown

NESTED = [
    "- a\n\n  ```sh\n  run\n  ```\n- after",
    "1. a\n   - b\n\n     ~~~\n     run\n       more\n     ~~~\n2. after",
    "- ```\n  run\n  ```\n- after",
    "> ```\n> run\n> ```\n\nafter",
    "- a\n\n  ```\n  run",
    "````\n```\nrun\n```\n````\n\nafter",
    "```\nrun\n```\n\nafter",
    "- a\n\n  | b | c |\n  |---|---|\n  | 1 | 2 |\n\nafter",
]


@pytest.mark.parametrize("text", NESTED)
def test_a_listing_ends_where_it_ended(text: str) -> None:
    written = render_as_markdown(parse_markdown(text.encode())["elements"], furniture=False)
    listings = [token.content for token in MarkdownIt().enable("table").parse(written) if token.type in ("fence", "code_block")]
    assert not any("after" in listing for listing in listings)
    assert ("run" in text) == any("run" in listing for listing in listings)


def test_a_listing_with_fences_in_it_has_longer_ones() -> None:
    code = element(1, "code", "a\n```\nb\n````", start_char=0)
    (listing,) = [token for token in MarkdownIt().parse(render_as_markdown([code], furniture=False)) if token.type == "fence"]
    assert listing.content == "a\n```\nb\n````\n"
