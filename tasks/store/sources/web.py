"""The web as a source: folders of files that a server lists, and pages of one site, from its sitemap or by its links.

A page that was seen before is asked for by its ETag or time, so that only what changed is sent.
"""

import gzip
import io
import json
import re
import time
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote, urlsplit

import httpx
from lxml import etree

from schemas.errors import InputError, StoreError
from schemas.media_types import FORMATS, HTML, XHTML, is_hidden
from schemas.options.sources import SourceOptions
from tasks.store.bodies import KEPT
from tasks.store.sources.logins import Login
from tasks.store.sources.source import ListedFile, Source, SourceListing, make_content_number
from tasks.store.sources.website import (
    REDIRECTS,
    Elsewhere,
    Links,
    Refused,
    Website,
    find_links,
    find_shown,
    read_body,
    shows_time,
)

MOST_SITEMAP_BYTES = 64 * 2**20
MOST_FAILURES = 5
"""After so many pages in a row that a site does not give, no more are asked for."""
MOST_DEEP = 100
"""Folders in each other."""
INDEX = "index.html"
"""The name of a page whose address ends with a slash."""


class Facts(NamedTuple):
    """What is remembered of a file: what the list showed behind its name, its size, and the number that tells its changes."""

    shown: str
    size: int
    stamp: int


class ListedFolder(Source):
    """A folder of files that a web server lists as links."""

    readers = 8
    has_memory = True

    def __init__(self, url: str, login: Login) -> None:
        self.uri, self._base = url, url.partition("?")[0] + "/"
        self._site = Website(url, login, None)
        self._settled: dict[str, Facts] = {}

    def list_files(self, memory: bytes) -> SourceListing:
        """List the files. One that the list shows with the same time as before is not asked for its facts again."""
        base, remembered = json.loads(memory or b'["", {}]')
        known = {path: Facts(*facts) for path, facts in remembered.items()} if base == self._base else {}
        self._settled = {}
        try:
            found = sorted(self._walk(self._base, ""))
        except FileNotFoundError as error:
            raise InputError(f"source {self.uri} does not exist, or is a file: name a folder that the server lists") from error
        with ThreadPoolExecutor(self.readers) as threads:
            files = list(threads.map(lambda one: self._look(one[0], one[1], known.get(one[0])), found))
        return SourceListing(files, memory=json.dumps([self._base, self._settled]).encode())

    def stream(self, path: str) -> Iterator[bytes]:
        with self._site.open("GET", self._base + quote(path)) as answer:
            yield from answer.iter_bytes()

    def _walk(self, url: str, prefix: str) -> Iterator[tuple[str, str]]:
        """Yield the path of each file and what the list shows behind its name."""
        if prefix.count("/") > MOST_DEEP:
            raise StoreError(f"{url} lies more than {MOST_DEEP} folders deep: the server seems to list folders without an end")
        with self._site.open("GET", url) as answer:
            text = read_body(answer).decode(answer.charset_encoding or "utf-8", "replace")
            if answer.extensions[REDIRECTS]:
                raise StoreError(f"{url} leads to {answer.url.copy_with(query=None)}, as pages to log in do: look at it")
            if "html" not in answer.headers.get("content-type", ""):
                raise InputError(f"source {url} is a file, or no list of links: name a folder that the server lists")
            if "content-length" not in answer.headers and "</html" not in text.lower()[-500:]:
                raise StoreError(f"{url}: the list of files breaks off: run this again")
        shown = find_shown(text, url)
        for target in find_links(text, url).found:
            name = unquote(target.removeprefix(url))
            if not target.startswith(url) or not name or "?" in target or "/" in name[:-1] or is_hidden(name):
                continue
            if name.endswith("/"):
                yield from self._walk(target, f"{prefix}{name}")
            else:
                yield prefix + name, shown.get(target, "")

    def _look(self, path: str, shown: str, known: Facts | None) -> ListedFile:
        """Return a file as the server tells it, or as it is `known` if the list still shows the same."""
        if known and known.shown == shown:
            self._settled[path] = known
            return ListedFile(path, known.size, known.stamp)
        try:
            with self._site.open("HEAD", self._base + quote(path)) as answer:
                size, stamp = int(answer.headers.get("content-length", 0)), _read_change_stamp(answer.headers)
                if stamp is not None and _is_settled(shown, answer.headers):
                    self._settled[path] = Facts(shown, size, stamp)
        except FileNotFoundError:
            return ListedFile(path, 0, 0, "the server lists it, but does not have it")
        except Elsewhere as error:
            return ListedFile(path, 0, 0, str(error))
        except Refused as error:
            if error.status in (401, 403):
                return ListedFile(path, 0, 0, f"the server does not let this user read it ({error.status})")
            if error.status not in (405, 501):
                raise
            size, stamp = 0, None
        return ListedFile(path, size, time.time_ns() if stamp is None else stamp)


