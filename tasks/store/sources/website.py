"""A website: requests to one host, at a pace, again when it is busy, and never led elsewhere."""

import html
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from html.parser import HTMLParser
from typing import NamedTuple
from urllib.parse import urldefrag, urljoin, urlsplit
from urllib.robotparser import RobotFileParser

import httpx

from schemas.errors import StoreError
from tasks.store.sources.failures import make_source_error
from tasks.store.sources.logins import Login

AGENT = "Pagemill"
TIMEOUT_SECONDS = 20
ATTEMPTS, WAIT_SECONDS, MOST_WAIT_SECONDS = 3, 1.0, 60.0
"""A request that finds the host busy, or nobody, is made so often; the host may ask for longer waits, up to so long. So it may
between pages."""
BUSY = (429, 500, 502, 503, 504)
MOST_REDIRECTS = 5
MOST_BYTES = 256 * 2**20
"""No page, list or sitemap is longer."""


class Elsewhere(StoreError):
    """A page leads to another host."""


class Refused(StoreError):
    """The host answers with an error, but not that there is no such page."""

    status: int = 0


REDIRECTS = "redirects"
"""What an answer's extensions call the statuses of the redirects that led to it."""


class Links(NamedTuple):
    """The addresses that a page leads to, absolute and without fragments, and its canonical one; blank if it names none."""

    found: list[str]
    canonical: str


class Website:
    """A host. Errors are FileNotFoundError where it has no such page, and StoreError."""

    def __init__(self, url: str, login: Login, requests_per_second: float | None) -> None:
        """`url` is any address of the host, `requests_per_second` the pace; None: as fast as it answers."""
        parts = urlsplit(url)
        self.host = (parts.scheme, parts.hostname, parts.port)
        self.root = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
        user = login.user or parts.username or ""
        auth = httpx.BasicAuth(user, login.password) if user else None
        self._client = httpx.Client(auth=auth, headers={"user-agent": AGENT}, timeout=TIMEOUT_SECONDS)
        self._seconds = 1 / requests_per_second if requests_per_second else 0.0
        self._next = 0.0
        self._robots: RobotFileParser | None = None

    def is_here(self, url: str) -> bool:
        """Return whether an address is one of this host."""
        try:
            parts = urlsplit(url)
            return (parts.scheme, parts.hostname, parts.port) == self.host
        except ValueError:
            return False

    def may_visit(self, url: str) -> bool:
        """Return whether robots.txt lets Pagemill visit a page.

        Raises:
            StoreError: it wants longer waits between pages than a refresh takes.
        """
        if self._robots is None:
            robots = RobotFileParser()
            robots.parse(self._read_robots())
            asked = float(robots.crawl_delay(AGENT) or 0)
            if asked > MOST_WAIT_SECONDS:
                raise StoreError(f"{self.root}/robots.txt wants {asked:g} s between pages: ask those who run the site for less")
            self._seconds = max(self._seconds, asked)
            self._robots = robots
        return self._robots.can_fetch(AGENT, url)

    def _read_robots(self) -> list[str]:
        """Return the lines of robots.txt; none where there is none, or nobody may read it: then all may be visited (RFC 9309)."""
        try:
            with self.open("GET", f"{self.root}/robots.txt") as answer:
                return read_body(answer).decode("utf-8", "replace").splitlines()
        except (FileNotFoundError, Elsewhere):
            return []
        except Refused as error:
            if error.status in BUSY:
                raise
            return []

    @contextmanager
    def open(self, method: str, url: str, headers: Mapping[str, str] | None = None) -> Iterator[httpx.Response]:
        """Open an answer whose body is read in the block. Redirects within the host are followed; 304 is an answer too.

        Raises:
            FileNotFoundError: there is no such page.
            Elsewhere, Refused: it leads to another host, or the host does not give it.
            StoreError: the host does not answer, or the body breaks off.
        """
        try:
            answer = self._ask(method, url, headers or {})
            try:
                yield answer
            finally:
                answer.close()
        except httpx.HTTPError as error:
            raise make_source_error(url, error) from error

    def _ask(self, method: str, url: str, headers: Mapping[str, str]) -> httpx.Response:
        statuses: list[int] = []
        while len(statuses) < MOST_REDIRECTS:
            answer = self._ask_until_free(method, url, headers)
            if answer.is_success or answer.status_code == 304:
                answer.extensions[REDIRECTS] = statuses
                return answer
            answer.close()
            if answer.status_code in (404, 410):
                raise FileNotFoundError(f"{url} does not exist")
            if not answer.has_redirect_location:
                said = make_source_error(url, StoreError(f"{answer.status_code} {answer.reason_phrase}"))
                refused = Refused(str(said))
                refused.status = answer.status_code
                raise refused
            statuses.append(answer.status_code)
            url = urljoin(url, answer.headers["location"])
            if not self.is_here(url):
                raise Elsewhere(f"{self.root} redirects to {url.partition('?')[0]}: name that address as source, if it is meant")
        raise Elsewhere(f"{url} redirects without an end")

    def _ask_until_free(self, method: str, url: str, headers: Mapping[str, str]) -> httpx.Response:
        for attempt in range(1, ATTEMPTS + 1):
            self._keep_pace()
            try:
                answer = self._client.send(self._client.build_request(method, url, headers=headers), stream=True)
            except httpx.TransportError as error:
                if attempt == ATTEMPTS or "CERTIFICATE" in str(error):
                    raise
                asked = ""
            else:
                if answer.status_code not in BUSY or attempt == ATTEMPTS:
                    return answer
                asked = answer.headers.get("retry-after", "")
                answer.close()
            time.sleep(min(MOST_WAIT_SECONDS, float(asked) if asked.isdecimal() else WAIT_SECONDS * attempt))
        raise AssertionError("unreachable")

    def _keep_pace(self) -> None:
        if self._seconds:
            time.sleep(max(0.0, self._next - time.monotonic()))
            self._next = time.monotonic() + self._seconds


