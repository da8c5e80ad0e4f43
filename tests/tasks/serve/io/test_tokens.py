import json
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from schemas.access import Principal
from schemas.errors import InputError
from tasks.serve.access import Refusal, find_refusal_of_request, parse_groups_header, parse_token_lines
from tasks.serve.io.tokens import UNREADABLE, TokenFile, add_token

TOMORROW = datetime.now(UTC).date() + timedelta(days=1)


def told(tokens: TokenFile, token: str) -> Any:
    found = tokens.find_principal(token)
    return sorted(found.groups) if isinstance(found, Principal) else found.status


def test_a_token_stands_for_its_groups_until_its_line_goes(tmp_path: Path) -> None:
    path = tmp_path / "tokens.jsonl"
    first, second = add_token(path, ["board", "finance"], TOMORROW, "ada"), add_token(path, [], TOMORROW, "")
    assert path.stat().st_mode & 0o777 == 0o600 and first not in path.read_text()
    tokens = TokenFile(path)
    assert (told(tokens, first), told(tokens, second)) == (["board", "finance"], [])
    assert (told(tokens, "other"), told(tokens, "")) == (401, 401)
    third = add_token(path, ["a"], TOMORROW, "")
    assert told(tokens, third) == ["a"], "a running server knows it"
    path.write_text(path.read_text().split("\n", 1)[1])
    assert (told(tokens, first), told(tokens, third)) == (401, ["a"])


def test_an_expired_token_is_refused_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "tokens.jsonl"
    token = add_token(path, ["a"], date(2026, 1, 31), "")
    refused = TokenFile(path).find_principal(token)
    assert refused == Refusal(401, "this token expired on 2026-01-31: ask who runs the server for a new one")
    today = add_token(path, ["a"], datetime.now(UTC).date(), "")
    assert told(TokenFile(path), today) == ["a"], "a token is good on the day on which it ends"


def test_nobody_is_let_in_while_the_file_is_wrong(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "tokens.jsonl"
    token = add_token(path, ["a"], TOMORROW, "")
    tokens, good = TokenFile(path), path.read_text()
    path.write_text(good + "{}\n")
    assert [tokens.find_principal(token) for _ in range(3)] == [UNREADABLE] * 3
    assert len(caplog.records) == 1 and "line 2 is no token" in caplog.text, "not again for each request"
    path.write_text(good)
    assert told(tokens, token) == ["a"]
    path.chmod(0o640)
    assert told(tokens, token) == 503
    with pytest.raises(InputError, match="can be read or changed by others: chmod 600 it"):
        TokenFile(path)
    path.unlink()
    assert told(tokens, token) == 503


GOOD = {"sha256": "0" * 64, "groups": ["a"], "expires": "2030-01-01"}


@pytest.mark.parametrize(
    "wrong",
    [
        {"sha256": "secret"}, {"groups": "a"}, {"groups": ["nobody"]}, {"groups": [7]}, {"expires": None},
        {"expires": "soon"}, {"expires": "2030-01-01T00:00:00"}, {"owner": True},
    ],
)  # fmt: skip
def test_a_wrong_line_is_named(wrong: dict[str, Any]) -> None:
    lines = "\n".join(["", json.dumps({**GOOD, "sha256": "1" * 64}), json.dumps({**GOOD, **wrong})])
    with pytest.raises(InputError, match="tokens line 3 is no token"):
        parse_token_lines(lines, "tokens")
    with pytest.raises(InputError, match="line 2 is no token"):
        parse_token_lines(f"{json.dumps(GOOD)}\n{json.dumps(GOOD)}", "tokens")


def test_with_a_file_of_tokens_every_request_needs_one_of_them_or_the_servers_own() -> None:
    local, refused = {"host": "localhost:4300"}, Refusal(401, "expired")
    ask = find_refusal_of_request
    assert ask("/search", local, None, Principal("a")) is None
    assert ask("/search", local | {"authorization": "Bearer x"}, None, refused) == refused
    missing = ask("/search", local, None, refused)
    assert missing and (missing.status, "token of yours" in missing.message) == (401, True)
    own = local | {"authorization": "Bearer the-token-of-the-server"}
    assert ask("/search", own, "the-token-of-the-server", refused) is None
    assert ask("/health", local, None, refused) is None
    other_site = ask("/search", local | {"origin": "http://evil.example"}, None, Principal("a"))
    assert other_site and other_site.status == 403


def test_the_header_of_a_proxy_names_groups_or_is_refused() -> None:
    assert parse_groups_header([]) is None
    assert parse_groups_header([""]) == Principal() and parse_groups_header(["a, b"]) == Principal(["a", "b"])
    for wrong in (["a", "b"], ["nobody"], ["o'clock"]):
        found = parse_groups_header(wrong)
        assert isinstance(found, Refusal) and found.status == 400
