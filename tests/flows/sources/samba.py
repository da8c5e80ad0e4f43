"""A folder of Windows on loopback: Samba, as a user without rights, in a folder that goes with it."""

import getpass
import os
import re
import shutil
import subprocess
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.flows.ports import free_port
from tests.flows.sources.servers import USER, FolderBehind, Requests, wait_for_port
from tests.flows.sources.wire import Wire

CONFIGURATION = """
[global]
interfaces = lo
bind interfaces only = yes
smb ports = {port}
disable netbios = yes
server role = standalone server
private dir = {place}
lock directory = {place}
state directory = {place}
cache directory = {place}
pid directory = {place}
ncalrpc dir = {place}/rpc
log file = {place}/log
passdb backend = smbpasswd:{place}/passwords
username map = {place}/users
load printers = no
printcap name = /dev/null
[share]
path = {folder}
"""
PASSWORD_HASH = "EEEE22590FA03B6CB0327AAE6C9D6CC4"
"""The NT hash of PASSWORD."""

CREATE, READ, DIRECTORY = 5, 1, 1
"""The command that opens a file, its right to read bytes, and its option to open a folder."""
MESSAGE = re.compile(rb"\xfeSMB@\0")
"""How a message of SMB 2 begins."""


class Smb(FolderBehind):
    """A share of Samba."""

    def __init__(self) -> None:
        pytest.importorskip("smbprotocol", reason="make test-sources installs what it needs")
        program = shutil.which("smbd", path=f"{os.environ['PATH']}:/usr/sbin")
        if program is None:
            pytest.skip("Samba is missing: apt-get install samba")
        self._place = Path(tempfile.mkdtemp())
        self._place.chmod(0o755)
        super().__init__(self._place / "there")
        user, port = "nobody" if os.geteuid() == 0 else getpass.getuser(), free_port()
        (self._place / "smb.conf").write_text(CONFIGURATION.format(place=self._place, folder=self.folder, port=port))
        (self._place / "users").write_text(f"{user} = {USER}\n")
        (self._place / "passwords").write_text(f"{user}:65534:{'X' * 32}:{PASSWORD_HASH}:[U          ]:LCT-60000000:\n")
        dropped: dict[str, Any] = {}
        if os.geteuid() == 0:
            dropped = {"user": user, "group": "nogroup", "extra_groups": []}
            for path in (self._place, *self._place.iterdir()):
                shutil.chown(path, user, "nogroup")
        (self._place / "passwords").chmod(0o600)
        command = [program, "-F", "--no-process-group", "-s", str(self._place / "smb.conf")]
        self._server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **dropped)
        wait_for_port(port)
        self.wire = Wire(port)
        self.url = f"smb://{USER}@127.0.0.1:{self.wire.port}/share"

    def take_requests(self) -> Requests:
        taken, asked = Requests(Counter(), Counter()), self.wire.take_asked()
        for found in MESSAGE.finditer(asked):
            head, body = asked[found.start() :], asked[found.start() + 64 :]
            if int.from_bytes(head[12:14], "little") == CREATE:
                start, size = (int.from_bytes(body[at : at + 2], "little") for at in (44, 46))
                name = head[start : start + size].decode("utf-16-le").replace("\\", "/")
                access, options = (int.from_bytes(body[at : at + 4], "little") for at in (24, 40))
                if options & DIRECTORY:
                    taken.listings[name] += 1
                elif access & READ:
                    taken.bodies[name] += 1
        return taken

    def close(self) -> None:
        """End the server."""
        self.wire.close()
        self._server.terminate()
        self._server.wait()
        shutil.rmtree(self._place)
