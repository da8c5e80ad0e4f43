from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.flows.conftest import refreshing
from tests.flows.corpora import draw_source
from tests.flows.serving.servers import Running, serving

HOSTILE = (
    '# Care & <b>feeding</b>\n\n<script>document.title = "taken"</script> Feed the pump <img src=x onerror=alert(1)> monthly.'
)


class Published(NamedTuple):
    """A folder of documents, and the corpus made of it."""

    source: Path
    corpus: Path


@pytest.fixture(scope="session")
def published_corpus(tmp_path_factory: pytest.TempPathFactory, tiny_embedder: str) -> Published:
    """A corpus of small documents; one is a PDF of two pages, one looks like markup. It is only read."""
    folder = tmp_path_factory.mktemp("served")
    made = Published(folder / "source", folder / "corpus")
    draw_source(made.source)
    (made.source / "<i>hostile.md").write_text(HOSTILE)
    refreshing(None, embed={"model": tiny_embedder})(made.source, made.corpus)
    return made


@pytest.fixture(scope="session")
def server(published_corpus: Published) -> Iterator[Running]:
    """A server of that corpus, which knows where its documents lie."""
    with serving(published_corpus.corpus, "--source", published_corpus.source) as running:
        yield running
