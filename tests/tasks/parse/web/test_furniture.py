import pytest

from tasks.parse.web.document import parse_html

PROSE = "We show that spring tides raise the load of the gate by twelve percent, and that nobody has seen it before this winter."
MENU = "".join(f'<a href="/{n}">Part {n}</a> ' for n in range(6))
CONTENTS = "<ul><li><a href='#a'>Intro</a><li><a href='#b'>Methods</a><li><a href='#c'>Results</a></ul>"


def kinds(page: str, word: str) -> set[str]:
    """Return the kinds of the blocks of a page with a word in them."""
    return {block.kind for block in parse_html(page.encode(), False).blocks if word in block.text}


CONTENT = {
    "a warning in the text": f"<main><p>a</p><aside class=warning>{PROSE}</aside></main>",
    "a short warning in the text": "<main><p>a</p><aside><p>Never open tides first.</p></aside></main>",
    "a warning in a page by its role": "<div role=main><p>a</p><aside>Never open tides first.</aside></div>",
    "a note in a page without sections": "<p>a</p><aside>Mind the tides.</aside><p>b</p>",
    "a long remark beside the text": f"<main><p>a</p></main><aside>{PROSE}</aside>",
    "an abstract in the header": f"<header><h1>T</h1><div>{PROSE}</div></header><p>a</p>",
    "who wrote it": "<header><h1>T</h1><p>Tides Berg</p><p>2024</p></header><p>a</p>",
    "a lead without a heading": f"<header><p>{PROSE}</p></header><p>a</p>",
    "who is quoted": "<blockquote><p>a</p><footer>Tides Berg</footer></blockquote>",
    "the source of a figure": "<figure><img alt=x><footer>Photo: tides</footer></figure>",
    "the end of an article": "<article><p>a</p><footer>By tides</footer></article>",
    "a long remark below the text": f"<main><p>a</p></main><footer><p>{PROSE}</p></footer>",
    "notes": f"<p>a</p><aside role=doc-endnotes><p>{PROSE}</p></aside>",
    "a complement in prose": f"<main><p>a</p></main><div role=complementary>{PROSE}</div>",
    "prose named contents": f"<div class=contents><p>{PROSE} <a href=#a>more</a></p></div>",
}


@pytest.mark.parametrize("page", CONTENT.values(), ids=CONTENT)
def test_prose_around_the_content_is_text(page: str) -> None:
    found = kinds(page, "tides") | kinds(page, "Tides")
    assert found
    assert "furniture" not in found


FURNITURE = {
    "a menu": f"<nav>{MENU}</nav><p>a</p>",
    "a menu by its role": f"<div role=navigation>{MENU}</div><p>a</p>",
    "links beside the text": f"<main><p>a</p><aside>See also {MENU}</aside></main>",
    "the head of a site": f"<header><b>Site</b>{MENU}</header><p>a</p>",
    "the head of a site by its role": f"<div role=banner><b>Site</b>{MENU}</div><p>a</p>",
    "the foot of a site": f"<main><p>a</p></main><footer>{MENU}</footer>",
    "an imprint": "<p>a</p><footer>Part of Quay Ltd</footer>",
    "rights": f"<p>a</p><footer><p>© 2024 Part Ltd. All rights reserved. {PROSE}</p></footer>",
    "a link below an article": "<section><p>a</p><footer><a href=/e>Edit Part on GitHub</a></footer></section>",
    "rights below an article": "<main><p>a</p><footer>Previous Part © Copyright 2022, Quay. Built with Sphinx</footer></main>",
    "a table of contents": f'<nav role="doc-toc">{CONTENTS.replace("Intro", "Part")}</nav><p>a</p>',
    "a table of contents by its id": f'<div id="toc"><b>Contents</b>{CONTENTS.replace("Intro", "Part")}</div><p>a</p>',
    "a table of contents by its class": f'<div class="table-of-contents">{CONTENTS.replace("Intro", "Part")}</div><p>a</p>',
    "a table of one entry": '<ul class="toc"><li><a href="#a">Part</a></ul><p>a</p>',
    "a search": "<div role=search>Part</div><p>a</p>",
    "a sidebar of few words": "<main><p>a</p></main><aside>Part of it</aside>",
}


@pytest.mark.parametrize("page", FURNITURE.values(), ids=FURNITURE)
def test_menus_and_contents_are_furniture(page: str) -> None:
    assert kinds(page, "Part") == {"furniture"}


def test_a_heading_in_the_head_of_a_site_stays_a_heading() -> None:
    assert kinds(f"<div role=banner><h1>Tides</h1>{MENU}</div><p>a</p>", "Tides") == {"heading"}
