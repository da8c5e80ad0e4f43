"""What a page of a corpus cost: seconds of CPU and bytes."""

import time
from pathlib import Path

from benchmarks.report import say
from schemas.corpus import Corpus
from schemas.options.sections import EmbedEngine, EmbedOptions
from tasks.refresh.run import find_embedding_engine
from tasks.store import published


def tell_costs(source: Path, corpus: Path, cpu_seconds: float) -> None:
    """Embed the chunks of a corpus once more, alone, and print what its refresh of `cpu_seconds` cost by page, chunk and core."""
    live = published.read_newest_generation(Corpus(str(corpus)))
    assert live
    documents = published.read_columns(Corpus(str(corpus)), live, "documents", ["n_pages"])
    n_pages = sum(n or 1 for n in documents["n_pages"].to_pylist())
    texts = published.read_columns(Corpus(str(corpus)), live, "chunks", ["text"])["text"].to_pylist()
    embedding = embedding_seconds(texts, find_embedding_engine(live.recipe_details))
    say(f"{n_pages} pages, {len(texts)} chunks, {cpu_seconds:.1f} s of CPU, {embedding:.1f} s of them embed")
    say(f"  pages a core and second, without embed: {n_pages / (cpu_seconds - embedding):.2f}")
    say(f"  chunks a core and second: {len(texts) / embedding:.1f}, chunks a page: {len(texts) / n_pages:.2f}")
    indexes = sum(size_of(place) for place in corpus.glob("*.lance/_indices"))
    sizes = {
        "source": size_of(source),
        "staging": size_of(corpus / ".pagemill/staging"),
        "all of .pagemill": size_of(corpus / ".pagemill"),
        "tables": sum(size_of(place) for place in corpus.glob("*.lance")) - indexes,
        "indexes": indexes,
    }
    say("  bytes a page: " + ", ".join(f"{what} {size / n_pages:,.0f}" for what, size in sizes.items()))


def embedding_seconds(texts: list[str], engine: EmbedEngine) -> float:
    """Return the seconds of CPU in which the default model embeds texts, once it is loaded."""
    from tasks.embed.io.providers import open_provider

    provider = open_provider(EmbedOptions(engine=engine))
    provider.encode(texts[:8])
    began = time.process_time()
    provider.encode(texts)
    return time.process_time() - began


def size_of(folder: Path) -> int:
    """Return the bytes of all files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