def _read_change_stamp(headers: httpx.Headers) -> int | None:
    if etag := headers.get("etag"):
        return make_content_number(etag)
    try:
        return int(parsedate_to_datetime(headers["last-modified"]).timestamp()) * 10**9
    except (KeyError, ValueError):
        return None


def _is_settled(shown: str, headers: httpx.Headers) -> bool:
    """Return whether any further change of a file will be seen in what a list shows of it, to the minute."""
    try:
        modified, now = (parsedate_to_datetime(headers[name]) for name in ("last-modified", "date"))
    except (KeyError, ValueError):
        return False
    return shows_time(shown, modified) and now - modified > timedelta(minutes=2)


class Page(NamedTuple):
    """What is remembered of a page: what to ask for it by, its digest, size and media type, and where it leads."""

    etag: str
    modified: str
    told: str
    sha256: str
    size: int
    media_type: str
    links: list[str]
    canonical: str


class WebPages(Source):
    """Pages of one site: those that a sitemap or list of addresses names, or those that links lead to."""

    has_memory = True

    def __init__(self, url: str, options: SourceOptions, login: Login) -> None:
        kind, _, self._start = url.partition("+")
        self.uri, self._options, self._follows_links = url, options, kind == "crawl"
        self._site = Website(self._start, login, options.requests_per_second)
        folder, _, last = urlsplit(self._start).path.rpartition("/")
        if self._follows_links and "." not in last and not self._start.endswith("/"):
            folder, self._start = f"{folder}/{last}".rstrip("/"), f"{self._start}/"
        self._scope = f"{self._site.root}{folder if self._follows_links else ''}/"
        self._pages: dict[str, Page] = {}
        self._failures: list[str] = []
        self._in_a_row = 0
        self._digests: dict[str, str] = {}

    def list_files(self, memory: bytes) -> SourceListing:
        scope, pages = json.loads(memory or b'["", {}]')
        known = {url: Page(*fields) for url, fields in pages.items()} if scope == self._scope else {}
        self._pages, self._failures, self._in_a_row = {}, [], 0
        try:
            self._crawl(known) if self._follows_links else self._visit_all(self._read_sitemap(self._start), known)
        except FileNotFoundError as error:
            raise InputError(f"source {self.uri} does not exist: correct its address") from error
        except Elsewhere as error:
            raise InputError(str(error)) from error
        files: dict[str, ListedFile] = {}
        for url, page in sorted(self._pages.items()):
            path = self._make_path(page.canonical if page.canonical.startswith(self._scope) else url)
            files.setdefault(path, ListedFile(path, page.size, make_content_number(page.sha256), media_type=page.media_type))
            self._digests[path] = page.sha256
        remembered = {**(known if self._failures else {}), **self._pages}
        incomplete = "; ".join(self._failures[:3])
        kept = json.dumps([self._scope, remembered]).encode()
        return SourceListing([files[path] for path in sorted(files)], incomplete, kept)

    def stream(self, path: str) -> Iterator[bytes]:
        url = self._scope + path
        try:
            with self._site.open("GET", url) as answer:
                yield from answer.iter_bytes()
        except FileNotFoundError:
            if path.rpartition("/")[2] != INDEX:
                raise
            with self._site.open("GET", url.removesuffix(INDEX)) as answer:
                yield from answer.iter_bytes()

    def digest_file(self, path: str) -> str:
        return self._digests.get(path) or super().digest_file(path)

    def fetch_file(self, path: str, sha256: str) -> Path:
        return KEPT.take_file(self.stream(path), sha256, "")

    def _crawl(self, known: dict[str, Page]) -> None:
        waiting, seen = deque([(self._start, 0)]), {self._start}
        while waiting:
            url, depth = waiting.popleft()
            page = self._note_page(url, "", known, is_start=not depth)
            if page is None or depth == self._options.depth:
                continue
            for link in page.links:
                if link not in seen:
                    seen.add(link)
                    waiting.append((link, depth + 1))

    def _visit_all(self, addresses: Iterable[tuple[str, str]], known: dict[str, Page]) -> None:
        for url, told in addresses:
            if self._site.is_here(url):
                self._note_page(url, told, known)

    def _note_page(self, url: str, told: str, known: dict[str, Page], is_start: bool = False) -> Page | None:
        """Note a page and return it, or None if there is none for us. `told` is what the sitemap says of its last change."""
        if len(self._pages) >= self._options.most_pages:
            self._fail(f"there are more than {self._options.most_pages} pages: raise source.most_pages")
            return None
        if self._in_a_row >= MOST_FAILURES:
            return None
        before = known.get(url)
        try:
            if not self._site.may_visit(url):
                return None
            at, page = (url, before) if before and told and told == before.told else self._get(url, told, before)
        except (FileNotFoundError, Elsewhere):
            if is_start:
                raise
            return None
        except StoreError as error:
            if is_start:
                raise
            self._fail(str(error))
            return None
        self._in_a_row = 0
        if not at.startswith(self._scope):
            return None
        self._pages[at] = page
        return page

    def _get(self, url: str, told: str, before: Page | None) -> tuple[str, Page]:
        names = {"if-none-match": before.etag, "if-modified-since": before.modified} if before else {}
        with self._site.open("GET", url, {name: value for name, value in names.items() if value}) as answer:
            at = str(answer.url)
            if before and answer.status_code == 304:
                return at, before._replace(told=told)
            if before and any(status not in (301, 308) for status in answer.extensions[REDIRECTS]):
                raise StoreError(f"{url} leads to {answer.url.copy_with(query=None)} for now, as pages to log in do: look at it")
            body, headers = read_body(answer), answer.headers
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        is_html = kind in (HTML, XHTML)
        links = find_links(body.decode(answer.charset_encoding or "utf-8", "replace"), at) if is_html else Links([], "")
        sha256 = KEPT.keep_and_digest([body], "")
        seen = (headers.get("etag", ""), headers.get("last-modified", ""), told, sha256, len(body))
        inside = [link for link in links.found if link.startswith(self._scope)] if self._follows_links else []
        return at, Page(*seen, kind if kind in FORMATS else "", inside, links.canonical)

    def _fail(self, reason: str) -> None:
        self._in_a_row += 1
        if reason not in self._failures:
            self._failures.append(reason)

    def _read_sitemap(self, url: str, is_inner: bool = False) -> Iterator[tuple[str, str]]:
        """Yield the addresses of a sitemap, of those that it names, or of a text with one a line, and when each changed."""
        with self._site.open("GET", url) as answer:
            body = read_body(answer)
        if body[:2] == b"\x1f\x8b":
            body = gzip.GzipFile(fileobj=io.BytesIO(body)).read(MOST_SITEMAP_BYTES)
        if not body.lstrip().startswith(b"<"):
            yield from ((line.strip(), "") for line in body.decode("utf-8", "replace").splitlines() if line.strip())
            return
        try:
            root = etree.fromstring(body, etree.XMLParser(resolve_entities=False, no_network=True))
        except etree.XMLSyntaxError as error:
            raise StoreError(f"{url} is no sitemap ({error}): correct its address") from error
        for entry in root.iterfind("{*}url"):
            yield (entry.findtext("{*}loc") or "").strip(), (entry.findtext("{*}lastmod") or "").strip()
        for entry in root.iterfind("{*}sitemap"):
            inner = (entry.findtext("{*}loc") or "").strip()
            if self._site.is_here(inner) and not is_inner:
                try:
                    yield from self._read_sitemap(inner, is_inner=True)
                except FileNotFoundError as error:
                    raise StoreError(f"{url} names {inner}, which does not exist: run this again, or correct it") from error

    def _make_path(self, url: str) -> str:
        path = url.removeprefix(self._scope)
        return path + INDEX if not path or path.endswith("/") else re.sub("/+", "/", path)
