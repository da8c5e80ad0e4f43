"""The speed of chunking beside langchain-text-splitters, chonkie and semchunk, at equal sizes in the same tokenizer's tokens.

The others run in an environment of their own, made in the cache folder. Every measurement is CPU time in a process of its own. A
library that is slow on a tenth of the text is not given the whole: its time is projected, and marked with a tilde.
"""

import json
import re
import resource
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

SIZE = 256
PROSE_CHARACTERS = 3_000_000
PATIENCE_SECONDS = 60.0
PEERS = ("chonkie", "semchunk", "langchain-text-splitters", "tokenizers", "transformers")
NOVELS = "r-cran-janeaustenr"
"""A Debian package with the six novels of Jane Austen."""

PAIRS = (
    ("token-window", "pagemill"),
    ("token-window", "chonkie"),
    ("token-window", "langchain"),
    ("sentence", "pagemill"),
    ("sentence", "chonkie"),
    ("recursive", "pagemill"),
    ("recursive", "chonkie"),
    ("recursive", "semchunk"),
    ("recursive", "langchain"),
)
Cut = Callable[[str], int]
"""Cuts a text and returns how many chunks there are."""


def run_speed(texts: Mapping[str, str], cache: Path) -> None:
    """Print CPU seconds and peak memory of each library on a novel of 3 MB, and on `texts` joined; ours on ten novels, too."""
    python = peers(cache)
    cases = {"novel, 3 MB": novel(cache), "corpora": "\n\n".join(texts.values())}
    print(f"{'strategy':<14} {'library':<10} {'text':<12} {'seconds':>9} {'chunks':>7} {'memory, MB':>11}")
    for name, text in cases.items():
        path = cache / f"speed-{name.split(',')[0]}.txt"
        path.write_text(text, encoding="utf-8")
        for strategy, library in PAIRS:
            _print(
                strategy,
                library,
                name,
                _run_measure(sys.executable if library == "pagemill" else python, strategy, library, path),
            )
    tenfold = cache / "speed-tenfold.txt"
    tenfold.write_text(cases["novel, 3 MB"] * 10, encoding="utf-8")
    for strategy in dict.fromkeys(strategy for strategy, _ in PAIRS):
        _print(strategy, "pagemill", "novel × 10", _run_measure(sys.executable, strategy, "pagemill", tenfold))  # noqa: RUF001


def _print(strategy: str, library: str, name: str, found: dict[str, Any]) -> None:
    seconds = ("~" if found["projected"] else "") + f"{found['seconds']:.2f}"
    print(f"{strategy:<14} {library:<10} {name:<12} {seconds:>9} {found['chunks']:>7} {found['memory']:>11.0f}", flush=True)


