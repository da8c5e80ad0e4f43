"""Checks of a corpus before anything is written: its folder, and whether the options of a run fit it."""

import re

from schemas.corpus import PRIVATE, Corpus
from schemas.errors import CorpusError, InputError, StoreError
from schemas.ids import is_unicode
from schemas.options.sections import RefreshOptions
from tasks.refresh.io.source.listing import Listing as Listing
from tasks.refresh.run import Recipes
from tasks.store.files import find_storage
from tasks.store.local import explain_os_error
from tasks.store.objects.paths import resolve_place

PLAIN = re.compile(r"[\w./:-]+", re.ASCII)
"""URIs that mean the same to everyone who reads tables."""


def check_corpus(corpus: Corpus, source: str) -> None:
    """Refuse a corpus URI that is not one, and a source that lies in it. A corpus may lie in its source: it is left out there.

    `source` is what `resolve_source` gives.

    Raises:
        InputError: it is no folder, or a folder of something else, or the source's.
        CorpusError: it has lost its private folder.
    """
    if corpus.uri.startswith("~"):
        raise InputError(f"corpus {corpus} begins with ~, which the shell did not replace: write --corpus {corpus}, without =")
    resolved = resolve_place(corpus.uri)
    if source == resolved:
        raise InputError(f"{corpus} is both source and corpus: choose another folder for the corpus")
    if source.startswith(f"{resolved}/"):
        raise InputError(f"source {source} lies in the corpus {corpus}: move the documents out of it")
    path = corpus.folder
    if not is_unicode(resolved):
        raise InputError(f"the path of corpus {corpus} is not UTF-8: name another folder")
    if corpus.is_in_store and not PLAIN.fullmatch(corpus.uri):
        raise InputError(f"corpus {corpus}: use letters, digits, dots, dashes, underscores and slashes for a corpus in a store")
    if path.is_symlink() and not path.exists():
        raise InputError(f"corpus {corpus} is a symbolic link that leads nowhere: name a folder")
    if path.exists() and not path.is_dir():
        raise InputError(f"corpus {corpus} is a file: name a new or empty folder, or a corpus")
    if not corpus.is_in_store and not (path / PRIVATE).is_dir() and (path / "generations.lance").is_dir():
        raise CorpusError(f"{corpus} has lost its folder {PRIVATE}: run pagemill repair --corpus {corpus.quoted}")
    if path.is_dir() and not (path / PRIVATE).is_dir() and any(path.iterdir()):
        raise InputError(f"{corpus} holds other files and is not a corpus: name a new or empty folder, or a corpus")


def make_corpus(corpus: Corpus, private: bool) -> None:
    """Make the folders of a new corpus, for this user alone if `private`; a folder that is there keeps its mode and its sharing.

    A store is probed instead: whether it keeps what commits rely on.

    Raises:
        CorpusError: they cannot be made, or the umask withholds files from a group that shares the folder.
        StoreError: the store refuses, does not answer, or will not do.
    """
    try:
        find_storage(corpus.folder).make_corpus(corpus.folder, private)
    except StoreError:
        raise
    except OSError as error:
        raise CorpusError(f"corpus {corpus} cannot be created: {explain_os_error(error)}") from error


def check_options_fit_corpus(corpus: Corpus, options: RefreshOptions, recipes: Recipes) -> None:
    """Refuse a corpus that this run's options do not fit, or that a rollback holds.

    Raises:
        CorpusError: another format, embedder, set of columns or recipe, or held; says what to do.
    """
    from tasks.refresh.run import list_recipe_differences
    from tasks.store import published

    live = published.read_newest_generation(corpus)
    if live is None:
        return
    if live.held and not options.publish.release:
        raise CorpusError(f"corpus {corpus} is held by a rollback: check it, then refresh with --release")
    if live.embedder != recipes.embedder:
        raise CorpusError(
            f"corpus {corpus} was embedded with another model: use that model, build a candidate with this one "
            "(--candidate NAME), or build a new corpus"
        )
    if live.columns != options.columns:
        raise CorpusError(
            f"corpus {corpus} has metadata columns {live.columns}, not {options.columns}: declare these, or build a new corpus"
        )
    if live.recipe != recipes.whole and not options.publish.rebuild:
        changes = list_recipe_differences(live.recipe_details, recipes.details)
        back = "restore the old options, " if any(".options." in change for change in changes) else ""
        raise CorpusError(
            f"corpus {corpus} was built with another recipe ({'; '.join(changes) or 'its engines'}): {back}"
            "compute every document again with --rebuild, or build a candidate beside it with --candidate NAME"
        )
