import os
from pathlib import Path

import pytest
from PIL import Image

from schemas.errors import InputError
from tasks.adapters import tesseract


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


def test_reading_leaves_no_file_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert tesseract.read_words(Image.new("L", (200, 100), 255), "eng") == []
    monkeypatch.setattr(tesseract, "TIMEOUT_SECONDS", 0.001)
    with pytest.raises(TimeoutError, match="longer than"):
        tesseract.read_words(Image.new("L", (3000, 3000), 255), "eng")
    assert list(tmp_path.iterdir()) == []


def test_a_limit_of_threads_is_set_only_while_tesseract_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OMP_THREAD_LIMIT", raising=False)
    tesseract.read_words(Image.new("L", (200, 100), 255), "eng")
    assert "OMP_THREAD_LIMIT" not in os.environ
    monkeypatch.setenv("OMP_THREAD_LIMIT", "3")
    tesseract.read_words(Image.new("L", (200, 100), 255), "eng")
    assert os.environ["OMP_THREAD_LIMIT"] == "3"
