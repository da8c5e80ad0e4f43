"""A backup is made while refreshes go on, of one generation; what is restored is what was live, or there is no corpus."""

import os
import random
import shutil
from collections import Counter
from pathlib import Path

import pytest

from schemas.corpus import Corpus
from schemas.errors import ConflictError, DamageError, InputError
from tasks.publish.io import cleanup
from tasks.publish.io.backups.backup import back_up_corpus
from tasks.publish.io.backups.restore import restore_backup
from tasks.publish.io.backups.vault import Vault
from tasks.publish.io.integrity.verify import verify_corpus
from tasks.publish.io.purge import purge_document
from tasks.store import lance, published
from tasks.store.integrity.digests import read_sealed_json, write_sealed_json
from tasks.store.locks import hold_lock
from tests.flows.conftest import Refresh
from tests.flows.corpora import digest
from tests.flows.whole.test_verify import data_of, flip
from tests.soak.kills.forks import Forks, Order
from tests.soak.state import State, kept_states, live_state
from tests.soak.tiny_embedder import make_embedder

BACKUPS = int(os.environ.get("TEST_BACKUPS", "3"))
"""`make test-damage` makes 50."""


def test_a_restored_corpus_is_the_one_that_was_live_and_goes_on(
    plain: Refresh, texts: Path, corpus: Path, tmp_path: Path
) -> None:
    plain(texts, corpus)
    (texts / "b.txt").write_text("The mill has stopped.")
    plain(texts, corpus)
    place, vault = Corpus(str(corpus)), tmp_path / "vault"
    first = back_up_corpus(place, str(vault), keep=7)
    assert (first["copied_files"], first["copied_bytes"]) == (first["files"], first["bytes"])
    restored = tmp_path / "deep" / "restored"
    restore_backup(str(vault), Corpus(str(restored)))
    assert digest(restored) == digest(corpus)
    assert verify_corpus(Corpus(str(restored)), deep=True).findings == ()
    assert plain(texts, restored)["outcome"] == "nothing changed"
    (texts / "a.txt").write_text("The heron has gone.")
    assert plain(texts, restored)["generation"] == 3
    assert verify_corpus(Corpus(str(restored)), deep=True).whole
    modes = {path.stat().st_mode & 0o777 for path in vault.rglob("*") if path.name != "backup.lock"}
    assert modes <= {0o700, 0o600} and vault.stat().st_mode & 0o777 == 0o700


def test_only_what_is_new_is_copied_and_old_backups_go(plain: Refresh, texts: Path, corpus: Path, tmp_path: Path) -> None:
    plain(texts, corpus)
    place, vault = Corpus(str(corpus)), str(tmp_path / "vault")
    back_up_corpus(place, vault, keep=2)
    assert back_up_corpus(place, vault, keep=2)["copied_files"] == 0
    (texts / "b.txt").write_text("The mill has stopped.")
    plain(texts, corpus)
    third = back_up_corpus(place, vault, keep=2)
    assert 0 < third["copied_files"] < third["files"]
    assert len(Vault(tmp_path / "vault").names()) == 2
    back_up_corpus(place, vault, keep=1)
    kept = Vault(tmp_path / "vault")
    assert kept.sizes().keys() == {file.sha256 for file in kept.read(kept.names()[0]).files.values()}
    restore_backup(vault, Corpus(str(tmp_path / "restored")))
    assert digest(tmp_path / "restored") == digest(corpus)
    lead_elsewhere(kept, tmp_path)


def lead_elsewhere(vault: Vault, outside: Path) -> None:
    """Have a backup name files that no backup has: a restore would write them anywhere, and a refresh read them."""
    [name] = vault.names()
    place = vault.place / "backups" / f"{name}.json"
    value = read_sealed_json(place)
    assert value
    path, file = next((path, file) for path, file in value["files"].items() if path.startswith("generations."))
    for other in (str(outside / "stolen"), "../stolen", "documents.lance/../../stolen", ".pagemill/results/x", path + "/..\n"):
        write_sealed_json(place, {**value, "files": {**value["files"], other: file}})
        with pytest.raises(DamageError, match="is damaged"):
            restore_backup(str(vault.place), Corpus(str(outside / "hostile/corpus")))
    write_sealed_json(place, {**value, "files": {**value["files"], path: {**file, "sha256": "../../../stolen"}}})
    with pytest.raises(DamageError, match="is damaged"):
        restore_backup(str(vault.place), Corpus(str(outside / "hostile/corpus")))
    assert not (outside / "stolen").exists() and not (outside / "hostile").exists()


