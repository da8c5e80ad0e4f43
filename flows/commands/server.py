"""The Prefect server: runs of the command line are shown in the UI of one that runs here, if one does."""

import os
import socket

LOCAL_SERVER = ("127.0.0.1", int(os.environ.get("PAGEMILL_PORT", "4200")))
"""Where `make up` starts the server."""


def use_local_server() -> None:
    """Report runs to the server on this machine, unless the environment names another or there is none.

    Without a server Prefect starts one for the time of the run, whose history is kept nowhere.
    """
    if "PREFECT_API_URL" not in os.environ and _listens():
        os.environ["PREFECT_API_URL"] = "http://{}:{}/api".format(*LOCAL_SERVER)


def _listens() -> bool:
    with socket.socket() as probe:
        probe.settimeout(0.2)
        return probe.connect_ex(LOCAL_SERVER) == 0
