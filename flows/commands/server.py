"""The Prefect server: runs of the command line are shown in the UI of one that runs here, if one does."""

import os
import socket

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


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(0.2)
        return probe.connect_ex((HOST, port)) == 0
