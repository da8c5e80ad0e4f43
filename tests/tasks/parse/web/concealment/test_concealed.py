import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.parse.web.document import parse_html


def read(page: str) -> tuple[str, str]:
    """Return the text of a page, and what it conceals."""
    blocks = parse_html(page.encode(), False).blocks
    shown = (block.text or " ".join(cell.text for cell in block.cells) for block in blocks if block.kind != "hidden")
    return " ".join(shown), " ".join(block.text for block in blocks if block.kind == "hidden")


SHOWN_AGAIN = {
    "visibility": '<div style="visibility:hidden"><p style="visibility: visible">seen</p></div>',
    "visibility, two levels down": '<div style="visibility:hidden"><div><b style="VISIBILITY:visible">seen</b></div></div>',
    "a size in pixels": '<td style="font-size:0px"><div style="font-size:14px">seen</div>',
    "a size in points": '<div style="font-size:0"><p style="font-size:11pt">seen</p></div>',
    "a size by name": '<div style="font-size:0"><p style="font-size:medium">seen</p></div>',
    "a size of the root": '<div style="font-size:0"><p style="font-size:1rem">seen</p></div>',
    "a size by the shorthand": '<div style="font: 0/0 a"><p style="font: italic 700 14px/1.4 Arial">seen</p></div>',
    "a size that is computed": '<div style="font-size:0"><p style="font-size:clamp(1rem, 2vw, 2rem)">seen</p></div>',
    "a colour": '<div style="color:#fff;background:#fff"><p style="color:#333">seen</p></div>',
    "a ground": '<div style="color:white;background:white"><p style="background:navy">seen</p></div>',
    "a picture behind": '<div style="color:white;background:white"><p style="background:url(x.png)">seen</p></div>',
    "display given beside hidden": '<p hidden style="display:block">seen</p>',
    "a later declaration": '<p style="display:none;display:block">seen</p>',
    "an important one": '<p style="visibility:visible !important;visibility:hidden">seen</p>',
    "the body": '<body style="opacity:0;visibility:hidden"><p>seen</p>',
    "cells of a table": '<table style="font-size:0"><tr><th style="font-size:9px">seen<tr><td style="font-size:9px">seen</table>',
}


@pytest.mark.parametrize("page", SHOWN_AGAIN.values(), ids=SHOWN_AGAIN)
def test_a_child_may_be_seen_in_a_hidden_parent(page: str) -> None:
    shown, hidden = read(f"<p>first</p>{page}")
    assert "seen" in shown
    assert hidden == ""


STILL_HIDDEN = {
    "a parent that is not displayed": '<div style="display:none"><p style="display:block;visibility:visible">secret</p></div>',
    "a share of nothing": '<div style="font-size:0"><p style="font-size:150%">secret</p></div>',
    "sizes that shrink": '<div style="font-size:4px"><p style="font-size:.25em">secret</p></div>',
    "the text beside a child": '<div style="visibility:hidden">secret <b style="visibility:visible">seen</b></div>',
    "an inherited colour": '<div style="color:white"><p style="background:#ffffff">secret</p></div>',
    "nearly the same colour": '<p style="color:#fefefe;background-color:#fff">secret</p>',
    "named colours": '<p style="color:Navy;background:navy">secret</p>',
    "no colour": '<p style="color:transparent">secret</p><p style="background:red">x</p>',
    "an attribute for the colour": '<table><tr><td bgcolor="#ffffff"><font color="white">secret</font></table>',
    "the shorthand for type": '<p style="font: 0/0 a">secret</p>',
    "an important declaration": '<p style="display:none !important;display:block">secret</p>',
    "a closed dialog": "<dialog><p>secret</p></dialog>",
    "opacity alone": '<p style="opacity:0">secret</p>',
    "opacity of a parent": '<div style="opacity:0.0"><p style="opacity:1">secret</p></div>',
    "a cell": "<table><tr><th>a<th hidden>secret<tr><td>b<td hidden>c</table>",
}


