import socket

import pytest

from schemas.errors import InputError
from tasks.serve.io.process import listening, url_of


def test_a_free_port_is_listened_at_without_waiting_for_receipts() -> None:
    with listening("127.0.0.1", 0) as place:
        assert url_of(place) == f"http://127.0.0.1:{place.getsockname()[1]}"
        with socket.create_connection(place.getsockname()), place.accept()[0] as accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


@pytest.mark.parametrize("host", ["192.0.2.1", "no such host"])
def test_a_host_that_is_not_this_machine_is_refused(host: str) -> None:
    with pytest.raises(InputError, match=f"cannot listen at {host} port 0"):
        listening(host, 0)


def test_a_taken_port_is_refused_with_what_to_do() -> None:
    with listening("127.0.0.1", 0) as place, pytest.raises(InputError, match=r"address already in use.*choose another --port"):
        listening("127.0.0.1", place.getsockname()[1])
