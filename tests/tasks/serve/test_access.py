import pytest

from schemas.errors import InputError
from tasks.serve.access import HEADERS, find_refusal_of_request, require_token_if_exposed

TOKEN = "0123456789abcdef-token"


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "corpus.example.org"])
def test_a_host_that_others_reach_needs_a_token(host: str) -> None:
    for missing in (None, ""):
        with pytest.raises(InputError, match="PAGEMILL_SERVE_TOKEN"):
            require_token_if_exposed(host, missing)
    assert require_token_if_exposed(host, TOKEN) == TOKEN


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "localhost"])
def test_loopback_needs_none_but_keeps_one_that_is_given(host: str) -> None:
    assert require_token_if_exposed(host, None) is None
    assert require_token_if_exposed(host, TOKEN) == TOKEN


@pytest.mark.parametrize(
    "weak", ["short", "fifteen-letters", "has a space in it 123", "caf\u00e9-caf\u00e9-caf\u00e9-caf\u00e9", "x" * 513]
)
def test_a_weak_or_odd_token_is_refused(weak: str) -> None:
    with pytest.raises(InputError, match="openssl rand"):
        require_token_if_exposed("0.0.0.0", weak)


@pytest.mark.parametrize("host", ["localhost:4300", "127.0.0.1:4300", "[::1]:4300", "LOCALHOST"])
def test_loopback_is_asked_by_its_own_names(host: str) -> None:
    assert find_refusal_of_request("/search", {"host": host}, None) is None
    assert find_refusal_of_request("/search", {"host": host, "origin": f"http://{host}"}, None) is None


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:4300", "127.0.0.1.evil.example", "localhost.evil.example", "", "[::1"]
)
def test_a_name_that_was_rebound_to_loopback_is_refused(host: str) -> None:
    refused = find_refusal_of_request("/health", {"host": host}, None)
    assert refused and refused.status == 421


FOREIGN = [
    {"origin": "http://evil.example"},
    {"origin": "null"},
    {"origin": "https://localhost.evil.example"},
    {"origin": "http://localhost:1234"},
    {"origin": "http://localhost:4300, http://evil.example"},
    {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"},
    {"sec-fetch-site": "same-site"},
    {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"},
    {"sec-fetch-site": "same-origin, cross-site"},
]


@pytest.mark.parametrize("sent", FOREIGN)
@pytest.mark.parametrize("path", ["/search", "/mcp", "/documents/x/pages/1", "/health"])
def test_a_page_of_another_site_is_refused_with_and_without_a_token(path: str, sent: dict[str, str]) -> None:
    for token, more in ((None, {}), (TOKEN, {"authorization": f"Bearer {TOKEN}"})):
        refused = find_refusal_of_request(path, {"host": "localhost:4300", **sent, **more}, token)
        assert refused and refused.status == 403


@pytest.mark.parametrize("token", [None, TOKEN])
def test_a_link_of_another_site_opens_the_page_and_its_own_requests_are_answered(token: str | None) -> None:
    sent = {"host": "localhost:4300", "authorization": f"Bearer {TOKEN}"}
    assert find_refusal_of_request("/", {**sent, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}, token) is None
    assert (
        find_refusal_of_request("/search", {**sent, "sec-fetch-site": "same-origin", "origin": "http://localhost:4300"}, token)
        is None
    )
    assert find_refusal_of_request("/search", {**sent, "sec-fetch-site": "none"}, token) is None


@pytest.mark.parametrize("given", ["", "Bearer", "Bearer wrong", f"Basic {TOKEN}", f"Bearer {TOKEN}x", "Bearer caf\u00e9"])
def test_a_wrong_token_is_refused_wherever_there_is_text_of_documents(given: str) -> None:
    for path in ("/search", "/documents", "/documents/x/pages/1", "/mcp", "/healthy", "/staticx"):
        refused = find_refusal_of_request(path, {"host": "corpus.example.org", "authorization": given}, TOKEN)
        assert refused and refused.status == 401 and TOKEN not in refused.message


def test_the_right_token_opens_every_path_at_any_name() -> None:
    headers = {"host": "corpus.example.org", "origin": "https://corpus.example.org", "authorization": f"bearer {TOKEN}"}
    assert find_refusal_of_request("/search", headers, TOKEN) is None


@pytest.mark.parametrize("path", ["/", "/docs", "/openapi.json", "/health", "/static/app.js"])
def test_what_holds_no_text_of_documents_needs_no_token(path: str) -> None:
    assert find_refusal_of_request(path, {"host": "corpus.example.org"}, TOKEN) is None


def test_nothing_from_elsewhere_may_be_loaded() -> None:
    policy = dict(part.strip().partition(" ")[::2] for part in HEADERS["content-security-policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert {value for rules in policy.values() for value in rules.split()} <= {"'none'", "'self'", "blob:"}
