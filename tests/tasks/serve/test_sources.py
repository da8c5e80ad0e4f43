import pytest

from schemas.errors import InputError
from tasks.serve.sources import folders_of


def test_a_folder_without_a_name_is_that_of_the_source_main() -> None:
    assert folders_of(["/srv/a=b"]) == {"main": "/srv/a=b"}
    assert folders_of([]) == {}


@pytest.mark.parametrize(
    ("given", "message"), [(["a", "b"], "main twice"), (["x=a", "x=b"], "x twice"), ([" "], "blank"), (["x= "], "blank")]
)
def test_sources_that_mean_nothing_or_two_things_are_refused(given: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        folders_of(given)
