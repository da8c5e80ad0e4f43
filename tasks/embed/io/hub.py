"""Finds a model: in a directory, or on the hub. What was downloaded once is read from the hub's cache."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from schemas.errors import InputError

ModelCheck = Callable[[Path], Path]
"""Returns a folder if it contains a usable model; else raises an InputError."""


class ModelKind(NamedTuple):
    """A kind of model: its name in errors, the packaged model, an example of a hub id, and the files to download."""

    name: str
    packaged: str
    example: str
    files: tuple[str, ...]


def find_model(model: str, kind: ModelKind, checked: ModelCheck) -> Path:
    """Return the folder of `model`, checked: a directory, or a hub id with a `/`. Only an id needs the hub.

    Raises:
        InputError: there is no such model, the hub cannot be reached, or what `checked` raises.
    """
    folder = Path(model).expanduser()
    if model and folder.is_dir():
        return checked(folder.resolve())
    if model.count("/") == 1 and not model.startswith((".", "/", "~")) and not model.endswith("/"):
        return _from_hub(model, kind, checked)
    raise InputError(
        f"there is no {kind.name} {model!r}: give {kind.packaged}, an existing directory, or a hub id such as {kind.example}"
    )


def _from_hub(model: str, kind: ModelKind, checked: ModelCheck) -> Path:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    try:
        return checked(Path(snapshot_download(model, allow_patterns=list(kind.files), local_files_only=True)))
    except (LocalEntryNotFoundError, InputError):  # the cache has nothing, or only a part
        return checked(_download(model, kind))


def _download(model: str, kind: ModelKind) -> Path:
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(model, allow_patterns=list(kind.files)))
    except Exception as error:  # every failure of the hub means the same here
        cause = f"{type(error).__name__}: {error}".partition("\n")[0]
        raise InputError(
            f"{kind.name} {model!r} cannot be downloaded from the hub ({cause}): check its name, the network and that "
            f"HF_HUB_OFFLINE is not set, or give the directory of a downloaded copy, or {kind.packaged}, which needs no network"
        ) from error
