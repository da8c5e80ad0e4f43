"""Whether what is about to be opened is whole: names and sizes of files are looked at, in milliseconds."""

from schemas.corpus import Corpus
from schemas.errors import DamageError
from tasks.store import published
from tasks.store.integrity import manifests
from tasks.store.published import Generation


def check_whole(corpus: Corpus, generation: Generation) -> None:
    """Refuse a generation of which a file is gone or cut short. One without a manifest is let through: it is older than these.

    Raises:
        DamageError: it is damaged; says which file, and which command helps.
    """
    manifest = manifests.manifest_of(corpus, generation.generation, generation.versions)
    if wrong := manifests.missing_or_cut(corpus, manifest.files) if manifest else {}:
        path, said = next(iter(wrong.items()))
        others = f", and {len(wrong) - 1} more files are wrong" if len(wrong) > 1 else ""
        at = f"generation {generation.generation} of {corpus}"
        raise DamageError(f"{at} is damaged: {path} {said}{others}: run pagemill repair --corpus {corpus}")


def check_live(corpus: Corpus) -> None:
    """Refuse a corpus whose live generation is damaged; see `check_whole`. One where nothing is published is let through."""
    live = published.newest(corpus)
    if live is not None:
        check_whole(corpus, live)
