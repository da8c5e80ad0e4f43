"""A deployed corpus whose documents come from a place behind a password, which the worker's environment has."""

from contextlib import closing
from pathlib import Path

import pytest

from tests.deployments.deployed import Deployed
from tests.deployments.servers import Server
from tests.flows.corpora import paths
from tests.flows.sources.servers import PASSWORD, Http

pytestmark = [pytest.mark.slow, pytest.mark.long]


def test_a_deployed_run_reads_a_place_by_its_url_and_keeps_the_password_nowhere(server: Server, tmp_path: Path) -> None:
    corpus, login = tmp_path / "corpus", {"PAGEMILL_SOURCE_PASSWORD": PASSWORD}
    with closing(Http(tmp_path / "there")) as place:
        place.write("docs/tide.txt", "The tide comes in at six.")
        place.write("private/seal.txt", "A seal sleeps on the slip.")
        places = {"PAGEMILL_NAME": "reports", "PAGEMILL_SOURCE": f"{place.url}/docs", "PAGEMILL_CORPUS": str(corpus)}
        told = [server.run("up", **login), server.run("deploy", **login, **places)]
        assert [done.returncode for done in told] == [0, 0], told[-1].stderr
        here = Deployed(server, place.folder, corpus)
        ended = here.await_end(here.start("refresh/refresh-on-demand-reports"))
        assert ended["state_name"] == "Completed", ended["state"]["message"]
        assert paths(corpus) == {"tide.txt"}
        refused = here.await_end(here.start("refresh/refresh-on-demand-reports", source=f"{place.url}/private"))
        assert refused["state_name"] == "Failed"
        assert "seal.txt" not in place.take_requests().bodies
    told += [server.run("status"), server.run("down")]
    assert not any(PASSWORD in done.stdout + done.stderr for done in told)
    kept = [path for folder in (server.run_dir, corpus) for path in folder.rglob("*") if path.is_file()]
    assert [path for path in kept if PASSWORD.encode() in path.read_bytes()] == []
