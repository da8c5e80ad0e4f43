"""Which engine embeds a corpus: the one that an option names, or it was built with, or the fastest that keeps the vectors.

Endpoints and static vectors leave no choice.
"""

from schemas.errors import InputError
from schemas.options.sections import EmbedEngine, EmbedOptions
from tasks.embed.io.cpu.int8_models import check_int8_usable, does_int8_keep_vectors
from tasks.embed.io.device import has_gpu_driver
from tasks.embed.io.dtype_choice import describe_processor
from tasks.embed.io.static_files import find_static_files
from tasks.embed.io.tokenizer import find_model_folder

INT8_FEATURES = frozenset({"avx512_vnni", "avx_vnni", "amx_int8"})
"""Of processors that multiply integers of 8 bits faster than floats."""


def choose_engine(options: EmbedOptions, built_with: EmbedEngine | None) -> EmbedEngine:
    """Return what makes the vectors. A corpus that was `built_with` torch or OpenVINO keeps it unless an option names another.

    Raises:
        InputError: it has to be OpenVINO, and that cannot run here; or an option names an engine for static vectors.
    """
    if options.provider == "endpoint":
        return "endpoint"
    if find_static_files(find_model_folder(options.model)):
        if options.engine != "auto":
            raise InputError(
                f"{options.model} has static vectors, which {options.engine} does not compute: set embed.engine to auto"
            )
        return "static"
    before = built_with if built_with in ("torch", "openvino") else None
    engine = before if options.engine == "auto" else options.engine
    if engine is None:
        return "openvino" if _is_for_cpus(options) and does_int8_keep_vectors(find_model_folder(options.model)) else "torch"
    if engine == "openvino":
        check_int8_usable(find_model_folder(options.model))
    return engine


def _is_for_cpus(options: EmbedOptions) -> bool:
    """Return whether the vectors are made on a CPU that is fast in 8 bits, and no option asks for another arithmetic."""
    on_cpu = options.device == "cpu" or (options.device == "auto" and not has_gpu_driver())
    return on_cpu and options.dtype == "auto" and bool(INT8_FEATURES & set(describe_processor().split()))
