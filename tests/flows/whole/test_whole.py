"""Every publication writes a manifest of its files; what is damaged is seen before it is opened or built upon."""

from collections.abc import Callable
from pathlib import Path

import pytest

from schemas.corpus import Corpus
from schemas.errors import CorpusError
from tasks.publish.io.candidates import place_candidate
from tasks.publish.io.purge import purge_document
from tasks.publish.io.rollback import roll_back_corpus
from tasks.publish.io.switch import switch_to_candidate
from tasks.publish.io.tags import list_restorable_generations
from tasks.store import lance, published
from tasks.store.integrity.manifests import Manifest, find_manifest, find_missing_or_truncated_files, list_manifests
from tests.flows.conftest import Refresh
from tests.flows.corpora import age

Damage = Callable[[Path], object]


def manifests(corpus: Path) -> dict[int, Manifest]:
    """Return the manifest of each generation that can be restored; each is there, and is all that there is."""
    place = Corpus(str(corpus))
    found = {one.generation: find_manifest(place, one.generation, one.versions) for one in list_restorable_generations(place)}
    assert len(list_manifests(place)) == len(found)
    made = {number: manifest for number, manifest in found.items() if manifest}
    assert made.keys() == found.keys()
    rows = {row["generation"]: row for row in published.read_generation_rows(place)}
    for number, manifest in made.items():
        assert find_missing_or_truncated_files(place, manifest.files) == {}
        assert manifest.as_row() == rows[number]
    return made


def test_every_publication_has_a_manifest_of_all_its_files(plain: Refresh, texts: Path, corpus: Path) -> None:
    plain(texts, corpus)
    (texts / "b.txt").write_text("The mill has stopped.")
    plain(texts, corpus, publish={"keep_generations": 2})
    roll_back_corpus(Corpus(str(corpus)), 1, "run")
    assert manifests(corpus).keys() == {1, 2, 3}
    plain(texts, corpus, publish={"keep_generations": 2, "release": True})
    before = manifests(corpus)
    assert before.keys() == {3, 4}
    (texts / "c.txt").unlink()
    purge_document(Corpus(str(corpus)), "main", "c.txt", "run")
    after = manifests(corpus)
    assert after.keys() == {3, 4, 5}
    assert after[4].versions != before[4].versions


def test_a_switch_writes_a_manifest(plain: Refresh, texts: Path, corpus: Path) -> None:
    plain(texts, corpus)
    plain(texts, Path(str(place_candidate(Corpus(str(corpus)), "small").uri)), chunk={"size_tokens": 32})
    switch_to_candidate(Corpus(str(corpus)), "small")
    assert manifests(corpus).keys() == {1, 2}


def test_a_corpus_without_manifests_gets_one_with_its_next_generation(plain: Refresh, texts: Path, corpus: Path) -> None:
    plain(texts, corpus)
    for path in list_manifests(Corpus(str(corpus))):
        path.unlink()
    (texts / "b.txt").write_text("The mill has stopped.")
    plain(texts, corpus)
    live = published.read_live_generation(Corpus(str(corpus)))
    assert find_manifest(Corpus(str(corpus)), live.generation, live.versions)


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-9])


@pytest.mark.parametrize(
    "where", ["chunks.lance/data", "chunks.lance/_indices", "elements.lance/_versions", "documents.lance/_transactions"]
)
@pytest.mark.parametrize("damage", [Path.unlink, _cut])
def test_a_refresh_that_finds_files_gone_or_cut_says_so_instead_of_nothing_changed(
    plain: Refresh, texts: Path, corpus: Path, where: str, damage: Damage
) -> None:
    plain(texts, corpus)
    age(texts)
    assert plain(texts, corpus)["outcome"] == "nothing changed"
    manifest = manifests(corpus)[1]
    damage(corpus / next(path for path in manifest.files if path.startswith(where)))
    with pytest.raises(CorpusError, match=r"is damaged: .*run pagemill repair --corpus"):
        plain(texts, corpus)


def test_a_corpus_of_another_format_is_refused_before_nothing_changed_is_said(plain: Refresh, texts: Path, corpus: Path) -> None:
    plain(texts, corpus)
    age(texts)
    assert plain(texts, corpus)["outcome"] == "nothing changed"
    lance.open_table(Corpus(str(corpus)), "generations").update(where="true", values={"format": 1})
    with pytest.raises(CorpusError, match="has format 1 and this Pagemill reads format"):
        plain(texts, corpus)


def test_a_refresh_says_that_the_table_of_generations_is_damaged(plain: Refresh, texts: Path, corpus: Path) -> None:
    plain(texts, corpus)
    age(texts)
    assert plain(texts, corpus)["outcome"] == "nothing changed"
    _cut(next((corpus / "generations.lance/data").glob("*.lance")))
    with pytest.raises(CorpusError, match=r"table generations of .* cannot be read"):
        plain(texts, corpus)
