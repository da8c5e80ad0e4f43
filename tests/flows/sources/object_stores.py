"""Object stores on loopback: SeaweedFS for S3, Azurite for Azure, an emulator for Google's. A wire to each counts requests."""

import re
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit
from uuid import uuid4

import pytest

from benchmarks.store.seaweed import Environment, Seaweed
from tasks.store import files
from tasks.store.objects.client import AT_ONCE, put_object
from tasks.store.objects.paths import parse_store_uri, place_in_bucket
from tests.flows.ports import free_port
from tests.flows.sources.servers import Place, Requests, wait_for_port
from tests.flows.sources.wire import Wire

REASON = "make test-sources installs what it needs"
AZURITE = Path(".venv/npm/node_modules/.bin/azurite-blob")
AZURITE_KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
"""The key of Azurite's account, which is the same everywhere."""


class Objects(Place):
    """A prefix of an object store that is asked by HTTP through `wire`."""

    def __init__(self, url: str, wire: Wire) -> None:
        self.url, self.wire = url, wire
        self._place = url.partition("://")[2]

    def close(self) -> None:
        self.wire.close()

    def take_requests(self) -> Requests:
        taken = Requests(Counter(), Counter())
        prefix = self._place.partition("/")[2]
        for target in re.findall(rb"GET (\S+) HTTP", self.wire.take_asked()):
            path, _, query = unquote(target.decode()).partition("?")
            if "prefix=" in query:
                taken.listings[query] += 1
            elif f"/{prefix}/" in path and ("/storage/v1/b" not in path or "alt=media" in query):
                taken.bodies[path.rpartition(f"/{prefix}/")[2]] += 1
        return taken


class S3(Objects):
    """A prefix of a bucket. Its documents are written past the wire."""

    def __init__(self, store: Seaweed, wire: Wire) -> None:
        super().__init__(f"s3://test-{uuid4().hex}/docs", wire)
        self._written = {"AWS_ENDPOINT_URL": store.url}

    def write(self, path: str, text: str) -> None:
        with Environment(self._written):
            files.write_atomically(parse_store_uri(self.url) / path, text.encode())

    def write_many(self, texts: Mapping[str, str]) -> None:
        with Environment(self._written), ThreadPoolExecutor(AT_ONCE) as threads:
            folder = parse_store_uri(self.url)
            list(threads.map(lambda path: put_object(*place_in_bucket(folder / path), texts[path].encode()), texts))

    def remove(self, path: str) -> None:
        with Environment(self._written):
            (parse_store_uri(self.url) / path).unlink()


class Filesystem(Objects):
    """A prefix of a store that fsspec writes to."""

    def __init__(self, url: str, wire: Wire, written: Any) -> None:
        super().__init__(url, wire)
        self._files = written

    def write(self, path: str, text: str) -> None:
        self._files.pipe_file(f"{self._place}/{path}", text.encode())

    def write_many(self, texts: Mapping[str, str]) -> None:
        self._files.pipe({f"{self._place}/{path}": text.encode() for path, text in texts.items()}, batch_size=AT_ONCE)

    def remove(self, path: str) -> None:
        self._files.rm_file(f"{self._place}/{path}")


@contextmanager
def open_s3(store: Seaweed) -> Iterator[S3]:
    """Lead this process to a bucket through a wire."""
    wire = Wire(int(urlsplit(store.url).port or 0))
    with Environment({"AWS_ENDPOINT_URL": f"http://127.0.0.1:{wire.port}"}):
        with closing(S3(store, wire)) as opened:
            yield opened


@contextmanager
def open_azure() -> Iterator[Filesystem]:
    """Start Azurite; the connection string of this process leads there through a wire."""
    adlfs = pytest.importorskip("adlfs", reason=REASON)
    if not AZURITE.exists():
        pytest.skip(f"Azurite is missing: npm install --prefix {AZURITE.parents[2]} azurite")
    port = free_port()
    options = ("--blobPort", str(port), "--inMemoryPersistence", "--silent", "--skipApiVersionCheck")
    server = subprocess.Popen([AZURITE, *options], stdout=subprocess.DEVNULL)
    try:
        wait_for_port(port)
        wire = Wire(port)
        written = adlfs.AzureBlobFileSystem(connection_string=_make_connection_string(port), skip_instance_cache=True)
        written.mkdir("box")
        with Environment({"AZURE_STORAGE_CONNECTION_STRING": _make_connection_string(wire.port)}):
            with closing(Filesystem("az://box/docs", wire, written)) as opened:
                yield opened
    finally:
        server.kill()  # asked to end, it would wait a minute for the connections that clients keep
        server.wait()


def _make_connection_string(port: int) -> str:
    place = f"AccountName=devstoreaccount1;AccountKey={AZURITE_KEY};BlobEndpoint=http://127.0.0.1:{port}/devstoreaccount1;"
    return f"DefaultEndpointsProtocol=http;{place}"


@contextmanager
def open_google() -> Iterator[Filesystem]:
    """Start an emulator; this process is led there through a wire."""
    servers = pytest.importorskip("gcp_storage_emulator.server", reason=REASON)
    port = free_port()
    server = servers.create_server("127.0.0.1", port, in_memory=True, default_bucket="box")
    server.start()
    wire = Wire(port)
    # Once it is imported, the library asks for the kind of a bucket by gRPC, which the emulator does not speak, or does not.
    with Environment({"STORAGE_EMULATOR_HOST": f"http://127.0.0.1:{wire.port}", "GCSFS_EXPERIMENTAL_ZB_HNS_SUPPORT": "false"}):
        gcsfs = pytest.importorskip("gcsfs", reason=REASON)
        written = gcsfs.GCSFileSystem(token="anon", endpoint_url=f"http://127.0.0.1:{port}", skip_instance_cache=True)
        with closing(Filesystem("gs://box/docs", wire, written)) as opened:
            yield opened
    server.stop()
