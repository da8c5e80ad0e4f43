"""Which corpora `make deploy` takes, from the environment and from pagemill.toml."""

from pathlib import Path

import pytest

from flows.deploy.corpora import read_deployed_corpora
from schemas.errors import InputError

TWO = """
[deploy]
schedule = "30 1 * * *"
timezone = "Europe/Berlin"
pool = "pagemill-cuda"

[corpora.reports]
source = "reports"
corpus = "published/reports"
questions = "questions.jsonl"

[corpora.minutes]
source = "/data/minutes"
corpus = "/published/minutes"
schedule = "0 5 * * 1"
pool = "pagemill"
config = "minutes.toml"
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder."""
    for name in ("NAME", "SOURCE", "CORPUS", "QUESTIONS", "SCHEDULE", "TIMEZONE", "CONFIG"):
        monkeypatch.delenv(f"PAGEMILL_{name}", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_corpus_of_the_file_is_deployed_with_its_own_hour_places_and_options(folder: Path) -> None:
    (folder / "pagemill.toml").write_text(TWO)
    (folder / "minutes.toml").write_text("[chunk]\nsize_tokens = 200\n")
    reports, minutes = read_deployed_corpora()
    assert (reports.suffix, reports.tag, reports.schedule, reports.timezone) == (
        "-reports",
        "reports",
        "30 1 * * *",
        "Europe/Berlin",
    )
    assert reports.source == str(folder / "reports") and reports.questions == str(folder / "questions.jsonl")
    assert (minutes.source, minutes.questions, minutes.schedule) == ("/data/minutes", "", "0 5 * * 1")
    assert (reports.pool, minutes.pool) == ("pagemill-cuda", "pagemill")
    assert (reports.config, minutes.config) == ("", str(folder / "minutes.toml"))


def test_a_name_chooses_one_corpus_of_the_file_and_variables_win(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "pagemill.toml").write_text(TWO)
    monkeypatch.setenv("PAGEMILL_NAME", "reports")
    monkeypatch.setenv("PAGEMILL_SCHEDULE", "15 3 * * *")
    [chosen] = read_deployed_corpora()
    assert (chosen.tag, chosen.schedule) == ("reports", "15 3 * * *")
    monkeypatch.setenv("PAGEMILL_NAME", "report")
    with pytest.raises(InputError, match="no such corpus; did you mean reports"):
        read_deployed_corpora()


def test_variables_name_a_corpus_beside_the_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "pagemill.toml").write_text(TWO)
    monkeypatch.setenv("PAGEMILL_SOURCE", "letters")
    with pytest.raises(InputError, match="give both a source and a corpus"):
        read_deployed_corpora()
    monkeypatch.setenv("PAGEMILL_CORPUS", "published/letters")
    [chosen] = read_deployed_corpora()
    assert (chosen.suffix, chosen.tag, chosen.corpus) == ("", "letters", str(folder / "published/letters"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[corpora]\nreports = 1", "corpora.reports must be a section"),
        ('[corpora.reports]\nsource = "a"', "corpora.reports: the options are wrong: corpus: Field required"),
        ('[corpora.reports]\nsource = "a"\ncorpus = "b"\nhour = 2', "hour: Extra inputs are not permitted"),
        ('[corpora."a b"]\nsource = "a"\ncorpus = "b"', "the corpus a b: use letters, digits"),
        ('[corpora.a]\nsource = "a"\ncorpus = "b"\nconfig = "c.toml"', "c.toml does not exist"),
        ('[corpora.a]\nsource = "a"\ncorpus = "b"\ntimezone = "Europe/Berlim"', "did you mean Europe/Berlin"),
        ("[deploy]\nhour = 2", "deploy.hour is not an option"),
        ('[deploy]\nnotify = "https://hooks.slack.com/1"', "notify: String should match pattern"),
        ("", "nothing to deploy: run make demo first"),
    ],
)
def test_what_cannot_be_deployed_is_told(folder: Path, text: str, message: str) -> None:
    (folder / "pagemill.toml").write_text(text)
    with pytest.raises(InputError, match=message):
        read_deployed_corpora()
