"""Take the pictures of the Prefect UI in docs/: . .run/server.env && .venv/bin/python -m demo.screenshots.

After `make demo`, `make up` and `make deploy`; the file has the address and the login of the server.

Needs Chromium. The pictures show where the clone lies: take them in one like /srv/pagemill. It runs the demo's deployments, so
that there is something to see.
"""

import base64
import json
import os
import shutil
import subprocess
import time
import urllib.request
from pathlib import Path
from typing import Any, Final

API: Final = os.environ.get("PREFECT_API_URL", "http://127.0.0.1:4200/api")
LOGIN: Final = os.environ.get("PREFECT_API_AUTH_STRING", "")
UI: Final = API.removesuffix("/api")
DOCS: Final = Path("docs")
SOURCE: Final = Path("demo-corpus/source")
WIDTH, HEIGHT, TALL = 1180, 760, 1500
"""Pixels of the pictures; the page of a corpus is tall, so that its trend is on it."""
CLIENT: Final = "pagemill-screenshots"
DEPLOYMENT: Final = "refresh/refresh-nightly"


def main() -> None:
    """Run the night three times with changes between, then take pictures of a run, a corpus and the form.

    Raises:
        SystemExit: Chromium is missing.
    """
    chromium = shutil.which("chromium")
    if chromium is None:
        raise SystemExit("chromium is missing: make test installs it")
    for night in ("first", "second", "third"):
        (SOURCE / f"{night}-night.txt").write_text(f"On the {night} night the tide came in at six, and the crew slept aboard.\n")
        subprocess.run([".venv/bin/prefect", "deployment", "run", DEPLOYMENT, "--watch"], check=True, env={**os.environ, **at()})
    time.sleep(30)  # the evaluation of the last night
    pictures = {
        "ui-run.png": f"{UI}/artifacts/artifact/{artifact('refresh-summary-')}",
        "ui-corpus.png": f"{UI}/artifacts/artifact/{artifact('corpus-')}",
        "ui-form.png": f"{UI}/deployments/deployment/{ask(f'deployments/name/{DEPLOYMENT}')['id']}/run",
    }
    take(pictures, chromium)


def at() -> dict[str, str]:
    """Return the variables that lead Prefect to the server."""
    return {"PREFECT_API_URL": API, "NO_COLOR": "1"}


def ask(path: str, body: dict[str, Any] | None = None) -> Any:
    """Return the server's answer to a GET, or to a POST of `body`."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json", "Authorization": f"Basic {base64.b64encode(LOGIN.encode()).decode()}"}
    if data is not None:
        headers |= {"Prefect-Csrf-Client": CLIENT, "Prefect-Csrf-Token": ask(f"csrf-token?client={CLIENT}")["token"]}
    request = urllib.request.Request(f"{API}/{path}", data, headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def artifact(key: str) -> str:
    """Return the id of the newest artifact whose key begins with `key`."""
    found = ask("artifacts/latest/filter", {"artifacts": {"key": {"like_": f"{key}%"}}})
    newest = max((one for one in found if one["key"].startswith(key)), key=lambda one: one["updated"])
    return str(newest["latest_id"])


def take(pictures: dict[str, str], chromium: str) -> None:
    """Save a picture of each page, in 64 colours."""
    from PIL import Image
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        root = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=chromium, args=root)
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        page.goto(f"{UI}/login", wait_until="networkidle")
        page.locator("input").first.fill(LOGIN)
        page.keyboard.press("Enter")
        page.wait_for_timeout(1500)
        for name, address in pictures.items():
            page.set_viewport_size({"width": WIDTH, "height": TALL if name == "ui-corpus.png" else HEIGHT})
            page.goto(address, wait_until="networkidle")
            if name == "ui-form.png":
                page.get_by_text("RefreshOptions").click()
            page.wait_for_timeout(1500)
            page.screenshot(path=DOCS / name)
            small = Image.open(DOCS / name).convert("RGB").quantize(64)
            small.save(DOCS / name, optimize=True)
        browser.close()


if __name__ == "__main__":
    main()
