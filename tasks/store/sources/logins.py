"""Logins: the users and passwords of sources, from the environment of the process."""

import os
import re
from typing import NamedTuple

USER, PASSWORD = "PAGEMILL_SOURCE_USER", "PAGEMILL_SOURCE_PASSWORD"
"""The variables that hold the name and the password, or token, for all sources that have none of their own."""


class Login(NamedTuple):
    """A user's name, blank for that of the address or none, and the password or token."""

    user: str = ""
    password: str = ""


def find_login(source_name: str) -> Login:
    """Return the login for a source: of variables that end with its name, in capitals, or else of those without one."""
    own = "_" + re.sub(r"\W", "_", source_name).upper()
    suffix = own if PASSWORD + own in os.environ else ""
    return Login(os.environ.get(USER + suffix, ""), os.environ.get(PASSWORD + suffix, ""))


def list_passwords() -> list[str]:
    """Return the passwords of all sources, the longest first."""
    return sorted((value for name, value in os.environ.items() if name.startswith(PASSWORD) and value), key=len, reverse=True)
