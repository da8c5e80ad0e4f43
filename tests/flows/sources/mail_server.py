"""An IMAP server on loopback: Dovecot, as a user without rights, in a folder that goes with it."""

import getpass
import grp
import imaplib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tasks.store.sources.mailbox import encode_folder_name
from tests.flows.ports import free_port
from tests.flows.sources.servers import PASSWORD, USER, wait_for_port
from tests.flows.sources.wire import Wire

FOLDER = "Entwürfe & Co"

CONFIGURATION = """
base_dir = {place}/run
state_dir = {place}/run
log_path = {place}/log
protocols = imap
listen = 127.0.0.1
disable_plaintext_auth = no
mail_location = maildir:{place}/mail
auth_failure_delay = 0
{tls}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = {tls_port}
  }}
}}
service anvil {{
  chroot =
}}
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={user} gid={group} home={place}/mail
}}
default_login_user = {user}
default_internal_user = {user}
default_internal_group = {group}
first_valid_uid = 1
"""


class MailServer:
    """Shows the folder FOLDER of one user. What comes from it passes through `wire`, also what is enciphered."""

    def __init__(self, certificate: Path | None = None) -> None:
        """`certificate` is a file with a certificate and its key: then it speaks TLS."""
        program = shutil.which("dovecot", path=f"{os.environ['PATH']}:/usr/sbin")
        if program is None:
            pytest.skip("Dovecot is missing: apt-get install dovecot-imapd")
        is_root = os.geteuid() == 0
        user, group = ("nobody", "nogroup") if is_root else (getpass.getuser(), grp.getgrgid(os.getgid()).gr_name)
        self._place = Path(tempfile.mkdtemp(prefix="mail"))  # the paths of sockets are short
        facts = {"place": self._place, "user": user, "group": group, "password": PASSWORD, "port": free_port(), "tls_port": 0}
        facts["tls"] = "ssl = no"
        if certificate:
            shutil.copy(certificate, self._place / "tls.pem")
            facts |= {"tls_port": free_port(), "tls": f"ssl_cert = <{self._place}/tls.pem\nssl_key = <{self._place}/tls.pem"}
        (self._place / "dovecot.conf").write_text(CONFIGURATION.format(**facts))
        if is_root:
            for path in (self._place, *self._place.iterdir()):
                shutil.chown(path, user, group)
        command = [program, "-F", "-c", str(self._place / "dovecot.conf")]
        dropped: dict[str, Any] = {"user": user, "group": group, "extra_groups": []} if is_root else {}
        self._server = subprocess.Popen(command, stderr=subprocess.DEVNULL, **dropped)
        wait_for_port(int(str(facts["port"])))
        self._client = imaplib.IMAP4("127.0.0.1", int(str(facts["port"])))
        self._client.login(USER, PASSWORD)
        self.wire = Wire(int(str(facts["tls_port"] or facts["port"])))
        self.url = f"imap{'s' if certificate else ''}://{USER}@127.0.0.1:{self.wire.port}/{quote(FOLDER)}"
        self.make_anew()

    def make_anew(self) -> None:
        """Make the folder without messages, with a UIDVALIDITY that it has not had."""
        self._client.delete(encode_folder_name(FOLDER))
        assert self._client.create(encode_folder_name(FOLDER))[0] == "OK"

    def append(self, subject: str, text: str) -> bytes:
        """Put a message into the folder; return it."""
        head = f"From: ada@example.org\r\nSubject: {subject}\r\nMessage-ID: <{subject}@example.org>\r\n\r\n"
        message = f"{head}{text}\r\n".encode()
        assert self._client.append(encode_folder_name(FOLDER), "", "", message)[0] == "OK"
        return message

    def delete(self, uid: int, expunge: bool = True) -> None:
        """Mark a message as deleted, and delete all that are marked so."""
        self._client.select(encode_folder_name(FOLDER))
        self._client.uid("STORE", str(uid), "+FLAGS", "(\\Deleted)")
        if expunge:
            self._client.expunge()
        self._client.unselect()

    def count_requests(self) -> tuple[int, int]:
        """Return how many listings and how many bodies were asked for since the last call."""
        asked = self.wire.take_asked()
        return asked.count(b"RFC822.SIZE"), asked.count(b"BODY.PEEK[]")

    def close(self) -> None:
        """End the server."""
        self.wire.close()
        self._client.shutdown()
        self._server.terminate()
        self._server.wait()
        shutil.rmtree(self._place)
