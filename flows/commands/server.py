"""The Prefect server: runs of the command line are shown in the UI of one that runs here, if one does."""

import os
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from schemas.errors import InputError

HOST, PORT, LAST_PORT = "127.0.0.1", "4200", 65535
"""Where `make up` starts the server, unless PAGEMILL_PORT names another port."""


def use_local_server() -> None:
    """Report runs to the server on this machine, unless the environment names another or there is none.

    Without a server Prefect starts one for the time of the run, whose history is kept nowhere.
    """
    port = os.environ.get("PAGEMILL_PORT", PORT)
    if not port.isdigit() or int(port) > LAST_PORT:
        raise InputError(f"PAGEMILL_PORT is {port!r}: set it to the number of a port, at most {LAST_PORT}")
    if "PREFECT_API_URL" not in os.environ and _listens(int(port)):
        os.environ["PREFECT_API_URL"] = f"http://{HOST}:{port}/api"


def server_url() -> str | None:
    """Return the API's URL of the server that runs are reported to, or None if there is none."""
    use_local_server()
    return os.environ.get("PREFECT_API_URL")


@contextmanager
def server_starting() -> Iterator[None]:
    """Start the server that a run needs if there is none, while the caller does something else; it ends with this process.

    Raises:
        RuntimeError: the server does not start.
    """
    from prefect.settings import get_current_settings

    settings = get_current_settings()
    if settings.api.url or not settings.server.ephemeral.enabled:
        yield
        return
    from prefect.server.api.server import SubprocessASGIServer

    with ThreadPoolExecutor(1) as thread:
        started = thread.submit(SubprocessASGIServer().start)
        yield
        started.result()


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(0.2)
        return probe.connect_ex((HOST, port)) == 0
