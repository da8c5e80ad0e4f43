"""The chain of steps: what a GPU leaves of a first build, and what parse, describe, chunk and embed make together.

PDFs, OCR and layout need packages that a bare machine lacks; their share is computed from what `make bench NAME=scale ARGS=costs`
measured. Documents in Markdown go through all four steps here, on all cores and the device at the same time.
"""

import hashlib
import multiprocessing
import os
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from benchmarks.cuda.engines import pagemill
from benchmarks.cuda.settings import Setting
from benchmarks.cuda.texts import words_of_docstrings
from benchmarks.dask.figures import FIGURES
from schemas.media_types import MARKDOWN
from schemas.options.sections import ChunkOptions, DescribeOptions, EmbedOptions, ParseOptions
from schemas.references import Content
from tasks.chunk.chunk import chunk_content
from tasks.describe.io.describe import describe_content
from tasks.describe.io.examine import OcrSettings
from tasks.embed.io.embed import choose_group_size, embed_contents
from tasks.embed.io.providers import find_max_text_tokens, open_provider
from tasks.embed.io.tokenizer import PACKAGED, find_model_folder, load_tokenizer
from tasks.parse.io.parse import parse_content

PAGE_WORDS, PAGES_A_DOCUMENT, WORDS_A_SECTION = 450, 10, 300


def measure_chain(setting: Setting) -> None:
    """A.5: pages of Markdown a second through all steps, and what remains of a build of PDFs when the device embeds."""
    paths = drawn_documents(setting.folder / "documents", setting.sizes.pages // PAGES_A_DOCUMENT)
    options = pagemill(PACKAGED, setting.card).options
    provider, cores = open_provider(options), len(os.sched_getaffinity(0))
    provider.encode(["warm"])
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(cores, context, initializer=_start, initargs=(str(paths[0]),)) as pool:
        list(pool.map(chunks_of, map(str, paths[: 2 * cores])))
        began = time.perf_counter()
        chunked = zip(paths, pool.map(chunks_of, map(str, paths)), strict=True)
        n_chunks = sum(len(vectors) for _, vectors in embed_contents(chunked, provider, choose_group_size(options)))
        seconds = time.perf_counter() - began
    n_pages = len(paths) * PAGES_A_DOCUMENT
    add = setting.results.add
    add(
        "chain",
        "Markdown, all steps",
        n_pages / seconds,
        "pages a second",
        note=f"{cores} cores, {n_chunks / n_pages:.1f} chunks a page",
    )
    add("chain", "Markdown, all steps", n_chunks / seconds, "chunks a second")
    _tell_share(setting, cores)


def _tell_share(setting: Setting, cores: int) -> None:
    """Say what share of a first build embedding on cores takes, and what the cores read when the device embeds (Amdahl)."""
    reading, embedding = 1 / FIGURES.pages_a_core, FIGURES.chunks_a_page / FIGURES.chunks_a_core
    note = "computed from the costs of benchmarks/dask/figures.py"
    add = setting.results.add
    add("chain", "share of embed in a build of PDFs on cores", embedding / (reading + embedding), note=note)
    add("chain", "PDFs, all on cores", cores / (reading + embedding), "pages a second", note=f"{note}, {cores} cores")
    rate = next((row.value for row in setting.results.rows if (row.part, row.what) == ("embedding", "Pagemill")), None)
    if rate is None:
        return
    pages = min(cores / reading, rate / FIGURES.chunks_a_page)
    add("chain", "PDFs, the device embeds", pages, "pages a second", note=f"{note}, {cores} cores")
    add("chain", "the device's share of that time", pages * FIGURES.chunks_a_page / rate)


def _start(path: str) -> None:
    """Prepare a worker: the model's tokenizer is loaded, and leaves the other cores to the other workers."""
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    chunks_of(path)


def chunks_of(path: str) -> list[str]:
    """Return the texts to embed of one document: parsed, described and chunked in this process."""
    data = Path(path).read_bytes()
    content = Content(sha256=hashlib.sha256(data).hexdigest(), media_type=MARKDOWN, path=path, size=len(data))
    parsed = parse_content(content, ParseOptions(), lambda _: None)
    described = describe_content(parsed, OcrSettings(DescribeOptions(), ParseOptions())).to_pylist()[0]
    folder = find_model_folder(PACKAGED)
    chunking = ChunkOptions().resolve(find_max_text_tokens(EmbedOptions()))
    chunks = chunk_content(described, chunking, load_tokenizer(folder).count)["chunks"][0].values
    texts: list[str] = chunks.field("embedding_text").to_pylist()
    return texts


def drawn_documents(folder: Path, n: int) -> list[Path]:
    """Write `n` documents in Markdown, of PAGES_A_DOCUMENT pages and a heading every WORDS_A_SECTION words."""
    folder.mkdir(exist_ok=True)
    words = words_of_docstrings()
    paths = []
    for number in range(n):
        start = number * PAGES_A_DOCUMENT * PAGE_WORDS % (len(words) - PAGES_A_DOCUMENT * PAGE_WORDS)
        path = folder / f"{number}.md"
        path.write_text("\n\n".join(_sections(words[start : start + PAGES_A_DOCUMENT * PAGE_WORDS])), encoding="utf-8")
        paths.append(path)
    return paths


def _sections(words: tuple[str, ...]) -> Iterator[str]:
    for at in range(0, len(words), WORDS_A_SECTION):
        yield "## " + " ".join(words[at : at + 5])
        yield " ".join(words[at + 5 : at + WORDS_A_SECTION])
