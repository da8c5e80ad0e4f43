"""Libraries: their versions, as far as they change what a step computes."""

from importlib.metadata import version

PARSE = ("onnxruntime", "pillow")
"""The layout model runs on the first; scans and figures' pictures go through the second."""
DESCRIBE = ("pillow", "tokenizers", "torch", "transformers")
"""Thumbnails, and what the CLIP model sees; the words of the types; the CLIP model."""
SENTENCES = ("pysbd",)
CHUNK = (*SENTENCES, "pystemmer", "tokenizers")
"""Where sentences end, in prose or in the text of figures; the terms of chunks; how long a chunk is."""
EMBED = ("tokenizers", "torch", "transformers")
EMBED_INT8 = ("openvino", "tokenizers")
EMBED_STATIC = ("tokenizers",)


def versions(names: tuple[str, ...]) -> dict[str, str]:
    """Return the version of each library, without what tells for which device it was built, such as `+cpu`."""
    return {name: version(name).partition("+")[0] for name in names}
