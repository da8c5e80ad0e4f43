"""The hub of models: what was fetched once is taken from its cache, and the hub is asked only for what is not there."""

from collections.abc import Callable, Sequence
from pathlib import Path

from schemas.errors import InputError


def is_hub_id(model: str) -> bool:
    """Tell whether `model` can name a model of the hub: owner/name.

    >>> [is_hub_id(name) for name in ("owner/name", "name", "./owner/name", "/owner/name", "a/b/c", "owner/")]
    [True, False, False, False, False, False]
    """
    return model.count("/") == 1 and not model.startswith((".", "/", "~")) and not model.endswith("/")


def fetched(model: str, patterns: Sequence[str], checked: Callable[[Path], Path], instead: str) -> Path:
    """Return the folder of the hub's `model`, as `checked` returns it; it holds the files that match `patterns`.

    Raises:
        InputError: the hub cannot be reached or has no such model, with the advice to use `instead`; or what `checked` raises.
    """
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    try:
        return checked(Path(snapshot_download(model, allow_patterns=list(patterns), local_files_only=True)))
    except (LocalEntryNotFoundError, InputError):  # nothing, or half of it, is in the cache
        return checked(_download(model, patterns, instead))


def _download(model: str, patterns: Sequence[str], instead: str) -> Path:
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(model, allow_patterns=list(patterns)))
    except Exception as error:  # every failure of the hub means the same here
        cause = f"{type(error).__name__}: {error}".partition("\n")[0]
        raise InputError(
            f"{model!r} cannot be fetched from the hub ({cause}): check its name, the network and that "
            f"HF_HUB_OFFLINE is not set, or give the directory of a downloaded copy, or {instead}, which needs no network"
        ) from error
