from pathlib import Path
from xml.etree import ElementTree

from benchmarks.parsing.tables import tables_of, trim_truth
from tests.tasks import drawn

TRUTH = """<document><table><region page='1'>
<cell start-row='2' start-col='1' end-col='2'><content>a</content></cell>
<cell start-row='3' start-col='1' end-row='4'><content>b</content></cell>
</region></table></document>"""


def test_trimmed_truth_begins_in_the_first_row_and_column(tmp_path: Path) -> None:
    (tmp_path / "truth").mkdir()
    (tmp_path / "truth/x-str.xml").write_text(TRUTH)
    trim_truth(tmp_path / "truth", tmp_path / "trimmed")
    cells = ElementTree.parse(tmp_path / "trimmed/truth/x-str.xml").getroot().iter("cell")
    assert [cell.attrib for cell in cells] == [
        {"start-row": "0", "start-col": "0", "end-col": "1"},
        {"start-row": "1", "start-col": "0", "end-row": "2"},
    ]


def test_tables_are_given_with_rows_and_a_box_from_the_bottom_left(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(drawn.ruled_table())
    [table] = tables_of(str(tmp_path / "a.pdf"), lambda _: None)
    assert table["rows"] == drawn.ROWS
    assert table["page"] == 1
    x0, y0, x1, y1 = table["bbox"]
    assert x0 < x1
    assert 842 - 280 < y0 < y1 < 842 - 160
