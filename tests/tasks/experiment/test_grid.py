from schemas.options.chunking import ChunkOptions
from schemas.options.experiment import ExperimentOptions
from schemas.options.sections import EmbedOptions, RefreshOptions
from tasks.experiment.grid import Cell, is_default_recipe, make_configurations
from tasks.refresh.io.facts import make_recipes


def test_the_default_is_known_among_the_recipes_of_an_experiment() -> None:
    most = make_recipes(RefreshOptions()).max_tokens
    options = ExperimentOptions.model_validate(
        {
            "source": "documents",
            "questions": "questions.jsonl",
            "chunkers": [{"strategy": "sentence"}],
            "ranking": ["dense", "sum"],
            "returned": ["chunks", "passages"],
        }
    )
    ways = make_configurations(options, "sentence 128", "recipe", "data")
    found = []
    for chunk in (ChunkOptions(size_tokens=128), ChunkOptions(size_tokens=96), ChunkOptions(table_tokens=200)):
        cell = Cell(
            name="one", chunk=chunk.resolve(most), embed=EmbedOptions(), engine="torch", recipe="", chunks="", configurations=ways
        )
        found += [(chunk.size_tokens, one.ranking, one.returned) for one in ways if is_default_recipe(cell, one)]
    assert found == [(128, "sum", "passages")]
