"""Where a model lies: in a directory, or on the hub. What was fetched once is taken from the hub's cache."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from schemas.errors import InputError

ModelCheck = Callable[[Path], Path]
"""Returns a folder if it holds a model that can be used, and raises an InputError if not."""


class ModelKind(NamedTuple):
    """A kind of model: its name in errors, the model that Pagemill brings, an id on the hub, and the files fetched from there."""

    name: str
    packaged: str
    example: str
    files: tuple[str, ...]


def find_model(model: str, kind: ModelKind, checked: ModelCheck) -> Path:
    """Return the folder of `model`, checked: a directory, or a hub id with a `/`, for which alone the hub is asked.

    Raises:
        InputError: there is no such model, the hub cannot be reached, or what `checked` raises.
    """
    folder = Path(model).expanduser()
    if model and folder.is_dir():
        return checked(folder.resolve())
    if model.count("/") == 1 and not model.startswith((".", "/", "~")) and not model.endswith("/"):
        return _from_hub(model, kind, checked)
    raise InputError(f"no {kind.name} {model!r}: give {kind.packaged}, an existing directory, or a hub id such as {kind.example}")


def _from_hub(model: str, kind: ModelKind, checked: ModelCheck) -> Path:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    try:
        return checked(Path(snapshot_download(model, allow_patterns=list(kind.files), local_files_only=True)))
    except (LocalEntryNotFoundError, InputError):  # nothing, or half of it, is in the cache
        return checked(_download(model, kind))


def _download(model: str, kind: ModelKind) -> Path:
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(model, allow_patterns=list(kind.files)))
    except Exception as error:  # every failure of the hub means the same here
        cause = f"{type(error).__name__}: {error}".partition("\n")[0]
        raise InputError(
            f"{kind.name} {model!r} cannot be fetched from the hub ({cause}): check its name, the network and that "
            f"HF_HUB_OFFLINE is not set, or give the directory of a downloaded copy, or {kind.packaged}, which needs no network"
        ) from error
