import os
from collections.abc import Callable
from pathlib import Path

import pytesseract
import pytest
from PIL import Image

from schemas.errors import InputError, LimitError
from tasks.parse.scans.io import tesseract

BLANK = Image.new("L", (200, 100), 255)


def test_a_missing_language_is_refused_with_the_package_to_install() -> None:
    with pytest.raises(InputError, match="apt-get install tesseract-ocr-xyz"):
        tesseract.check_tesseract("eng+xyz")


def test_a_missing_program_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    tesseract._tessdata.cache_clear()
    monkeypatch.setenv("PATH", "")
    with pytest.raises(InputError, match="Tesseract is not installed"):
        tesseract.check_tesseract("eng")
    tesseract._tessdata.cache_clear()


def test_facts_tell_the_version_and_the_data() -> None:
    facts = tesseract.tesseract_facts("eng")
    assert facts["version"][0].isdigit()
    assert len(facts["data"]["eng"]) == 16


def test_languages_that_are_chosen_by_page_are_facts_as_far_as_they_are_installed() -> None:
    facts = tesseract.tesseract_facts("auto")
    assert {"eng", "osd"} <= set(facts["data"]) <= tesseract.installed()
    assert tesseract.tesseract_facts("eng")["data"].items() <= facts["data"].items()


def test_reading_leaves_no_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert tesseract.read_words(BLANK, "eng") == []
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Puts a shell script in Tesseract's place."""

    def put(script: str) -> None:
        (tmp_path / "tesseract").write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / "tesseract").chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)

    return put


def test_a_picture_on_which_tesseract_hangs_ends_at_the_time_limit(
    stand_in: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in("exec sleep 1000")
    monkeypatch.setattr(tesseract, "WALL_SECONDS", 1)
    with pytest.raises(LimitError, match="Tesseract did not finish within 1 s"):
        tesseract.read_words(BLANK, "eng")


@pytest.mark.parametrize(
    ("script", "kind", "says"),
    [
        ("kill -9 $$", LimitError, "out of memory"),
        ("echo terminate called: std::bad_alloc >&2; exit 1", LimitError, "out of memory"),
        ("echo Cannot read it >&2; exit 2", pytesseract.TesseractError, "Cannot read it"),
    ],
)
def test_what_the_machine_refused_may_be_tried_again_and_what_tesseract_cannot_read_may_not(
    script: str, kind: type[Exception], says: str, stand_in: Callable[[str], None]
) -> None:
    stand_in(script)
    with pytest.raises(kind, match=says):
        tesseract.read_words(BLANK, "eng")


def test_tesseract_sees_no_secret_and_computes_on_one_thread(
    stand_in: Callable[[str], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "hidden")
    stand_in(f'env > {tmp_path}/seen; echo text > "$2.tsv"')
    tesseract.read_words(BLANK, "eng")
    seen = (tmp_path / "seen").read_text()
    assert "OMP_THREAD_LIMIT=1\n" in seen
    assert "hidden" not in seen
    assert "OMP_THREAD_LIMIT" not in os.environ
