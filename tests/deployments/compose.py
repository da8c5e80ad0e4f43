"""deployments/docker-compose.yml as Docker reads it."""

import re
from pathlib import Path
from typing import Any

import yaml

COMPOSE = Path("deployments/docker-compose.yml")


def interpolated(text: str, **variables: str) -> str:
    """Return a Compose file as Docker reads it: `${NAME}`, `${NAME:-default}` and `${NAME:?message}` replaced, `$$` as `$`."""

    def value(found: re.Match[str]) -> str:
        if found[0] == "$$":
            return "$"
        if not variables.get(found[1], "") and found[2] == ":?":
            raise ValueError(f"{found[1]}: {found[3]}")
        return variables.get(found[1], "") or (found[3] or "")

    return re.sub(r"\$\$|\$\{(\w+)(?:(:-|:\?)([^}]*))?\}", value, text)


SECRETS = {"PAGEMILL_LOGIN": "keeper:tide", "PAGEMILL_DATABASE_PASSWORD": "barnacle", "PAGEMILL_DEPLOYMENT_KEY": "limpet"}
"""What the Compose file does not start without."""


def services(**variables: str) -> dict[str, dict[str, Any]]:
    """Return the services of the Compose file."""
    given = {**SECRETS, **variables}
    found: dict[str, dict[str, Any]] = yaml.safe_load(interpolated(COMPOSE.read_text(), **given))["services"]
    return found
