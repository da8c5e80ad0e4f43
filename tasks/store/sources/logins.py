"""Logins: the users and passwords of sources, from the environment of the process."""

import os
import re
from typing import NamedTuple

DESTINATION_USER, DESTINATION_PASSWORD = "PAGEMILL_DESTINATION_USER", "PAGEMILL_DESTINATION_PASSWORD"
"""The same for destinations of deliveries."""

USER, PASSWORD = "PAGEMILL_SOURCE_USER", "PAGEMILL_SOURCE_PASSWORD"
"""The variables that hold the name and the password, or token, for all sources that have none of their own."""


class Login(NamedTuple):
    """A user's name, blank for that of the address or none, and the password or token."""

    user: str = ""
    password: str = ""


def find_login(source_name: str) -> Login:
    """Return the login for a source: of variables that end with its name, in capitals, or else of those without one."""
    return _find_login(source_name, USER, PASSWORD)


def find_destination_login(name: str) -> Login:
    """Return the login for a destination, likewise."""
    return _find_login(name, DESTINATION_USER, DESTINATION_PASSWORD)


def _find_login(name: str, user: str, password: str) -> Login:
    own = "_" + re.sub(r"\W", "_", name).upper()
    suffix = own if password + own in os.environ else ""
    return Login(os.environ.get(user + suffix, ""), os.environ.get(password + suffix, ""))


def list_passwords() -> list[str]:
    """Return the passwords of all sources and destinations, the longest first."""
    given = (value for name, value in os.environ.items() if name.startswith((PASSWORD, DESTINATION_PASSWORD)) and value)
    return sorted(given, key=len, reverse=True)
