"""Environment: the variables that programs which handle documents (workers, Tesseract) may see.

This is a list of what they need. All other variables, such as tokens, keys and passwords, are hidden from them.
"""

import os

SINGLE_THREADED = dict.fromkeys(
    (
        "OMP_NUM_THREADS",
        "OMP_THREAD_LIMIT",
        "OPENBLAS_NUM_THREADS",
        "MKL_NUM_THREADS",
        "NUMEXPR_NUM_THREADS",
        "VECLIB_MAXIMUM_THREADS",
        "RAYON_NUM_THREADS",
        "ORT_INTRA_OP_NUM_THREADS",
    ),
    "1",
)
"""One thread for each process, because there is one worker per core. Tesseract is four times as fast on one thread."""

NO_TELEMETRY = {
    "ORT_DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
}
"""Keeps libraries from reporting to their makers. ONNX Runtime also writes an id of the machine and the names of models below the
user's cache, unless its variable is set before it is imported."""

GARBAGE_THRESHOLD = 100_000
"""New objects between two garbage collections: libraries create millions while they load, and a page of a document hundreds of
thousands. Hardly any of them is garbage that only a collection finds.
"""

NEEDED = frozenset(
    {
        *("PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "VIRTUAL_ENV"),
        *("PYTHONHOME", "PYTHONUTF8", "PYTHONIOENCODING", "PYTHONHASHSEED", "PYTHONDONTWRITEBYTECODE", "PYTHONWARNINGS"),
        *("PYTHONPYCACHEPREFIX", "MALLOC_ARENA_MAX", "MALLOC_TRIM_THRESHOLD_", "CUDA_VISIBLE_DEVICES"),
        *("TESSDATA_PREFIX", "FONTCONFIG_FILE", "FONTCONFIG_PATH", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"),
        *("HF_HOME", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "TRANSFORMERS_CACHE", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"),
        *(
            "HF_HUB_DISABLE_IMPLICIT_TOKEN",
            "HF_HUB_DISABLE_PROGRESS_BARS",
            "TRANSFORMERS_VERBOSITY",
        ),
    }
)
LOCALE = "LC_"


def make_worker_environment() -> dict[str, str]:
    """Return the environment of programs that handle documents: the variables that they need, one thread each, no reports."""
    kept = {name: value for name, value in os.environ.items() if name in NEEDED or name.startswith(LOCALE)}
    return {**kept, **SINGLE_THREADED, **NO_TELEMETRY, "TOKENIZERS_PARALLELISM": "false"}
