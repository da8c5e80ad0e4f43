"""The folder of a model: found on this machine or on the hub, its weights checked and loaded."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypedDict

from schemas.errors import InputError

if TYPE_CHECKING:
    from transformers import PreTrainedModel

ModelCheck = Callable[[Path], Path]
"""Returns a folder if it contains a usable model; else raises an InputError."""


class ModelKind(NamedTuple):
    """A kind of model: its name in errors, the packaged model, an example of a hub id, and the files to download."""

    name: str
    packaged: str
    example: str
    files: tuple[str, ...]


class TensorHeader(TypedDict):
    """What a safetensors file says of a tensor: `data_offsets` are where it begins and ends, in bytes."""

    dtype: str
    shape: list[int]
    data_offsets: list[int]


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


def check_weights(folder: Path) -> None:
    """Make sure that `folder` contains whole safetensors weights.

    Raises:
        InputError: it does not. The message mentions pickled weights if there are any.
    """
    found = sorted(folder.glob("*.safetensors"))
    for path in found:
        if not _is_whole(path):
            raise InputError(f"{path} is damaged or not whole: download the model again")
    if not found:
        pickled = " (pickled weights are never loaded, because they can run code)" if list(folder.glob("*.bin")) else ""
        raise InputError(f"{folder} has no *.safetensors{pickled}: save the model with safetensors weights")


def read_header(path: Path) -> tuple[dict[str, TensorHeader], int]:
    """Return the tensors that a safetensors file names, with dtype, shape and data_offsets, and where the first one begins.

    The file holds the header's length in eight bytes, the header in JSON, and the tensors.

    Raises:
        ValueError: the header is damaged.
    """
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if not 0 < length <= path.stat().st_size:
            raise ValueError(f"{path} has no header")
        header = json.loads(file.read(length))
    if not isinstance(header, dict):
        raise ValueError(f"{path} has no header")
    return {name: part for name, part in header.items() if name != "__metadata__"}, 8 + length


def _is_whole(path: Path) -> bool:
    """Return whether a file has as many bytes as its header says."""
    try:
        tensors, start = read_header(path)
        return start + max((int(part["data_offsets"][1]) for part in tensors.values()), default=0) == path.stat().st_size
    except (ValueError, KeyError, TypeError, AttributeError):
        return False


def load_model(
    folder: Path, what: str, spare: tuple[str, ...] = (), dtype: str = "float32", auto_class: str = "AutoModel"
) -> "PreTrainedModel":
    """Return the model in `folder` in `dtype`; `what` names it in errors. Weights that begin with one of `spare` are optional.

    `auto_class` is the class of transformers that knows the model by its task.

    Raises:
        InputError: it cannot be loaded, or weights are missing.
    """
    import transformers
    from safetensors import SafetensorError
    from transformers.utils import logging

    logging.disable_progress_bar()
    options = {"local_files_only": True, "trust_remote_code": False, "use_safetensors": True, "output_loading_info": True}
    try:
        model, loading = getattr(transformers, auto_class).from_pretrained(folder, dtype=dtype, **options)
    except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as error:
        if "trust_remote_code" in str(error):
            raise InputError(
                f"the {what} in {folder} wants to run code of its own, which is never done: choose one that transformers knows"
            ) from error
        raise InputError(f"the {what} in {folder} cannot be loaded ({error}): download it again or choose another") from error
    if absent := sorted(name for name in loading["missing_keys"] if not name.startswith(spare)):
        raise InputError(f"{folder} lacks {len(absent)} weights, such as {absent[0]}: download the model again or choose another")
    return model
