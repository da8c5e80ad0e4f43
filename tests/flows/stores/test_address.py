"""The address of a store may stand in `pagemill.toml`; keys may not."""

import os
from pathlib import Path

import pytest

from flows.settings import configure_object_store
from schemas.errors import InputError


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of options, in a process without an address."""
    for name in ("AWS_ENDPOINT_URL", "AWS_REGION"):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    monkeypatch.setenv("PAGEMILL_CONFIG", str(tmp_path / "pagemill.toml"))
    return tmp_path / "pagemill.toml"


def test_the_address_of_the_file_is_put_into_the_environment_which_takes_precedence(
    written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written.write_text('[store]\nendpoint = "http://127.0.0.1:8333/"\nregion = "eu-central-1"\n')
    monkeypatch.setenv("AWS_REGION", "auto")
    configure_object_store("notes", "corpus")
    assert "AWS_ENDPOINT_URL" not in os.environ
    configure_object_store("notes", "s3://docs/corpus")
    assert (os.environ["AWS_ENDPOINT_URL"], os.environ["AWS_REGION"]) == ("http://127.0.0.1:8333", "auto")


@pytest.mark.parametrize("address", ["http://key:hidden@127.0.0.1", "https://key:hid/den@store.example/", "//hidden@store"])
def test_a_key_in_an_address_is_refused_and_not_told(written: Path, address: str) -> None:
    written.write_text(f'[store]\nendpoint = "{address}"\n')
    with pytest.raises(InputError, match=r"endpoint: .*//…@") as found:
        configure_object_store("s3://docs/corpus")
    assert "hid" not in str(found.value) and "key:" not in str(found.value)


@pytest.mark.parametrize("line", ['endpoint = "http://key:secret@127.0.0.1"', 'secret = "x"', 'endpoint = "127.0.0.1:8333"'])
def test_keys_and_what_is_no_address_are_refused(written: Path, line: str) -> None:
    written.write_text(f"[store]\n{line}\n")
    with pytest.raises(InputError):
        configure_object_store("s3://docs/corpus")
