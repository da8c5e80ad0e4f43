"""Where Prefect keeps what the steps did: beside the corpus, in its folder or in its store."""

from pathlib import Path

from prefect.filesystems import LocalFileSystem, WritableFileSystem
from prefect.utilities.asyncutils import run_sync_in_worker_thread

from schemas.corpus import Corpus, place_of
from schemas.ids import digest
from tasks.store import files


class StoredResults(WritableFileSystem):
    """Results in an object store, for every machine that works for a run. It holds an address, and no credentials."""

    _block_type_name = "Pagemill results in a store"
    _block_type_slug = "pagemill-stored-results"
    basepath: str

    async def read_path(self, path: str) -> bytes:
        """Return the bytes of a result.

        Raises:
            FileNotFoundError: there is none.
        """
        return await run_sync_in_worker_thread(self._place(path).read_bytes)

    async def write_path(self, path: str, content: bytes) -> None:
        """Keep the bytes of a result."""
        await run_sync_in_worker_thread(files.put, self._place(path), content)

    def _place(self, path: str) -> Path:
        return place_of(self.basepath) / path


def results_folder(corpus: Corpus) -> Path:
    """Return where Prefect keeps what the steps did."""
    return corpus.results.resolve()


def results_of(corpus: Corpus) -> WritableFileSystem:
    """Return Prefect's block for the results of a corpus, known to its server."""
    place = str(results_folder(corpus))
    storage = StoredResults(basepath=place) if corpus.in_store else LocalFileSystem(basepath=place)
    storage.save(f"pagemill-{digest(place)}", overwrite=True)
    return storage
