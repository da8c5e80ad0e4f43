"""Pagemill for Python users: refresh a corpus, open what is published, search it.

The import is fast: slow libraries are loaded when they are needed. Every error is one of `pagemill.errors`.
"""

import os
import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING

from pagemill.opened import Hits as Hits
from pagemill.opened import OpenCorpus as OpenCorpus
from schemas import errors as errors
from schemas.access import OWNER as OWNER
from schemas.access import Principal as Principal
from schemas.errors import PagemillError as PagemillError

if TYPE_CHECKING:
    from schemas.references import RefreshOutcome


def open(corpus: str | os.PathLike[str], rerank: str | None = None, *, as_: Principal | None = None) -> OpenCorpus:
    """Open the live generation of the corpus in the folder `corpus`, as far as `as_` may read it.

    A corpus that declares the column `groups` must know who asks, unless `access.open` is set: a `Principal` in some groups, to
    whom it has the documents of these and of everyone; or `OWNER`, who may read all.

    `rerank` is a cross-encoder, a directory or a hub id, that puts the best chunks of each question in order; none is packaged.

    Raises:
        AccessError: nobody asks, and the corpus says who may read it; or somebody does, and it does not say.
        InputError: there is no such cross-encoder.
        CorpusError: nothing has been published yet, the corpus has another format, or it cannot be read.
    """
    from flows.cli.main import silence_libraries
    from flows.settings import configure_object_store
    from schemas.corpus import Corpus
    from tasks.search.io.retrieve import open_searcher

    silence_libraries()
    configure_object_store(os.fspath(corpus))
    return OpenCorpus(open_searcher(Corpus(os.fspath(corpus)), rerank, as_))


def refresh(
    source: str | os.PathLike[str],
    corpus: str | os.PathLike[str],
    candidate: str | None = None,
    *,
    beside: str | None = None,
    **options: Mapping[str, object],
) -> "RefreshOutcome":
    """Bring `corpus` up to date with the documents in the folder `source`, and publish it as one new generation.

    With `candidate`, the corpus stays as it is: a candidate of that name is built in its folder, with another model or recipe.
    `beside` is the old name of that argument, and goes with the next release.

    Each of `options` is a section of `schemas.options.sections`, such as `chunk={"size_tokens": 128}`. They take precedence over
    PAGEMILL_ variables, and these over pagemill.toml in the working folder. If a Prefect server answers, the run is shown in
    its UI.

    Returns:
        What `pagemill refresh --json` prints: `outcome` ("published" or "nothing changed"), `generation`, `counts` of documents
        and rows. After publication, also `steps`, `seconds`, `gate`, `n_rejects` and `warnings`.

    Raises:
        InputError: source, corpus or an option is not valid.
        CorpusError: the corpus does not fit, is held or would lose too much, or another refresh of it is running.
        GateError: the draft failed its checks; the corpus is not changed.
        WriteError: the disk is full, or the permission to write is missing.
    """
    from flows.cli.main import silence_libraries
    from flows.cli.refresh import run_refresh
    from flows.cli.server import get_prefect_server_url
    from flows.settings import read_refresh_options

    silence_libraries()
    place = os.fspath(corpus)
    if beside is not None:
        warnings.warn("beside is now candidate; the old name goes with the next release", DeprecationWarning, stacklevel=2)
        candidate = beside if candidate is None else candidate
    if candidate is not None:
        from schemas.corpus import Corpus
        from tasks.publish.io.candidates import place_candidate

        place = place_candidate(Corpus(place), candidate).uri
    return run_refresh(os.fspath(source), place, read_refresh_options(options), dry_run=False, url=get_prefect_server_url())