def test_damage_is_copied_by_no_backup_and_restored_from_none(plain: Refresh, texts: Path, corpus: Path, tmp_path: Path) -> None:
    plain(texts, corpus)
    place, vault = Corpus(str(corpus)), tmp_path / "vault"
    name = back_up_corpus(place, str(vault), keep=7)["backup"]
    kept = Vault(vault).read(name)
    path = next(path for path in kept.files if path.startswith("chunks.lance/data"))
    flip(Vault(vault).object_path(kept.files[path].sha256))
    with pytest.raises(DamageError, match="is not as it was written"):
        restore_backup(str(vault), Corpus(str(tmp_path / "restored")))
    assert not (tmp_path / "restored").exists()
    assert back_up_corpus(place, str(vault), keep=7, check=True)["copied_files"] == 1
    restore_backup(str(vault), Corpus(str(tmp_path / "restored")), name)
    with pytest.raises(InputError, match="holds something already"):
        restore_backup(str(vault), Corpus(str(tmp_path / "restored")))
    Vault(vault).object_path(kept.files[path].sha256).unlink()
    with pytest.raises(DamageError, match=f"backup {name} of .* has lost chunks.lance/data"):
        restore_backup(str(vault), Corpus(str(tmp_path / "other")), name)
    flip(data_of(corpus, "chunks"))
    with pytest.raises(DamageError, match="is not as it was written"):
        back_up_corpus(place, str(tmp_path / "another"), keep=7)
    assert Vault(tmp_path / "another").names() == []


def test_a_vault_is_of_one_corpus_and_lies_outside_of_it(plain: Refresh, texts: Path, corpus: Path, tmp_path: Path) -> None:
    plain(texts, corpus)
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault/backup.lock").touch()  # a backup was killed before it copied anything
    back_up_corpus(Corpus(str(corpus)), str(tmp_path / "vault"), keep=7)
    plain(texts, tmp_path / "other")
    with pytest.raises(InputError, match="holds backups of"):
        back_up_corpus(Corpus(str(tmp_path / "other")), str(tmp_path / "vault"), keep=7)
    with pytest.raises(InputError, match="lies in the corpus"):
        back_up_corpus(Corpus(str(corpus)), str(corpus / "backups"), keep=7)
    with pytest.raises(InputError, match="holds other files"):
        back_up_corpus(Corpus(str(corpus)), str(texts), keep=7)
    with pytest.raises(InputError, match="holds no backup"):
        restore_backup(str(tmp_path / "nowhere"), Corpus(str(tmp_path / "new")))


def test_nothing_that_is_being_copied_is_cleaned_up_or_purged(
    plain: Refresh, texts: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cleanup, "SAFE_AGE", cleanup.SAFE_AGE * 0)
    plain(texts, corpus)
    place = Corpus(str(corpus))
    first = published.read_live_generation(place)
    with hold_lock(place.lock("backup"), 0, "a backup"):
        for number in range(2):
            (texts / "b.txt").write_text(f"The mill has stopped {number}.")
            plain(texts, corpus, publish={"keep_generations": 1})
        assert lance.open_table(place, "chunks", first.versions["chunks"]).count_rows()
        with pytest.raises(ConflictError, match="a backup"):
            purge_document(place, "main", "b.txt", "run")
    (texts / "b.txt").write_text("The mill has gone.")
    plain(texts, corpus, publish={"keep_generations": 1})
    assert len(list((corpus / "chunks.lance/_versions").glob("*.manifest"))) == 1


@pytest.mark.slow
def test_backups_during_refreshes_and_kills_can_all_be_restored(tmp_path: Path) -> None:
    source, corpus, vault = tmp_path / "source", tmp_path / "corpus", tmp_path / "vault"
    dice, told = random.Random(5), Counter[str]()
    source.mkdir()
    known: dict[int, State] = {}
    with Forks(make_embedder(tmp_path / "model")) as forks:
        for number in range(10_000):
            text = f"The heron of night {number} stands in the river. It waits {dice.random()}."
            (source / f"{number % 7}.txt").write_text(text)
            kill = dice.randrange(1, 60) if number and dice.random() < 0.3 else 0
            forks.start(forks.refresh_order(corpus, source)._replace(kill=kill))
            if number:
                forks.start(Order("backup", str(vault), {"corpus": str(corpus)}, dice.choice([0, 0, dice.randrange(1, 40)])))
            refreshed = forks.wait()
            ended = forks.wait() if number else refreshed
            assert "a bug" not in refreshed.error + ended.error, (refreshed, ended)
            told[f"refresh {refreshed.signal}"] += 1
            told[f"backup {ended.signal}"] += bool(number)
            known |= kept_states(corpus)
            if len(Vault(vault).names()) >= BACKUPS:
                break
        for name in Vault(vault).names():
            restored = tmp_path / "restored"
            shutil.rmtree(restored, ignore_errors=True)
            done = restore_backup(str(vault), Corpus(str(restored)), name)
            assert live_state(restored)[1] == known[done["generation"]]
            assert verify_corpus(Corpus(str(restored)), deep=True).findings == ()
    assert BACKUPS < 10 or min(told[f"{what} {signal}"] for what in ("refresh", "backup") for signal in (0, 9)) > 0, told