@pytest.mark.parametrize("page", STILL_HIDDEN.values(), ids=STILL_HIDDEN)
def test_what_nothing_shows_is_hidden(page: str) -> None:
    shown, hidden = read(f"<p>first</p>{page}")
    assert "secret" not in shown
    assert "secret" in hidden, "and is kept as hidden text"


REACHED = {
    "a panel of tabs": '<div role="tabpanel" hidden>seen</div>',
    "a panel that a tab controls": '<button aria-controls="p2">B</button><div id="p2" hidden>seen</div>',
    "a panel that a tab labels": '<button id="t2">B</button><div aria-labelledby="t2" hidden>seen</div>',
    "a link to it": '<a href="#c1">More</a><div id="c1" style="display:none">seen</div>',
    "a target of Bootstrap": '<button data-bs-target="#c1">More</button><div id="c1" style="display:none">seen</div>',
    "a handler": """<span onclick="toggle('c1')">More</span><div id="c1" style="display:none">seen</div>""",
    "a word in common": '<button data-tab="win">Windows</button><div data-panel="win" style="display:none">seen</div>',
    "a script by class": "<script>all('.panel').show()</script><div class=panel style='display:none'>seen</div>",
    "a script by id": "<script>document.getElementById('late').hidden = false</script><div id=late hidden>seen</div>",
    "a tab that is an item of a list": '<ul><li data-tab="t2">B</ul><div id="t2" style="display:none">seen</div>',
    "what expands stands before it": '<h3><button aria-expanded="false">More</button></h3><div hidden>seen</div>',
    "a class of accordions": '<div class="accordion-content" style="display:none">seen</div>',
    "a class of panes": '<div class="tab-pane" style="display:none">seen</div>',
    "details": "<details><summary>More</summary>seen</details>",
    "a dialog that a button opens": '<button commandfor="d" command="show-modal">Open</button><dialog id="d">seen</dialog>',
    "an open dialog": "<dialog open>seen</dialog>",
    "found in the page": '<div hidden="until-found">seen</div>',
    "hidden from screen readers": '<section aria-hidden="true">seen</section>',
    "a block that moves in": '<div style="opacity:0;transform:translateY(40px)">seen</div>',
    "a block that fades in": '<div style="opacity: 0" data-aos="fade-up">seen</div>',
    "a class of a library": '<div class="card wow fadeInUp" style="visibility:hidden">seen</div>',
    "a shadow root": '<x-a><template shadowrootmode="open"><p>seen</p></template></x-a>',
    "a shadow root in another": (
        '<x-a><template shadowrootmode="open"><x-b><template shadowrootmode="closed">seen</template></x-b></template></x-a>'
    ),
}


@pytest.mark.parametrize("page", REACHED.values(), ids=REACHED)
def test_what_a_click_or_a_script_shows_is_text(page: str) -> None:
    shown, hidden = read(f"<p>first</p>{page}")
    assert "seen" in shown
    assert hidden == ""


def test_templates_and_scripts_are_no_text() -> None:
    shadow = "<x-a><template shadowrootmode=open>d<template>e</template></template></x-a>"
    page = f"<p>a</p><template><p>b</p></template><script>c</script>{shadow}"
    assert read(page) == ("a d", "")


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["visibility:hidden", "visibility:visible", "font-size:0", "font-size:12px", "margin:0", "font-size:2em"]
        ),
        max_size=6,
    )
)
def test_no_word_is_lost_and_the_nearest_declaration_counts(styles: list[str]) -> None:
    page = "<p>first</p>" + "".join(f'<div style="{style}">' for style in styles) + "word"
    shown, hidden = read(page)
    visible, size = True, 16.0
    for style in styles:
        visible = style.endswith("visible") if style.startswith("visibility") else visible
        size = {"font-size:0": 0.0, "font-size:12px": 12.0, "font-size:2em": 2 * size}.get(style, size)
    assert (shown, hidden) == (("first word", "") if visible and size else ("first", "word"))
