"""Pages of a site: found by links or a sitemap, asked for again only if they changed, never removed by a site in trouble."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from schemas.errors import InputError, StoreError
from schemas.options.sources import SourceOptions
from tasks.store.sources.places import open_source
from tests.flows.conftest import Refresh
from tests.flows.corpora import changes, paths, rows
from tests.flows.sources.servers import Site

FAST = {"requests_per_second": 1000}


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("tasks.store.sources.website.WAIT_SECONDS", 0.01)
    made = Site()
    made.pages = {
        "/docs/": "<h1>Birds</h1><p>All birds.</p><a href=heron>Heron</a> <a href='mill?utm=1'>Mill</a> <a href=/blog/>Blog</a>",
        "/docs/heron": "<p>The heron waits.</p><a href='./'>Up</a> <a href=deep/pump#part>Pump</a> <a href=hidden/x>X</a>",
        "/docs/mill?utm=1": "<link rel=canonical href=/docs/mill><p>The mill grinds corn.</p><a href=gone>Gone</a>",
        "/docs/mill": "<link rel=canonical href=/docs/mill><p>The mill grinds corn.</p>",
        "/docs/deep/pump": "<p>The pump runs.</p><a href='http://other.example/docs/'>Other</a>",
        "/docs/hidden/x": "<p>Not for robots.</p>",
        "/blog/": "<p>Elsewhere on the site.</p>",
        "/robots.txt": "User-agent: *\nDisallow: /docs/hidden/",
    }
    yield made
    made.close()


def test_a_crawl_reads_the_pages_below_its_start_and_later_only_those_that_changed(
    site: Site, plain: Refresh, tmp_path: Path
) -> None:
    corpus, url = tmp_path / "corpus", f"crawl+{site.root}/docs/"
    assert changes(plain(url, corpus, source=FAST)) == {"added": 4}
    assert paths(corpus) == {"index.html", "heron", "mill", "deep/pump"}
    assert site.asked["/docs/hidden/x"] == site.asked["/blog/"] == 0
    assert {path: site.sent[path] for path in ("/docs/", "/docs/heron", "/docs/deep/pump")} == dict.fromkeys(
        ("/docs/", "/docs/heron", "/docs/deep/pump"), 1
    )
    site.sent.clear()
    assert changes(plain(url, corpus, source=FAST)) == {"unchanged": 4}
    assert set(site.sent) - {"/robots.txt"} == set()
    site.pages["/docs/heron"] = site.pages["/docs/heron"].replace("waits", "flies")
    del site.pages["/docs/deep/pump"]
    changed = plain(url, corpus, source=FAST, plan={"allow_removals": True})
    assert changes(changed) == {"changed": 1, "removed": 1, "unchanged": 2}
    assert set(site.sent) - {"/robots.txt"} == {"/docs/heron"}


@pytest.mark.parametrize("status", (500, 503, 429, 403) if os.environ.get("TEST_SOURCES") else (503,))
def test_a_page_that_a_site_does_not_give_is_not_removed_and_news_are_published(
    site: Site, plain: Refresh, tmp_path: Path, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    corpus, url = tmp_path / "corpus", f"crawl+{site.root}/docs/"
    plain(url, corpus, source=FAST)
    site.broken["/docs/heron"] = status
    site.pages["/docs/mill?utm=1"] = site.pages["/docs/mill?utm=1"].replace("corn", "rye")
    outcome = plain(url, corpus, source=FAST)
    assert changes(outcome) == {"changed": 1, "unchanged": 3}
    assert "was not listed completely, so nothing is removed" in caplog.text and f"{status}" in caplog.text
    assert len(paths(corpus)) == 4
    site.broken.clear()
    assert changes(plain(url, corpus, source=FAST)) == {"unchanged": 4}


def test_a_site_that_is_down_or_asks_everybody_to_log_in_loses_nothing(site: Site, plain: Refresh, tmp_path: Path) -> None:
    corpus, url = tmp_path / "corpus", f"crawl+{site.root}/docs/"
    plain(url, corpus, source=FAST)
    site.pages["/docs/login"] = "<p>Please log in.</p>"
    site.moved = {path: (302, "/docs/login") for path in site.pages if path not in ("/docs/", "/docs/login", "/robots.txt")}
    for path in site.moved:
        site.pages[path] += " "
    plain(url, corpus, source=FAST)
    assert paths(corpus) >= {"index.html", "heron", "mill", "deep/pump"}
    site.broken = dict.fromkeys(site.pages, 503)
    with pytest.raises(StoreError, match="asks for fewer requests: run this again later"):
        plain(url, corpus, source=FAST)
    site.moved, site.broken = {"/docs/": (301, "http://other.example/")}, {}
    site.pages["/docs/"] += " "
    with pytest.raises(InputError, match=r"redirects to http://other\.example/: name that address"):
        plain(url, corpus, source=FAST)
    assert paths(corpus) >= {"index.html", "heron", "mill", "deep/pump"}


def test_a_sitemap_names_the_pages_and_spares_the_requests_for_those_that_it_says_are_unchanged(
    site: Site, plain: Refresh, tmp_path: Path
) -> None:
    corpus, url = tmp_path / "corpus", f"sitemap+{site.root}/sitemap.xml"

    def write_map(**dates: str) -> None:
        entries = "".join(f"<url><loc>{site.root}/docs/{page}</loc><lastmod>{day}</lastmod></url>" for page, day in dates.items())
        site.pages["/pages.xml"] = f"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{entries}</urlset>"

    site.pages["/sitemap.xml"] = f"<sitemapindex><sitemap><loc>{site.root}/pages.xml</loc></sitemap></sitemapindex>"
    write_map(heron="2026-01-01", mill="2026-01-02")
    plain(url, corpus, source=FAST)
    assert paths(corpus) == {"docs/heron", "docs/mill"}
    site.asked.clear()
    assert changes(plain(url, corpus, source=FAST)) == {"unchanged": 2}
    assert set(site.asked) == {"/sitemap.xml", "/pages.xml", "/robots.txt"}
    site.pages["/docs/mill"] = site.pages["/docs/mill"].replace("corn", "rye")
    write_map(heron="2026-01-01", mill="2026-02-02")
    assert changes(plain(url, corpus, source=FAST)) == {"changed": 1, "unchanged": 1}
    assert any("rye" in row["text"] for row in rows(corpus, "chunks"))
    site.broken["/pages.xml"] = 404
    with pytest.raises(StoreError, match="does not exist: run this again"):
        plain(url, corpus, source=FAST)
    assert len(paths(corpus)) == 2


def test_a_site_of_endless_links_is_left_after_the_pages_that_are_allowed(site: Site, plain: Refresh, tmp_path: Path) -> None:
    for number in range(9):
        site.pages[f"/loop/{number}"] = f"<p>Day {number}.</p><a href='{number + 1}'>Next</a> <a href='{number}?again'>Again</a>"
    site.pages["/loop/"] = "<p>Days.</p><a href=0>First</a>"
    plain(f"crawl+{site.root}/loop", tmp_path / "corpus", source={**FAST, "depth": 100, "most_pages": 5})
    assert len(paths(tmp_path / "corpus")) == 5


def listed(url: str) -> list[str]:
    return [file.path for file in open_source(url, SourceOptions(**FAST), "main").list_files(b"").files]


def test_a_whole_site_is_read_from_its_root(site: Site) -> None:
    site.pages["/"] = "<a href=docs/>Docs</a>"
    for root in (site.root, f"{site.root}/"):
        assert listed(f"crawl+{root}") == [
            "blog/index.html",
            "docs/deep/pump",
            "docs/heron",
            "docs/index.html",
            "docs/mill",
            "index.html",
        ]


def test_a_site_that_wants_hours_between_its_pages_is_not_waited_for(site: Site) -> None:
    site.pages["/robots.txt"] = "User-agent: *\nCrawl-delay: 99999"
    with pytest.raises(StoreError, match="wants 99999 s between pages"):
        listed(f"crawl+{site.root}/docs/")


def test_a_server_lists_no_folders_without_an_end_and_no_names_that_lead_elsewhere(site: Site) -> None:
    links = "<a href='..%2F..%2Fetc%2Fx.md'>up</a><a href='a%2Fb.md'>in</a><a href='%2e%2e/'>up</a>"
    site.pages["/list/"] = f"<html><a href=mill.md>mill</a>{links}</html>"
    site.pages["/list/mill.md"] = "# Mill"
    assert listed(f"{site.root}/list") == ["mill.md"]
    site.pages = {"/" + "a/" * depth: "<html><a href=a/>a</a></html>" for depth in range(1, 200)}
    with pytest.raises(StoreError, match="more than 100 folders deep"):
        listed(f"{site.root}/a")
