"""Libraries: their versions, as far as they change what a step computes."""

from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version

PARSE = ("onnxruntime", "pillow")
"""The layout model runs on the first; scans and figures' pictures go through the second."""
DESCRIBE = ("pillow", "tokenizers", "torch", "transformers")
"""Thumbnails, and what the CLIP model sees; the words of the types; the CLIP model."""
SENTENCES = ("pysbd",)
CHUNK = (*SENTENCES, "pystemmer", "tokenizers")
"""Where sentences end, in prose or in the text of figures; the terms of chunks; how long a chunk is."""
GRAMMARS = ("tree-sitter", "tree-sitter-python", "tree-sitter-javascript")
WITH_GRAMMARS = ("code", "adaptive", "parent-child")
"""Strategies that cut listings by grammars, which an installation may lack."""
PII = ("phonenumbers", "python-stdnum", "regex")
"""What personal data is found with."""
EMBED = ("tokenizers", "torch", "transformers")
EMBED_INT8 = ("openvino", "tokenizers")
EMBED_STATIC = ("tokenizers",)


def find_library_versions(names: tuple[str, ...]) -> dict[str, str]:
    """Return the version of each library, without what tells for which device it was built, such as `+cpu`."""
    return {name: version(name).partition("+")[0] for name in names}


def find_grammar_versions(strategy: str) -> dict[str, dict[str, str]]:
    """Return the installed grammars and their versions as facts, for strategies that use them."""
    if strategy not in WITH_GRAMMARS:
        return {}
    found = {}
    for name in GRAMMARS:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return {"grammars": found}
