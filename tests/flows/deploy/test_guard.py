import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flows.deploy.guard import (
    BODY_BYTES,
    KEY_HEADER,
    RUNS_CODE,
    Guard,
    Message,
    Receive,
    Scope,
    Send,
    find_refused_field,
    list_own_host_names,
)

PLACES = list_own_host_names(["https://flows.example.org/api"], 4200)
KEY = "a key of deployments"


class Asked:
    """An application that notes what reaches it, behind a guard."""

    def __init__(self, key: str = KEY) -> None:
        self.bodies: list[bytes] = []
        self.sent: list[Message] = []
        self._guarded = Guard(self._answer, PLACES, key)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.bodies.append((await receive()).get("body", b""))

    def ask(self, method: str = "GET", path: str = "/api/flows", body: Any = None, kind: str = "http", **head: str) -> bool:
        """Send a request in two parts; return whether it was let through."""
        content = b"" if body is None else json.dumps(body).encode()
        parts = [
            {"type": "http.request", "body": content[:3], "more_body": True},
            {"type": "http.request", "body": content[3:], "more_body": False},
        ]
        given = {"host": "127.0.0.1:4200", **{name.replace("_", "-"): value for name, value in head.items()}}
        scope = {
            "type": kind,
            "path": path,
            "headers": [(name.encode(), value.encode()) for name, value in given.items()],
            **({"method": method} if kind == "http" else {}),
        }

        async def receive() -> Message:
            return parts.pop(0)

        async def send(message: Message) -> None:
            self.sent.append(message)

        before = len(self.bodies)
        running = self._guarded(scope, receive, send)
        with pytest.raises(StopIteration):
            running.send(None)  # nothing in it waits
        return len(self.bodies) > before


@pytest.mark.parametrize("host", ["127.0.0.1:4200", "localhost:4200", "[::1]:4200", "flows.example.org"])
def test_it_is_asked_by_each_of_its_names(host: str) -> None:
    assert Asked().ask(host=host)


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:4200", "127.0.0.1.evil.example", "", "127.0.0.2", "me@evil.example"]
)
def test_a_name_that_was_rebound_to_this_machine_is_refused(host: str) -> None:
    asked = Asked()
    assert not asked.ask(host=host)
    assert asked.sent[0]["status"] == 403


@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:3000", "https://127.0.0.1:4200", ""])
def test_another_origin_is_refused_for_requests_and_sockets(origin: str, kind: str) -> None:
    assert not Asked().ask("POST", kind=kind, origin=origin)
    assert not Asked().ask("GET", kind=kind, origin=origin)


@pytest.mark.parametrize("origin", ["http://127.0.0.1:4200", "http://localhost:4200", "https://flows.example.org"])
def test_its_own_pages_ask_it(origin: str) -> None:
    assert Asked().ask("POST", origin=origin, sec_fetch_site="same-origin", body={})
    assert Asked().ask("POST", origin=origin, sec_fetch_site="cross-site", body={}), "127.0.0.1 asked from localhost"


def test_other_sites_may_link_to_a_page_and_nothing_else() -> None:
    from_a_link = {"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate"}
    assert Asked().ask("GET", "/runs/flow-run/1", **from_a_link)
    assert not Asked().ask("GET", "/api/flow_runs/1", **from_a_link)
    assert not Asked().ask("POST", "/runs", **from_a_link)
    assert not Asked().ask("GET", "/runs", sec_fetch_site="cross-site", sec_fetch_mode="no-cors")
    assert not Asked().ask("GET", "/api/csrf-token", sec_fetch_site="same-site", sec_fetch_mode="no-cors")


@pytest.mark.parametrize("field", sorted(RUNS_CODE))
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH"])
def test_what_runs_is_changed_with_the_key_only(field: str, method: str) -> None:
    body = {"name": "x", "inner": [{field: {"a": 1}}]}
    asked = Asked()
    assert not asked.ask(method, "/api/deployments/", body)
    assert asked.sent[0]["status"] == 403 and field in json.loads(asked.sent[1]["body"])["detail"]
    assert asked.ask(method, "/api/deployments/", body, **{KEY_HEADER: KEY})
    assert not asked.ask(method, "/api/deployments/", body, **{KEY_HEADER: "another"})
    assert Asked(key="").ask(method, "/api/deployments/", body), "without a key the login alone decides"


@pytest.mark.parametrize("depth", [490, 600, 900])
def test_a_field_beside_what_is_nested_deeply_is_found(depth: int) -> None:
    """A search that gave up on 500 objects in each other let through what Prefect reads well."""
    deep = b'{"a":' * depth + b"1" + b"}" * depth
    assert find_refused_field(b'{"parameters": %s, "entrypoint": "evil.run"}' % deep).startswith("entrypoint: ")
    assert find_refused_field(b"[" * 100_000) == "the body is nested too deeply"


@pytest.mark.parametrize("field", sorted(RUNS_CODE))
@pytest.mark.parametrize("blank", [None, {}, []])
def test_what_runs_is_not_taken_away_either(field: str, blank: object) -> None:
    """Without its job variables a deployment would lose the list of what its runs may be given."""
    body = {field: blank}
    for path in ("/api/deployments/", "/api/deployments/1", "/api/work_pools/pagemill"):
        assert not Asked().ask("PATCH", path, body)
        assert Asked().ask("PATCH", path, body, **{KEY_HEADER: KEY})
    assert Asked().ask("POST", "/api/deployments/1/create_flow_run", body), "a run adds nothing to its deployment"


def test_a_body_without_an_end_is_not_kept() -> None:
    assert Asked().ask("POST", "/api/artifacts/", "a" * (BODY_BYTES - 2))
    asked = Asked()
    assert not asked.ask("POST", "/api/artifacts/", "a" * BODY_BYTES)
    assert "longer than 16 MiB" in json.loads(asked.sent[1]["body"])["detail"]


def test_a_body_that_was_read_reaches_the_server_whole() -> None:
    asked, body = Asked(), {"parameters": {"source": "a"}, "job_variables": {}, "entrypoint": None}
    assert asked.ask("POST", "/api/deployments/1/create_flow_run", body)
    assert asked.bodies == [json.dumps(body).encode()]


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from([*RUNS_CODE, "name", "a"]), inner),
        max_leaves=20,
    )
)
def test_a_field_is_found_at_any_depth_and_only_with_a_value(value: Any) -> None:
    def has(inner: Any) -> bool:
        if isinstance(inner, dict):
            return any((name in RUNS_CODE and bool(below)) or has(below) for name, below in inner.items())
        return isinstance(inner, list) and any(map(has, inner))

    assert bool(find_refused_field(json.dumps(value).encode())) is has(value)


@given(st.binary())
def test_what_is_no_json_is_left_to_the_server(body: bytes) -> None:
    try:
        json.loads(body)
    except ValueError:
        assert find_refused_field(body) == ""
