from demo.run import EXCERPT, computed_by, excerpt, rows_with_header


def test_an_excerpt_is_one_line_around_the_answer() -> None:
    text = "before\n" * 40 + "the Answer is\n 42 " + "after " * 40
    found = excerpt(text, "answer is 42")
    assert found.startswith("… ") and found.endswith(" …")
    assert "Answer is 42" in found
    assert len(found) <= 2 * EXCERPT + len("answer is 42") + 4


def test_an_excerpt_without_the_answer_is_the_beginning() -> None:
    assert excerpt("short and\nplain", "missing") == "short and plain"


def test_computed_counts_leave_out_what_was_staged_already() -> None:
    assert computed_by({"parse": {"computed": 2, "reused": 5, "seconds": 1.0}}) == {"parse": 2}


def test_rows_of_a_table_are_shown_under_its_caption_and_header() -> None:
    text = "Table 1\n| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |"
    assert rows_with_header(text, "3") == ["Table 1", "| a | b |", "| --- | --- |", "| 3 | 4 |"]
