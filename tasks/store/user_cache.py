"""What was measured once on this machine, in small JSON files in the user's cache folder. Losing it costs another measurement."""

import json
import logging
import os
from pathlib import Path
from typing import Any

from tasks.store.local import LocalStorage

logger = logging.getLogger(__name__)


def find_user_cache() -> Path:
    """Return Pagemill's folder among the user's caches."""
    configured = Path(os.environ.get("XDG_CACHE_HOME", ""))
    folder = configured if configured.is_absolute() else Path.home() / ".cache"
    return folder / "pagemill"


def recall_from_user_cache(name: str) -> dict[str, Any]:
    """Return what the file `name` remembers; nothing if it is missing or damaged."""
    try:
        known = json.loads((find_user_cache() / name).read_bytes())
    except (OSError, ValueError, RuntimeError):
        return {}
    return known if isinstance(known, dict) else {}


def remember_in_user_cache(name: str, key: str, value: object) -> None:
    """Add to the file `name`. Of two writers at once one may be forgotten; a folder that cannot be written remembers nothing."""
    try:
        with LocalStorage().open_atomically(find_user_cache() / name) as sink:
            sink.write(json.dumps({**recall_from_user_cache(name), key: value}).encode())
    except (OSError, RuntimeError) as error:
        logger.info("%s cannot be saved: %s", find_user_cache() / name, error)
