import os
import resource
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from schemas.errors import InputError
from tasks.serve.io.process import format_socket_url, open_listening_socket

WAIT_SECONDS = 60


def test_a_free_port_is_listened_at_without_waiting_for_receipts() -> None:
    with open_listening_socket("127.0.0.1", 0) as place:
        assert format_socket_url(place) == f"http://127.0.0.1:{place.getsockname()[1]}"
        with socket.create_connection(place.getsockname()), place.accept()[0] as accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


@pytest.mark.parametrize("host", ["192.0.2.1", "no such host"])
def test_a_host_that_is_not_this_machine_is_refused(host: str) -> None:
    with pytest.raises(InputError, match=f"cannot listen at {host} port 0"):
        open_listening_socket(host, 0)


def test_a_taken_port_is_refused_with_what_to_do() -> None:
    with (
        open_listening_socket("127.0.0.1", 0) as place,
        pytest.raises(InputError, match=r"address already in use.*choose another --port"),
    ):
        open_listening_socket("127.0.0.1", place.getsockname()[1])


SERVER = """
import asyncio, importlib.util, pathlib, sys
from tasks.serve.io.process import open_listening_socket, log_library_warnings, serve_until_signal
folder = pathlib.Path(sys.argv[1])
async def application(scope, receive, send):
    if scope["type"] == "http":
        (folder / "begun").touch()
        while not (folder / "released").exists():
            await asyncio.sleep(0.01)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"whole"})
log_library_warnings()
if importlib.util.find_spec("mcp"):
    importlib.import_module("mcp.server.mcpserver").MCPServer(name="it sets up logging")
with open_listening_socket("127.0.0.1", int(sys.argv[2])) as place:
    print(place.getsockname()[1], flush=True)
    serve_until_signal(application, place)
"""


def start(folder: Path, port: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", SERVER, str(folder), str(port)]
    with (folder / "log").open("a") as log:
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)


def test_a_signal_frees_the_port_at_once_and_lets_answers_under_way_be_finished(tmp_path: Path) -> None:
    first = start(tmp_path, 0)
    assert first.stdout
    port = int(first.stdout.readline())
    with socket.create_connection(("127.0.0.1", port), timeout=WAIT_SECONDS) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        while not (tmp_path / "begun").exists():
            time.sleep(0.05)
        first.terminate()
        while not is_free(port):
            time.sleep(0.05)
        second = start(tmp_path, port)
        assert second.stdout and int(second.stdout.readline()) == port and first.poll() is None
        (tmp_path / "released").touch()
        assert client.recv(1000).startswith(b"HTTP/1.1 200")
    assert first.wait(WAIT_SECONDS) == 0
    second.terminate()
    assert second.wait(WAIT_SECONDS) == 0
    for process in (first, second):
        assert process.stdout
        process.stdout.close()


def answered(port: int) -> bool:
    with socket.create_connection(("127.0.0.1", port), timeout=WAIT_SECONDS) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return client.recv(1000).startswith(b"HTTP/1.1 200")


def is_free(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=WAIT_SECONDS).close()
    except OSError:
        return True
    return False


def test_a_server_without_a_free_file_descriptor_goes_on_when_there_is_one(tmp_path: Path) -> None:
    (tmp_path / "released").touch()
    logged = tmp_path / "log"
    process = start(tmp_path, 0)
    assert process.stdout
    port = int(process.stdout.readline())
    assert answered(port)
    used = len(os.listdir(f"/proc/{process.pid}/fd"))
    resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (used + 3, used + 3))
    clients = [socket.create_connection(("127.0.0.1", port), timeout=WAIT_SECONDS) for _ in range(9)]
    for client in clients:
        client.sendall(b"GET / HTTP/1.1\r\nX: ")
    for client in clients:
        client.close()
    assert answered(port)
    assert logged.read_text().count("out of system resource") <= 2, "it is told, and not a thousand times"
    process.terminate()
    assert process.wait(WAIT_SECONDS) == 0
    process.stdout.close()
