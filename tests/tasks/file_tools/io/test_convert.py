from hypothesis import given
from hypothesis import strategies as st

from tasks.file_tools.io.convert import name_output_files

FOLDERS, STEMS, SUFFIXES = ["", "a/", "a/b/"], "xy", [".pdf", ".txt", ".md", ".pdf.md"]
PARTS = st.tuples(st.sampled_from(FOLDERS), st.sampled_from(STEMS), st.sampled_from(SUFFIXES))
NAMES = st.lists(PARTS.map("".join), unique=True)


@given(paths=NAMES)
def test_different_documents_have_different_results_in_the_same_folders(paths: list[str]) -> None:
    names = name_output_files(paths, ".md")
    assert len(set(names)) == len(paths)
    assert [name.rpartition("/")[0] for name in names] == [path.rpartition("/")[0] for path in paths]


def test_a_result_that_takes_a_long_name_moves_the_one_that_had_it() -> None:
    assert name_output_files(["x.pdf", "x.txt", "x.pdf.md"], ".md") == ["x.pdf.md", "x.txt.md", "x.pdf.md.md"]


def test_what_is_named_twice_keeps_one_name() -> None:
    assert name_output_files(["x.pdf", "x.pdf"], ".md") == ["x.pdf.md", "x.pdf.md"]
