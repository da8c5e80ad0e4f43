"""How a program that is no Prefect client asks the server of `make up`."""

import base64
import json
import shlex
import urllib.request
from pathlib import Path
from uuid import uuid4


def login_of(run_dir: Path) -> str:
    """Return the login (user:password) that `make up` made, from its private folder; "" if the server has another one."""
    words = shlex.split((run_dir / "server.env").read_text("utf-8"))
    return dict(word.split("=", 1) for word in words if "=" in word).get("PREFECT_API_AUTH_STRING", "")


def headers_for(url: str, login: str) -> dict[str, str]:
    """Return the headers of requests to the API at `url` that may change something: the login, and a token of its own."""
    client = uuid4().hex
    head = {"Authorization": f"Basic {base64.b64encode(login.encode()).decode()}", "Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(f"{url}/csrf-token?client={client}", headers=head), timeout=30) as answer:
        token = json.load(answer)["token"]
    return {**head, "Prefect-Csrf-Token": token, "Prefect-Csrf-Client": client}
