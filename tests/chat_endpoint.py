"""A chat endpoint on the loopback that plays a script: answers, refusals, errors, delays."""

import json
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

USAGE = {"prompt_tokens": 100, "completion_tokens": 20}


class Reply(NamedTuple):
    """One response. A `status` of 0 closes the connection without an answer; a `drip` sends a byte, then waits, and so on."""

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = {}
    delay_seconds: float = 0.0
    drip_seconds: float = 0.0


def says(content: str, finish: str = "stop", refusal: str | None = None, usage: Any = USAGE, delay_seconds: float = 0.0) -> Reply:
    """Return a completion with these words."""
    message = {"role": "assistant", "content": content, "refusal": refusal}
    completion = {"choices": [{"message": message, "finish_reason": finish}], "usage": usage}
    return Reply(json.dumps(completion).encode(), delay_seconds=delay_seconds)


def fails(status: int, text: str = "no", **headers: str) -> Reply:
    """Return an error."""
    return Reply(text.encode(), status, {name.replace("_", "-"): value for name, value in headers.items()})


class ChatEndpoint:
    """Plays the replies of `script` in turn, the last one for ever; remembers what it was asked, and with which key."""

    def __init__(self, *script: Reply) -> None:
        self.script = list(script)
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        endpoint, turn = self, threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with turn:
                    endpoint.asked.append({"path": self.path, **body})
                    endpoint.keys.append(self.headers["Authorization"])
                    reply = endpoint.reply(body)
                time.sleep(reply.delay_seconds)
                if not reply.status:
                    self.close_connection = True
                    return
                self.send_response(reply.status)
                for name, value in {"Content-Length": str(len(reply.body)), **reply.headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                for at in range(len(reply.body)) if reply.drip_seconds else ():
                    self.wfile.write(reply.body[at : at + 1])
                    time.sleep(reply.drip_seconds)
                self.wfile.write(b"" if reply.drip_seconds else reply.body)

            def log_message(self, format: str, *args: Any) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/v1"

    def reply(self, body: Mapping[str, Any]) -> Reply:
        """Return the next reply; a subclass may choose it by what was asked."""
        return self.script.pop(0) if len(self.script) > 1 else self.script[0]


@contextmanager
def playing(*script: Reply, endpoint: ChatEndpoint | None = None) -> Iterator[ChatEndpoint]:
    """Serve a script, or another endpoint, for the length of the block."""
    served = endpoint or ChatEndpoint(*script)
    threading.Thread(target=served.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    try:
        yield served
    finally:
        served.server.shutdown()
        served.server.server_close()
