"""Runs are reported to a server that is named, or that this user started, if it answers as Prefect does; to no other listener."""

import base64
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import NamedTuple

import pytest

from flows.cli.server import find_users_listening, get_prefect_server_url, report_to_prefect_server
from tests.flows.ports import free_port

LOGIN = "Basic " + base64.b64encode(b"me:secret").decode()
GOES_ON = ": this run continues without a server and does not appear in its UI\n"


class Page(NamedTuple):
    """What a listener answers at one path, and the header without which it answers 401."""

    body: object
    login: str | None = None


PREFECT = {"/api/health": Page(True), "/api/admin/version": Page("3.8.8")}
BEHIND_A_LOGIN = {**PREFECT, "/api/admin/version": Page("3.8.8", LOGIN)}
OTHERS = {"a server of files": {}, "another service with a health page": {"/api/health": Page({"status": "ok"})}}

Listen = Callable[[dict[str, Page]], int]


@pytest.fixture(autouse=True)
def _no_server_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PREFECT_API_URL", "PREFECT_PROFILE", "PREFECT_PROFILES_PATH", "PREFECT_API_AUTH_STRING"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path / "prefect"))
    monkeypatch.setenv("PAGEMILL_RUN_DIR", str(tmp_path))


@pytest.fixture
def listen() -> Iterator[Listen]:
    started: list[HTTPServer] = []

    def start(pages: dict[str, Page]) -> int:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                page = pages.get(self.path)
                known = page and page.login in (None, self.headers.get("Authorization"))
                self.send_response(404 if page is None else 200 if known else 401)
                self.end_headers()
                self.wfile.write(json.dumps(page.body).encode() if page and known else b"<html>")

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing."""

        started.append(HTTPServer(("127.0.0.1", 0), Handler))
        threading.Thread(target=started[-1].serve_forever, daemon=True).start()
        return started[-1].server_port

    yield start
    for server in started:
        server.shutdown()
        server.server_close()


def test_without_any_server_nothing_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert get_prefect_server_url() is None
    assert capsys.readouterr().err == ""


def start(folder: Path, port: int, mode: int = 0o600) -> str:
    """Write what `make up` writes for a server on a port; return its URL."""
    url = f"http://127.0.0.1:{port}/api"
    (folder / "server.env").write_text(f"export PREFECT_API_URL={url}\nexport PREFECT_API_AUTH_STRING=me:secret\n")
    (folder / "server.env").chmod(mode)
    return url


def test_the_server_that_this_user_started_is_found_with_its_login(listen: Listen, tmp_path: Path) -> None:
    from prefect.settings import PREFECT_API_AUTH_STRING, PREFECT_API_URL

    url = start(tmp_path, listen(BEHIND_A_LOGIN))
    assert get_prefect_server_url() == url
    with report_to_prefect_server(url):
        assert (PREFECT_API_URL.value(), PREFECT_API_AUTH_STRING.value()) == (url, "me:secret")


def test_a_server_that_was_stopped_is_not_missed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    start(tmp_path, free_port())
    assert get_prefect_server_url() is None
    assert capsys.readouterr().err == ""


def test_a_file_that_others_could_have_written_names_no_server(listen: Listen, tmp_path: Path) -> None:
    start(tmp_path, listen(BEHIND_A_LOGIN), mode=0o660)
    assert get_prefect_server_url() is None


def test_a_listener_that_nobody_named_is_asked_nothing(listen: Listen) -> None:
    assert listen(PREFECT) and get_prefect_server_url() is None


@pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes another user")
def test_another_user_who_listens_on_the_port_gets_no_login(tmp_path: Path) -> None:
    listening = (
        "import os, socket, sys\nos.setgid(65534)\nos.setuid(65534)\nlistener = socket.create_server(('127.0.0.1', 0))\n"
        "print(listener.getsockname()[1], flush=True)\nlistener.accept()[0].sendall(b'asked')"
    )
    with subprocess.Popen([sys.executable, "-c", listening], stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        port = int(other.stdout.readline())
        assert find_users_listening(port) == {65534}
        start(tmp_path, port)
        assert get_prefect_server_url() is None and other.poll() is None, "it still waits for somebody to ask"
        other.kill()


@pytest.mark.parametrize("pages", OTHERS.values(), ids=OTHERS)
def test_a_listener_that_is_no_prefect_server_is_told_in_one_line(
    listen: Listen, pages: dict[str, Page], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    port = listen(pages)
    start(tmp_path, port)
    assert get_prefect_server_url() is None
    assert capsys.readouterr().err == f"pagemill: no Prefect server answers at http://127.0.0.1:{port}/api{GOES_ON}"


@pytest.mark.parametrize("url", ["http://127.0.0.1:{port}/api", "nonsense", "http://127.0.0.1:x/api", "http://[/api"])
def test_a_server_that_is_named_and_does_not_answer_is_told_in_one_line(
    url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    named = url.format(port=free_port())
    monkeypatch.setenv("PREFECT_API_URL", named)
    assert get_prefect_server_url() is None
    assert capsys.readouterr().err == f"pagemill: no Prefect server answers at {named}{GOES_ON}"


def test_a_server_that_wants_a_login_gets_it_and_is_told_where_it_is_missing(
    listen: Listen, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    url = f"http://127.0.0.1:{listen(BEHIND_A_LOGIN)}/api"
    monkeypatch.setenv("PREFECT_API_URL", url)
    assert get_prefect_server_url() is None
    assert (
        capsys.readouterr().err
        == f"pagemill: the Prefect server at {url} requires a login (set PREFECT_API_AUTH_STRING){GOES_ON}"
    )
    monkeypatch.setenv("PREFECT_API_AUTH_STRING", "me:secret")
    assert get_prefect_server_url() == url


def test_a_password_in_the_address_logs_in_and_is_not_shown(
    listen: Listen, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    port = listen(BEHIND_A_LOGIN)
    monkeypatch.setenv("PREFECT_API_URL", f"http://me:secret@127.0.0.1:{port}/api")
    assert get_prefect_server_url() == f"http://me:secret@127.0.0.1:{port}/api"
    monkeypatch.setenv("PREFECT_API_URL", f"http://me:wrong@127.0.0.1:{port}/api")
    assert get_prefect_server_url() is None
    assert "wrong" not in capsys.readouterr().err


def test_the_server_of_the_active_profile_is_found(listen: Listen, tmp_path: Path) -> None:
    url = f"http://127.0.0.1:{listen(BEHIND_A_LOGIN)}/api"
    (tmp_path / "prefect").mkdir()
    (tmp_path / "prefect/profiles.toml").write_text(
        f'active = "here"\n[profiles.here]\nPREFECT_API_URL = "{url}"\nPREFECT_API_AUTH_STRING = "me:secret"\n'
    )
    assert get_prefect_server_url() == url


def test_a_broken_profile_names_no_server(tmp_path: Path) -> None:
    (tmp_path / "prefect").mkdir()
    for broken in ("active = ", 'active = "x"\n', "profiles = 3\nactive = 4\n", 'active = "x"\nprofiles.x = 3\n'):
        (tmp_path / "prefect/profiles.toml").write_text(broken)
        assert get_prefect_server_url() is None
