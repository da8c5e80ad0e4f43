import doctest
import subprocess
import sys
from pathlib import Path
from uuid import UUID

import pytest

import pagemill
from tests.flows.corpora import draw_source
from tests.soak.tiny_embedder import make_embedder

HOME = Path(__file__).parents[2]
HEAVY = ("pydantic", "pyarrow", "lancedb", "prefect", "torch", "typer")


def python(program: str, *arguments: str) -> str:
    done = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a folder of documents, where no Prefect server answers."""
    draw_source(tmp_path / "reports")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path / "prefect"))
    return tmp_path


def test_importing_it_loads_nothing_that_takes_long() -> None:
    assert python(f"import sys, pagemill; print([name for name in {HEAVY} if name in sys.modules])") == "[]"


@pytest.mark.slow
@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_python_in_the_documentation_does_what_it_shows(page: str) -> None:
    section = (HOME / page).read_text("utf-8").split("```python\n>>> import pagemill")[1].split("```")[0]
    found = doctest.DocTestParser().get_doctest(f">>> import pagemill{section}", {}, page, page, 0)
    printed: list[str] = []
    assert doctest.DocTestRunner().run(found, out=printed.append).failed == 0, "".join(printed)
    assert len(found.examples) > 4


@pytest.mark.usefixtures("alone")
def test_options_of_a_call_win_over_variables_and_these_over_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("pagemill.toml").write_text("[chunk]\nsize_tokens = 60\n[publish]\nkeep_generations = 3\n[gate]\nmin_mean_tokens = 1\n")
    monkeypatch.setenv("PAGEMILL_CHUNK_SIZE_TOKENS", "50")
    monkeypatch.setenv("PAGEMILL_PUBLISH_KEEP_GENERATIONS", "4")
    embedder = str(make_embedder(tmp_path))
    outcome = pagemill.refresh(Path("reports"), Path("corpus"), chunk={"size_tokens": 40}, embed={"model": embedder})
    assert (outcome["outcome"], outcome["generation"]) == ("published", 1)
    options = pagemill.open("corpus").generations()["options"][0].as_py()
    assert '"size_tokens": 40' in options and '"keep_generations": 4' in options and '"min_mean_tokens": 1' in options


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize(
    ("source", "options", "message"),
    [
        ("reports", {"chunks": {}}, r"\[chunks\] is not a section; did you mean chunk\?"),
        ("reports", {"chunk": {"size_token": 3}}, r"chunk.size_token is not an option; did you mean size_tokens\?"),
        ("reports", {"chunk": {"size_tokens": 0}}, "chunk.size_tokens: Input should be greater than"),
        ("nowhere", {}, r"source \S*nowhere does not exist: name a folder of documents"),
    ],
)
def test_a_wrong_refresh_is_told_and_makes_nothing(source: str, options: dict[str, dict[str, int]], message: str) -> None:
    with pytest.raises(pagemill.errors.InputError, match=message):
        pagemill.refresh(source, "corpus", candidate=None, beside=None, **options)
    assert not Path("corpus").exists()


IN_A_PROGRAM_THAT_KNOWS_PREFECT = """
import sys, prefect, pagemill
print(pagemill.refresh("reports", "corpus", embed={"model": sys.argv[1]})["run_id"])
"""


@pytest.mark.slow
@pytest.mark.usefixtures("alone")
def test_a_refresh_is_shown_in_the_server_that_answers(prefect_api: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from prefect.client.orchestration import get_client

    monkeypatch.setenv("PREFECT_API_URL", prefect_api)
    run_id = python(IN_A_PROGRAM_THAT_KNOWS_PREFECT, str(make_embedder(tmp_path)))
    with get_client(sync_client=True) as client:
        assert client.read_flow_run(UUID(run_id)).state_name == "Completed"
