"""Keys that are in the environment of the server, the worker and the runs are kept nowhere."""

import json
from pathlib import Path

import pytest

from tests.chat_endpoint import Reply
from tests.deployments.deployed import Deployed
from tests.deployments.servers import Server
from tests.vector_endpoint import serving

pytestmark = [pytest.mark.slow, pytest.mark.long]
PLANTED = {
    "AWS_SECRET_ACCESS_KEY": "planted-store-cuttlefish",
    "AWS_SESSION_TOKEN": "planted-session-urchin",
    "OPENAI_API_KEY": "planted-model-limpet",
    "PAGEMILL_NOTIFY_URL": "http://127.0.0.1:9/planted-hook-whelk",
}


def test_keys_are_neither_in_the_servers_database_nor_in_logs_artifacts_or_the_corpus(server: Server, tmp_path: Path) -> None:
    source, corpus = tmp_path / "source", tmp_path / "corpus"
    source.mkdir()
    (source / "tide.txt").write_text("The tide comes in at six.")
    places = {"PAGEMILL_NAME": "reports", "PAGEMILL_SOURCE": str(source), "PAGEMILL_CORPUS": str(corpus)}
    here = Deployed(server, source, corpus)
    with serving() as well, serving(odd=echoed) as rude:
        (tmp_path / "pagemill.toml").write_text(f'[deploy]\nallowed_endpoints = ["{well.url}", "{rude.url}"]\n')
        server.environment["PAGEMILL_CONFIG"] = str(tmp_path / "pagemill.toml")
        told = [server.run("up", **PLANTED), server.run("deploy", **PLANTED, **places)]
        assert [done.returncode for done in told] == [0, 0], told[-1].stderr
        for endpoint, state in ((well, "Completed"), (rude, "Failed")):
            embedding = {"provider": "endpoint", "base_url": endpoint.url, "model": "vectors"}
            ended = here.await_end(here.start("refresh/refresh-on-demand-reports", options={"embed": embedding}))
            assert ended["state_name"] == state, ended["state"]["message"]
            (source / "more.txt").write_text("A seal sleeps on the slip.")
        assert f"Bearer {PLANTED['OPENAI_API_KEY']}" in well.keys
    assert server.post("logs/filter", {}) and server.post("artifacts/filter", {})
    told += [server.run("status"), server.run("down")]
    said = [done.stdout + done.stderr for done in told]
    kept = {str(path): path.read_bytes() for folder in (server.run_dir, corpus) for path in folder.rglob("*") if path.is_file()}
    assert any(path.endswith("prefect.db") for path in kept) and any("staging" in path for path in kept)
    for secret in (value.rpartition("/")[2] for value in PLANTED.values()):
        assert [path for path, content in kept.items() if secret.encode() in content] == []
        assert not any(secret in text for text in said)


def echoed(texts: list[str]) -> Reply:
    """Refuse as services do that repeat the key which they refuse."""
    return Reply(json.dumps({"error": {"message": f"Incorrect API key provided: {PLANTED['OPENAI_API_KEY']}"}}).encode(), 401)
