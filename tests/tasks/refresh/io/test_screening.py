"""The key of the hashes, and recognisers of names that packages provide."""

from pathlib import Path

import pytest

from schemas.corpus import Corpus
from schemas.errors import CorpusError, InputError
from schemas.options.pii import PiiOptions
from schemas.options.sections import RefreshOptions
from tasks.refresh.io import screening
from tasks.refresh.io.screening import ensure_key, find_names_version, load_names, make_screen, make_screening
from tests.tasks.pii.test_documents import element, parsed

REPORTING = RefreshOptions(pii=PiiOptions(action="report"))


def key_of(corpus: Corpus) -> bytes:
    made = make_screening(corpus, REPORTING)
    assert made
    return made.key


def test_a_corpus_keeps_one_key_which_its_candidates_share(tmp_path: Path) -> None:
    corpus = Corpus(str(tmp_path / "corpus"))
    ensure_key(corpus.candidate("other"))
    key = key_of(corpus)
    ensure_key(corpus)
    assert key_of(corpus) == key_of(corpus.candidate("other")) == key
    assert len(key) == 64
    assert (corpus.private / "pii.key").stat().st_mode & 0o777 == 0o600


def test_a_key_of_the_environment_is_written_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(screening.KEY_VARIABLE, "mine")
    ensure_key(Corpus(str(tmp_path)))
    assert key_of(Corpus(str(tmp_path))) == b"mine"
    assert not [*tmp_path.rglob("*")]


def test_a_key_that_is_gone_is_told_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="run it again, or set PAGEMILL_PII_KEY"):
        make_screening(Corpus(str(tmp_path)), REPORTING)
    assert make_screening(Corpus(str(tmp_path)), RefreshOptions()) is None


def test_names_are_found_by_a_package_whose_version_is_part_of_the_recipe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "two_names.py").write_text(
        "import re\n\ndef find(text):\n    return [one.span() for one in re.finditer('Ada|Bo', text)]\n"
    )
    facts = tmp_path / "two_names-1.4.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: two-names\nVersion: 1.4\n")
    (facts / "entry_points.txt").write_text("[pagemill.names]\ntwo = two_names:find\n")
    monkeypatch.syspath_prepend(tmp_path)
    load_names.cache_clear()
    assert find_names_version("two") == "two-names 1.4"
    screen = make_screen(PiiOptions(action="off", kinds={"name": "redact"}, names="two"), b"key")
    kept, found = screen.screen_parsed(parsed(element("Ada and Bob met.")), lambda images: [])
    assert kept["elements"][0]["text"] == "[NAME] and [NAME] met."
    assert [one["kind"] for one in found] == ["name", "name"]
    with pytest.raises(InputError, match=r"pii\.names is 'three', .* there are: two"):
        load_names("three")
