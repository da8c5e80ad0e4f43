"""A run started from the form in the UI, in a browser, as a person does it."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from schemas.corpus import Corpus
from tasks.store import published
from tests.deployments.deployed import Deployed

api = pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.slow


@pytest.fixture
def page(browser: Any, deployed: Deployed) -> Iterator[Any]:
    """A page of a browser in which somebody has logged in."""
    opened = browser.new_page(viewport={"width": 1300, "height": 1400})
    opened.set_default_timeout(30_000)
    opened.goto(f"http://127.0.0.1:{deployed.server.port}/deployments")
    opened.locator("input[type=password]").fill(deployed.server.login())
    opened.get_by_role("button", name="Login").click()
    api.expect(opened.get_by_text("refresh-nightly-reports").first).to_be_visible()
    yield opened
    opened.close()


def field(page: Any, label: str) -> Any:
    """Return the input of a parameter: the form binds no label to it."""
    shown = re.compile(rf"^{label}( \(Optional\))?$")
    named = page.locator(".schema-form-property__label").filter(has_text=shown)
    return page.locator(".p-label", has=named).last.locator("input, textarea").first


def test_one_option_changed_in_the_form_changes_this_option_only(deployed: Deployed, page: Any, tmp_path: Path) -> None:
    here = deployed.server.get("deployments/name/refresh/refresh-on-demand-reports")
    page.goto(f"http://127.0.0.1:{deployed.server.port}/deployments/deployment/{here['id']}/run")
    api.expect(page.get_by_text("folder of the corpus, made if it is new")).to_be_visible()
    field(page, "corpus").fill(str(tmp_path / "by-hand"))
    page.get_by_text("RefreshOptions").click()
    api.expect(page.get_by_text("longest chunk, in tokens of the embedder's tokenizer")).to_be_visible()
    size = field(page, "Size Tokens")
    assert size.input_value() == "200", "what pagemill.toml says"
    size.fill("60")
    with page.expect_response("**/create_flow_run") as created:
        page.get_by_role("button", name="Submit").click()
    run = deployed.await_end(created.value.json()["id"])
    assert run["state_name"] == "Completed", run["state"]["message"]
    options = json.loads(created.value.request.post_data)["parameters"]["options"]
    assert options["publish"]["lock_wait_seconds"] == 7200, "what the deployment says"
    live = published.read_live_generation(Corpus(run["parameters"]["corpus"]))
    assert (live.options["chunk"]["size_tokens"], run["parameters"]["corpus"]) == (60, str(tmp_path / "by-hand"))
    page.goto(f"http://127.0.0.1:{deployed.server.port}/runs/flow-run/{run['id']}?tab=Details")
    api.expect(page.get_by_text("generation 1: 1 added; 1 documents").first).to_be_visible()
