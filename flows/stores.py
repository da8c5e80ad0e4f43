"""Object stores: the address that `pagemill.toml` gives is put where every library looks for it, the environment."""

import os

from flows.settings import file_section, resolve
from schemas.corpus import in_store
from schemas.options.stores import StoreOptions


def configure_store(*places: str) -> None:
    """Set address and region of the store, if one of `places` lies in one, unless the environment says them.

    Raises:
        InputError: the section `store` of `pagemill.toml` is not what it should be.
    """
    if not any(map(in_store, places)):
        return
    given = resolve(StoreOptions, file_section("store"), {})
    for variable, value in (("AWS_ENDPOINT_URL", given.endpoint), ("AWS_REGION", given.region)):
        if value:
            os.environ.setdefault(variable, value.rstrip("/"))
