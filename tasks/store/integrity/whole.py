"""Whether what is about to be opened is whole: names and sizes of files are looked at, in milliseconds."""

from schemas.corpus import Corpus
from schemas.errors import DamageError
from tasks.store import published
from tasks.store.integrity import manifests
from tasks.store.integrity.digests import list_below
from tasks.store.integrity.manifests import Manifest
from tasks.store.integrity.rest import read_record
from tasks.store.published import Generation


def check_generation(corpus: Corpus, generation: Generation) -> None:
    """Refuse a generation of which a file is gone or cut short. One without a manifest is let through: it is older than these.

    Raises:
        DamageError: it is damaged; says which file, and which command helps.
    """
    manifest = manifests.find_manifest(corpus, generation.generation, generation.versions)
    if manifest:
        _check_files(corpus, manifest)


def _check_files(corpus: Corpus, manifest: Manifest) -> None:
    if wrong := manifests.find_missing_or_truncated(corpus, manifest.files):
        path, said = next(iter(wrong.items()))
        others = f", and {len(wrong) - 1} more files are wrong" if len(wrong) > 1 else ""
        at = f"generation {manifest.generation} of {corpus}"
        raise DamageError(f"{at} is damaged: {path} {said}{others}: run pagemill repair --corpus {corpus}")


def check_unchanged(corpus: Corpus, generation: int) -> None:
    """Refuse a corpus that is damaged, or has another format, although nothing has changed since `generation` was published.

    While the files of the table of generations are those that were recorded, no table is opened.

    Raises:
        CorpusError: it is damaged, or has another format.
    """
    record, name = read_record(corpus), "generations.lance"
    known = {path: file.size for path, file in record.files.items() if path.startswith(name)} if record else {}
    there = {path: file.size for path, file in list_below(corpus, [name]).items()}
    paths = [path for path in manifests.manifest_paths(corpus) if path.name.startswith(f"{generation}-")]
    live = [manifest for path in paths if (manifest := manifests.read_manifest(path))]
    if known == there and len(live) == 1:
        _check_files(corpus, live[0])
        return
    newest = published.newest(corpus)
    if newest is not None:
        check_generation(corpus, newest)
