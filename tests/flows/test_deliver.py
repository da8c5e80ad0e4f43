"""The flow that delivers, by a Prefect server."""

from pathlib import Path

import pytest

from schemas.errors import InputError
from tests.tasks.deliver.nights import Nights

pytestmark = pytest.mark.slow


def test_a_run_delivers_to_all_destinations_and_says_what_they_hold(
    prefect_api: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from flows.deliver import deliver

    nights = Nights(tmp_path / "corpus", {"a.txt": "The heron waits."})
    monkeypatch.chdir(tmp_path)
    told = deliver(nights.corpus.uri, return_state=True)
    assert told.is_completed() and told.message == "no destinations: pagemill.toml has no section [deliver.NAME]"
    (tmp_path / "pagemill.toml").write_text('[deliver.lake]\nto = "lake"\n[deliver.wrong]\nto = "no.module:f"\n')
    with (tmp_path / "pagemill.toml").open("a") as config:
        config.write('[deliver.raises]\nto = "operator:index"\n')
    told = deliver(nights.corpus.uri, return_state=True)
    assert told.is_failed() and "no.module:f" in str(told.message) and "operator:index failed (TypeError" in str(told.message)
    assert (tmp_path / "lake/generation=1/_SUCCESS").exists()
    told = deliver(nights.corpus.uri, name="lake", return_state=True)
    assert told.message == "lake holds generation 1"
    with pytest.raises(InputError, match=r"has no section \[deliver.pond\]; the possible names are lake, raises, wrong"):
        deliver(nights.corpus.uri, name="pond")
