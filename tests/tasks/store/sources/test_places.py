"""What names a source, and what is refused before anything is asked of it."""

import base64
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.errors import InputError
from schemas.options.sources import SourceOptions
from tasks.store.sources.failures import hide_secrets, make_source_error
from tasks.store.sources.logins import find_login
from tasks.store.sources.mailbox import encode_folder_name
from tasks.store.sources.places import open_source, resolve_source
from tasks.store.sources.remote_files import PLACES
from tasks.store.sources.website import find_links

SECRET = "planted-limpet"


@pytest.mark.parametrize(
    "url",
    [
        f"sftp://ada:{SECRET}@host/docs",
        f"az://box/docs?sig={SECRET}",
        f"https://host/docs?access_token={SECRET}",
        f"postgresql://ada:{SECRET}@host/wiki",
        f"crawl+https://:{SECRET}@host/",
    ],
)
def test_a_password_in_an_address_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(InputError, match="leave it out, and set PAGEMILL_SOURCE_PASSWORD") as raised:
        resolve_source(url)
    assert SECRET not in str(raised.value)


@pytest.mark.parametrize(
    "url",
    [
        "sftp://host/docs/../etc",
        "https://host/%2e%2e/etc",
        "sftp://host/a\\..\\b",
        "https://host/a#b",
        "dav://host/a b",
        "sftp://h:x/",
    ],
)
def test_an_address_that_leads_out_of_what_it_names_is_refused(url: str) -> None:
    with pytest.raises(InputError, match=r"without \.\., # and blanks|is not a URL"):
        resolve_source(url)


@pytest.mark.parametrize("url", ["gopher://host/", "file:///etc", "zip://a.zip::sftp://host", "simplecache::sftp://host/a"])
def test_an_unknown_scheme_is_refused_with_those_that_are_known(url: str) -> None:
    with pytest.raises(InputError, match=r"is no source that Pagemill knows: name a folder, or a URL of az, crawl\+https, dav,"):
        resolve_source(url)


def test_a_source_has_one_name_however_it_is_written(tmp_path: Path) -> None:
    assert resolve_source("SFTP://ada@HOST:22/docs/") == resolve_source("sftp://ada@host:22/docs") == "sftp://ada@host:22/docs"
    assert resolve_source("crawl+https://host/a/?page=1") == "crawl+https://host/a?page=1"
    assert resolve_source("s3://reports/2026/") == "s3://reports/2026"
    assert resolve_source("a/../b", str(tmp_path)) == str(tmp_path / "b")


@pytest.mark.parametrize("url", ["smb://host/share", "gs://bucket/docs", "mysql://host/wiki"])
def test_a_missing_package_is_named_with_its_line(url: str) -> None:
    with pytest.raises(InputError, match=r"pip install"):
        open_source(url, SourceOptions(query="SELECT 1"), "main")


def test_a_database_without_a_query_or_without_its_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"name its documents with --set source\.query"):
        open_source(f"sqlite:///{tmp_path}/a.db", SourceOptions(), "main")
    with pytest.raises(InputError, match="there is no such file"):
        open_source(f"sqlite:///{tmp_path}/a.db", SourceOptions(query="SELECT 1"), "main")
    assert not (tmp_path / "a.db").exists()


@given(st.text())
def test_messages_are_one_line_without_the_password_and_links_of_any_page_are_addresses(said: str) -> None:
    with pytest.MonkeyPatch.context() as changed:
        changed.setenv("PAGEMILL_SOURCE_PASSWORD", SECRET)
        told = str(make_source_error("sftp://host/docs", OSError(f"{said} {SECRET} //ada:{SECRET}@host")))
        assert SECRET not in told and len(told.splitlines()) == 1
        assert SECRET not in hide_secrets(f"{SECRET}{said}{SECRET}")
    assert all("#" not in link for link in find_links(f"<a href='{said}'>{said}", "http://host/").found)


def test_every_place_has_a_package_and_a_class() -> None:
    assert all(place.package and place.of_class.count(".") for place in PLACES.values())


def test_a_source_with_variables_of_its_own_name_uses_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGEMILL_SOURCE_USER", "ada")
    monkeypatch.setenv("PAGEMILL_SOURCE_PASSWORD", SECRET)
    monkeypatch.setenv("PAGEMILL_SOURCE_PASSWORD_OLD_WIKI", f"{SECRET}-2")
    assert find_login("main") == ("ada", SECRET)
    assert find_login("old-wiki") == find_login("old.wiki") == ("", f"{SECRET}-2")
    assert hide_secrets(f"{SECRET}-2, {SECRET}") == "…, …"


@pytest.mark.parametrize(
    ("url", "better"),
    [
        ("http://host/docs", "https"),
        ("crawl+http://host/", "crawl+https"),
        ("sitemap+http://host/map.xml", "sitemap+https"),
        ("dav://ada@host/docs", "davs"),
        ("ftp://ada@10.0.0.1/docs", "sftp"),
    ],
)
def test_a_password_goes_in_the_clear_to_this_machine_alone(url: str, better: str, monkeypatch: pytest.MonkeyPatch) -> None:
    open_source(url, SourceOptions(), "main")
    monkeypatch.setenv("PAGEMILL_SOURCE_PASSWORD", SECRET)
    with pytest.raises(InputError, match="would send the password for all to read") as raised:
        open_source(url, SourceOptions(), "main")
    assert f": write {better}:// in place of {url.partition(':')[0]}://" in str(raised.value)
    host = url.partition("@")[0] + "@" if "@" in url else url.partition("//")[0] + "//"
    for here in ("127.0.0.1:21", "localhost", "[::1]:80"):
        assert open_source(f"{host}{here}/docs", SourceOptions(), "main").uri
    assert better == "sftp" or open_source(f"{better}://host/docs", SourceOptions(), "main").uri


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_the_name_of_a_folder_is_written_in_printable_ascii_and_can_be_read_again(name: str) -> None:
    written = encode_folder_name(name)
    assert written.isascii() and written.isprintable()
    inner = re.sub(r"\\(.)", r"\1", written[1:-1])

    def decode(found: re.Match[str]) -> str:
        return base64.b64decode(found[1].replace(",", "/") + "===").decode("utf-16-be") or "&"

    assert re.sub("&([^-]*)-", decode, inner) == name