def _run_measure(python: str, strategy: str, library: str, path: Path) -> dict[str, Any]:
    from tasks.embed.io.tokenizer import find_model_folder

    command = [python, __file__, strategy, library, str(path), str(find_model_folder("all-MiniLM-L6-v2"))]
    environment = {"PYTHONPATH": str(Path(__file__).parents[2]), "PATH": "/usr/bin:/bin", "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def peers(cache: Path) -> str:
    """Return the Python of an environment that holds the other libraries, made if it is not there."""
    folder = cache / "libraries"
    if not (folder / "bin" / "pip").exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    subprocess.run([str(folder / "bin" / "pip"), "install", "--quiet", *PEERS], check=True)
    return str(folder / "bin" / "python")


def novel(cache: Path) -> str:
    """Return the text of a public-domain novel, repeated up to 3 MB; it is taken from a Debian package."""
    folder = cache / "novels"
    if not list(folder.glob("**/Rdata.rdb")):
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["apt-get", "download", "-qq", NOVELS], check=True, cwd=folder)
        [archive] = folder.glob("*.deb")
        subprocess.run(["dpkg-deb", "-x", str(archive), str(folder)], check=True)
    [store] = folder.glob("**/data/Rdata.rdb")
    text = "\n".join(_lines(zlib.decompressobj().decompress(store.read_bytes()[4:])))
    return (text * (PROSE_CHARACTERS // len(text) + 1))[:PROSE_CHARACTERS]


def _lines(serialised: bytes) -> Iterator[str]:
    """Yield the strings of a character vector in R's serialisation."""
    at = serialised.find(b"\x00\x04\x00\x09")
    while at >= 0:
        length = int.from_bytes(serialised[at + 4 : at + 8], "big")
        yield serialised[at + 8 : at + 8 + length].decode()
        at = serialised.find(b"\x00\x04\x00\x09", at + 8 + length)


def _pagemill(strategy: Any, folder: str) -> Cut:
    from schemas.options.sections import ChunkOptions
    from tasks.chunk.chunk import chunk_content
    from tasks.embed.io.tokenizer import load_tokenizer

    options, count = ChunkOptions(strategy=strategy, size_tokens=SIZE), load_tokenizer(Path(folder)).count
    return lambda text: len(
        chunk_content({"text": text, "elements": [], "figures": [], "rejects": []}, options, count)["chunks"][0]
    )


def _load_tokenizer(folder: str) -> Any:
    """Return the embedder's tokenizer, which cuts and pads nothing."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(f"{folder}/tokenizer.json")
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def _chonkie(strategy: str, folder: str) -> Cut:
    import chonkie

    tokenizer = _load_tokenizer(folder)
    names = {"token-window": "TokenChunker", "sentence": "SentenceChunker", "recursive": "RecursiveChunker"}
    own = {} if strategy == "recursive" else {"chunk_overlap": 0}
    chunker = getattr(chonkie, names[strategy])(tokenizer=tokenizer, chunk_size=SIZE - 2, **own)
    return lambda text: len(chunker.chunk(text))


def _semchunk(strategy: str, folder: str) -> Cut:
    import semchunk

    tokenizer = _load_tokenizer(folder)
    chunker = semchunk.chunkerify(lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids), SIZE - 2)
    return lambda text: len(chunker(text))


def _langchain(strategy: str, folder: str) -> Cut:
    from langchain_text_splitters import RecursiveCharacterTextSplitter
    from langchain_text_splitters.base import Tokenizer as Window
    from langchain_text_splitters.base import split_text_on_tokens

    tokenizer = _load_tokenizer(folder)

    def encode(text: str) -> list[int]:
        return list(tokenizer.encode(text, add_special_tokens=False).ids)

    if strategy == "token-window":
        window = Window(chunk_overlap=0, tokens_per_chunk=SIZE - 2, decode=tokenizer.decode, encode=encode)
        return lambda text: len(split_text_on_tokens(text=text, tokenizer=window))
    splitter = RecursiveCharacterTextSplitter(
        chunk_size=SIZE - 2,
        chunk_overlap=0,
        length_function=lambda text: len(encode(text)),
        separators=["\n\n", "\n", ".", "?", "!", " "],
    )
    return lambda text: len(splitter.split_text(text))


def _measure(strategy: str, library: str, path: str, folder: str) -> dict[str, Any]:
    """Time one library in this process; the first tenth of the text warms it up."""
    makers = {"pagemill": _pagemill, "chonkie": _chonkie, "semchunk": _semchunk, "langchain": _langchain}
    text = Path(path).read_text(encoding="utf-8")
    cut = makers[library](strategy, folder)
    started = time.process_time()
    n_chunks = cut(re.sub(r"\S*\Z", "", text[: len(text) // 10]))
    seconds, projected = (time.process_time() - started) * 10, True
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    if seconds < PATIENCE_SECONDS:
        cut = makers[library](strategy, folder)
        started = time.process_time()
        n_chunks = cut(text)
        seconds, projected = time.process_time() - started, False
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    return {"seconds": seconds, "projected": projected, "chunks": n_chunks * (10 if projected else 1), "memory": memory}


if __name__ == "__main__":
    print(json.dumps(_measure(*sys.argv[1:5])))