def read_body(answer: httpx.Response) -> bytes:
    """Return the body of an answer.

    Raises:
        StoreError: it is longer than any page.
    """
    body = bytearray()
    for part in answer.iter_bytes():
        body += part
        if len(body) > MOST_BYTES:
            raise StoreError(f"{answer.url} is longer than {MOST_BYTES >> 20} MiB: exclude it from what the site links or names")
    return bytes(body)


class _LinkParser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.base, self.canonical = "", ""
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: (value or "").strip() for name, value in attrs}
        if tag == "a" and given.get("href"):
            self.found.append(given["href"])
        elif tag == "base" and not self.base:
            self.base = given.get("href", "")
        elif tag == "link" and "canonical" in given.get("rel", "").lower().split():
            self.canonical = given.get("href", "")


def find_links(html: str, url: str) -> Links:
    """Return where a page at `url` leads.

    >>> find_links('<link rel=canonical href="/a"><a href="b#c">B</a><a href="//other/x">', "http://host/docs/")
    Links(found=['http://host/docs/b', 'http://other/x'], canonical='http://host/a')
    """
    parser = _LinkParser()
    parser.feed(html)
    parser.close()
    base = _join(url, parser.base) or url
    found = [target for link in parser.found if (target := _join(base, link))]
    return Links(list(dict.fromkeys(found)), _join(base, parser.canonical) if parser.canonical else "")


_HREF = re.compile(r"""[^>]*?\bhref\s*=\s*["']?([^"'\s>]+)""", re.IGNORECASE)
_TIME = re.compile(r"\b\d\d:(\d\d)\b")


def find_shown(page: str, url: str) -> dict[str, str]:
    """Return what a list of files at `url` shows behind the link to each file, by its address.

    >>> find_shown('<pre><a href="b.txt">b.txt</a>   12-Jan-2024 10:00   17', "http://host/docs/")
    {'http://host/docs/b.txt': '   12-Jan-2024 10:00   17'}
    """
    parts = re.split(r"<a\b", page, flags=re.IGNORECASE)[1:]
    links = ((_HREF.match(part), part.partition("</a>")[2]) for part in parts)
    return {_join(url, html.unescape(link[1])): shown for link, shown in links if link}


def shows_time(shown: str, modified: datetime) -> bool:
    """Return whether what a list shows of a file has the time of its last change to the minute, in any time zone.

    >>> shows_time("31-Dec-2023 23:07  17", datetime(2024, 1, 1, 4, 7)), shows_time("01-Jan-2024 04:07", datetime(2024, 1, 9, 4))
    (True, False)
    """
    days = [modified + timedelta(days=n) for n in (-1, 0, 1)]
    is_day = any(re.search(rf"\b{day.day:02}\b", shown) and str(day.year) in shown for day in days)
    return is_day and any(int(minute) % 15 == modified.minute % 15 for minute in _TIME.findall(shown))


def _join(base: str, link: str) -> str:
    try:
        return urldefrag(urljoin(base, link)).url
    except ValueError:  # no address at all, such as http://[
        return ""
