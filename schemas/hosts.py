"""Hosts: which of them are this machine alone."""

import ipaddress


def is_loopback(host: str) -> bool:
    """Return whether a host, by name or address, is this machine, and only it can reach a server there.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0"), is_loopback("corpus.example.org")
    (True, True, False, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
