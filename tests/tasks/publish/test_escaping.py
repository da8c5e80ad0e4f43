import re
from collections.abc import Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from schemas.shown import plain
from tasks.publish.escaping import WORD_JOINER, Markup, escape_markdown, format_markdown_list, format_markdown_table
from tests.tasks.hostile import HOSTILE

VIEWER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
STRUCTURE = {"paragraph", "table", "thead", "tbody", "tr", "th", "td", "bullet_list", "list_item", "inline", "text"}
"""What names and messages may become a part of; `link`, `image`, `html_inline`, `code_inline`, `em` and others are not here."""

MARKED = st.text(st.sampled_from("[]()<>!`*_~|\\&#;:/.@-+=1 \n\taww.http"), max_size=30) | st.text(max_size=20)


def tokens(markdown: str) -> Iterator[Token]:
    for token in VIEWER.parse(markdown):
        yield token
        yield from token.children or []


def kinds(markdown: str) -> set[str]:
    return {token.type.removesuffix("_open").removesuffix("_close") for token in tokens(markdown)}


def shown(markdown: str) -> list[str]:
    """The texts that a viewer shows, one for each cell or line."""
    inline = [token for token in VIEWER.parse(markdown) if token.type == "inline"]
    return ["".join(child.content for child in token.children or []).replace(WORD_JOINER, "") for token in inline]


@given(MARKED)
@example("[a]: javascript:alert(1)")
@example("a\\|b")
@example("&lt;img src=x&gt;")
@example("1. list")
@example("=")
def test_a_text_in_a_table_is_shown_as_it_is_and_does_nothing(text: str) -> None:
    markdown = format_markdown_table(["name", "n"], [[text, 1], ["next", 2]])
    assert kinds(markdown) - {"text_special"} <= STRUCTURE
    assert shown(markdown) == ["name", "n", plain(text).strip(), "1", "next", "2"]


@given(MARKED)
@example("# heading")
@example("- - -")
@example("> quote")
@example("    code")
def test_a_text_in_a_list_is_shown_as_it_is_and_does_nothing(text: str) -> None:
    assert kinds(format_markdown_list([text, "next"])) - {"text_special"} <= STRUCTURE
    assert shown(format_markdown_list([f"a {text} b", "next"])) == [plain(f"a {text} b").strip(), "next"]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_becomes_no_link_picture_or_html(name: str) -> None:
    html = VIEWER.render(format_markdown_table(["name"], [[name]]) + "\n\n" + format_markdown_list([name]))
    assert set(re.findall(r"<(\w+)", html)) == {"table", "thead", "tbody", "tr", "th", "td", "ul", "li"}


@pytest.mark.parametrize("address", ["http://evil.example/a", "www.evil.example", "HTTPS://evil.example", "ada@evil.example"])
def test_a_bare_address_is_broken_invisibly_so_that_no_viewer_links_it(address: str) -> None:
    """The viewer of the UI makes links of addresses in finished texts, where escapes are gone."""
    written = escape_markdown(address)
    assert written.replace(WORD_JOINER, "") == address
    assert not any(f"{start}{WORD_JOINER}" not in written for start in ("://", "@", "www") if start in address.lower())


def test_markup_of_our_own_acts() -> None:
    assert "link" in kinds(format_markdown_table(["run"], [[Markup("[run](http://127.0.0.1:4200/runs)")]]))


def test_a_very_long_name_is_shortened() -> None:
    assert len(escape_markdown("n" * 5_000 + ".pdf")) <= 300
