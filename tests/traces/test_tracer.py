from pathlib import Path

import pytest

from tests.traces.tracer import trace_of

LOG = r"""
10 connect(3, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("10.0.0.2")}, 16) = 0
11 connect(4, {sa_family=AF_INET6, sin6_port=htons(443), inet_pton(AF_INET6, "2001:db8::1", &x)}, 28 <unfinished ...>
12 openat(AT_FDCWD</srv>, "read.txt", O_RDONLY|O_CLOEXEC) = 3</srv/read.txt>
12 openat(AT_FDCWD</srv>, "corpus/a.lance", O_WRONLY|O_CREAT|O_TRUNC, 0666 <unfinished ...>
11 <... connect resumed>) = -1 EINPROGRESS (Operation now in progress)
12 <... openat resumed>) = 3</srv/corpus/a.lance>
13 sendto(5<socket:[2]>, "x", 1, 0, {sa_family=AF_INET, sin_port=htons(4200), sin_addr=inet_addr("127.0.0.1")}, 16) = 1
13 connect(6, {sa_family=AF_UNIX, sun_path="/run/x"}, 110) = 0
14 mkdir("/home/me/.cache/Maker", 0700) = 0
14 mkdir("/exists", 0777) = -1 EEXIST (File exists)
14 rename("/tmp/new", "/home/me/.cache/id") = 0
14 renameat2(AT_FDCWD</srv>, "a", 7</srv/b>, "c", RENAME_NOREPLACE) = 0
"""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    (tmp_path / "log").write_text(LOG)
    return tmp_path / "log"


def test_peers_are_seen_and_those_of_this_machine_told_apart(log: Path) -> None:
    trace = trace_of(log, Path("/"))
    assert trace.peers == {("10.0.0.2", 53), ("2001:db8::1", 443), ("127.0.0.1", 4200)}
    assert trace.strangers() == {("10.0.0.2", 53), ("2001:db8::1", 443)}


def test_what_was_written_or_made_is_seen_and_what_failed_or_was_read_is_not(log: Path) -> None:
    written = {"/srv/corpus/a.lance", "/home/me/.cache/Maker", "/home/me/.cache/id", "/srv/b/c"}
    assert trace_of(log, Path("/")).written == set(map(Path, written))
    assert trace_of(log, Path("/")).elsewhere([Path("/srv")]) == {Path("/home/me/.cache/Maker"), Path("/home/me/.cache/id")}
