"""The page of `pagemill serve`, used in a browser as a person does, on a screen and on a telephone."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.flows.serving.conftest import Published
from tests.flows.serving.servers import Running, serving

api = pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.slow
TOKEN = "0123456789abcdef-token"
WAIT_MS = 60_000


@pytest.fixture
def page(browser: Any, request: pytest.FixtureRequest) -> Iterator[Any]:
    """A page of the width that the test names; it must not complain in its console, such as of what its policy forbids."""
    context = browser.new_context(viewport={"width": getattr(request, "param", 1400), "height": 900})
    context.set_default_timeout(WAIT_MS)
    opened, complaints = context.new_page(), list[str]()
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on("console", lambda said: complaints.append(said.text) if "Content Security Policy" in said.text else None)
    yield opened
    context.close()
    assert complaints == []


def ask(page: Any, url: str, question: str) -> None:
    page.goto(url)
    page.fill("#q", question)
    page.keyboard.press("Enter")


@pytest.mark.parametrize("page", [400, 1400], indirect=True)
def test_a_question_leads_to_the_passage_its_page_and_its_document(page: Any, server: Running) -> None:
    lines = ["Rainfall rose to 812 millimetres in the valley.", "The reservoir was full by March."]
    number = server.get("/search", q=lines[1])[1]["results"][0]["pages"][0]
    ask(page, server.url, lines[1])
    card = page.locator(".card").first
    api.expect(card).to_contain_text("The reservoir was full by March.")
    card.locator(".sheet img").wait_for()
    sheet, box = card.locator(".sheet").bounding_box(), card.locator(".box").bounding_box()
    assert sheet["x"] <= box["x"] and box["x"] + box["width"] <= sheet["x"] + sheet["width"]
    assert (box["y"] - sheet["y"]) / sheet["height"] == pytest.approx(86 / 842, abs=0.02), "where the line was drawn"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing sticks out"
    card.locator("h2 a").click()
    api.expect(page.locator(".pager")).to_contain_text(f"Page {number} of 2")
    page.locator(".frame.whole img").wait_for()
    assert page.locator(".frame.whole .box").count() == 1
    api.expect(page.locator(".marked")).to_have_text(lines[number - 1])
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator(".pager a").press("Enter")
    api.expect(page.locator(".words")).to_contain_text(lines[2 - number])
    assert page.evaluate("document.activeElement.id") == "view", "the keyboard goes on where it was"
    page.go_back()
    page.go_back()
    api.expect(page.locator(".card").first).to_contain_text("The reservoir was full by March.")


def test_markup_in_documents_stays_text(page: Any, server: Running) -> None:
    ask(page, server.url, "Feed the pump monthly")
    card = page.locator(".card", has_text="hostile.md").first
    api.expect(card).to_contain_text("<img src=x onerror=alert(1)>")
    api.expect(card.locator("header")).to_contain_text("<i>hostile.md")
    card.locator("h2 a").click()
    api.expect(page.locator(".open")).to_contain_text("<img src=x onerror=alert(1)>")
    api.expect(page.locator(".open")).not_to_contain_text("<script>")
    page.goto(f"{server.url}/?list=0")
    api.expect(page.locator(".list")).to_contain_text("<i>hostile.md")
    assert page.locator("main script, main i, main b, main img").count() == 0
    assert page.title() == "corpus · Pagemill"


def test_a_table_is_shown_as_a_table(page: Any, server: Running) -> None:
    ask(page, server.url, "What is the work in June?")
    table = page.locator(".card table").first
    api.expect(table.locator("th").first).to_have_text("month")
    api.expect(table).to_contain_text("plant")


def test_a_wrong_question_is_told_what_to_do(page: Any, server: Running) -> None:
    ask(page, server.url, "  ")
    api.expect(page.locator("#status")).to_have_text("Write a question first.")
    page.goto(f"{server.url}/?q=heron&where=colour%3D1")
    api.expect(page.locator("#status")).to_contain_text("colour")
    page.goto(f"{server.url}/?document=gone")
    api.expect(page.locator("#status")).to_contain_text("has no document gone")


def test_going_back_brings_back_what_was_asked(page: Any, server: Running) -> None:
    ask(page, server.url, "heron")
    api.expect(page.locator("#status")).to_contain_text("passage")
    page.click("summary")
    page.fill("[name=where]", "path = 'gone.md'")
    page.keyboard.press("Enter")
    api.expect(page.locator("#status")).to_contain_text("Nothing was found")
    page.go_back()
    api.expect(page.locator("#status")).to_contain_text("passage")
    assert page.input_value("[name=where]") == ""


def test_the_paths_are_explained(page: Any, server: Running) -> None:
    page.goto(f"{server.url}/docs")
    api.expect(page.locator("article")).to_have_count(5)
    api.expect(page.locator("article").first).to_contain_text("GET /search")


def test_without_a_source_the_page_says_that_there_is_no_picture_and_a_token_is_asked_for(
    page: Any, published_corpus: Published
) -> None:
    with serving(Path(published_corpus.corpus), PAGEMILL_SERVE_TOKEN=TOKEN) as locked:
        ask(page, locked.url, "The reservoir was full by March")
        page.fill("#login input", "a-token-of-another-server")
        page.keyboard.press("Enter")
        api.expect(page.locator("#status")).to_contain_text("This token is wrong")
        page.keyboard.type(TOKEN)
        page.keyboard.press("Enter")
        api.expect(page.locator(".card").first).to_contain_text("The reservoir was full by March.")
        api.expect(page.locator(".frame .none").first).to_contain_text("keeps no pictures of pages")
