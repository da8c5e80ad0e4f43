import pytest

from tests.tasks.parse.web.test_document import blocks, kinds


def test_tables_by_their_roles_are_tables() -> None:
    def row(role: str, *cells: str) -> str:
        return f"<div role=row>{''.join(f'<span role={role}>{cell}</span>' for cell in cells)}</div>"

    head = f"<div role=rowgroup>{row('columnheader', 'Berth', 'Depth')}</div>"
    (table,) = blocks(f"<div role=table>{head}{row('cell', 'A', '9 m<sup>2</sup>')}</div>")
    assert [(cell.row, cell.column, cell.text) for cell in table.cells] == [
        (0, 0, "Berth"),
        (0, 1, "Depth"),
        (1, 0, "A"),
        (1, 1, "9 m²"),
    ]
    assert table.n_head == 1
    assert kinds("<span role=grid>a <b>b</b></span>") == [("paragraph", "a b")], "without columns it is none"


GUTTERS = [
    "<table class=highlighttable><tr><td class=linenos><pre>1\n2</pre></td><td class=code><pre>{}</pre></td></tr></table>",
    "<table><tr><td><div>9\n10</div></td><td><div><pre>{}</pre></div></td></tr></table>",
    '<pre><span class="ln">1</span>{}</pre>',
    '<pre><a class="lineno" href="#1">  12 </a>{}</pre>',
    '<pre><span class="hljs-ln-n">1</span>{}</pre>',
    '<pre><span class="line-number">1</span>{}</pre>',
]


@pytest.mark.parametrize("page", GUTTERS)
def test_numbers_of_lines_are_no_code(page: str) -> None:
    assert kinds(page.format("def gate():")) == [("code", "def gate():")]


def test_numbers_in_code_and_tables_stay() -> None:
    assert kinds('<pre><span class="m">1</span> + <span class="line">2</span></pre>') == [("code", "1 + 2")]
    assert ("code", "1") in kinds("<table><tr><td><pre>1</pre></td><td>no code</td></tr><tr><td>a<td>b</table>")


FIELDS = {
    '<label>Name <input value="Quay Ltd"></label><label>Zone <input type=number value=4></label>': "Name Quay Ltd Zone 4",
    "<label>Zone<select><option>North<option selected>South</select></label>by": "Zone South by",
    "<label>Zone <select><option>North<option>South</select>": "Zone North",
    "<select multiple><option selected>A<option>B<option selected>C</select> x": "A, C x",
    "<label><input type=checkbox checked>Insured</label><label><input type=radio>Diver</label>": "☒ Insured ☐ Diver",
    "<label>on board</label><textarea>Needs a crane.</textarea>yes": "on board Needs a crane. yes",
    '<input type=hidden value=secret><input type=password value=secret>a<input type=submit value="Send">': "a Send",
    '<input placeholder="Your name"> a': "a",
}


@pytest.mark.parametrize(("page", "text"), FIELDS.items())
def test_forms_show_their_values_apart_from_their_labels(page: str, text: str) -> None:
    assert kinds(f"<p>{page}") == [("paragraph", text)]


@pytest.mark.parametrize("tag", ["nav", "aside", "div hidden", "div id=toc", "header", "div role=table", "sup", "ruby", "s"])
def test_thousands_of_elements_inside_each_other_are_read(tag: str) -> None:
    (block,) = blocks(f"<{tag}>" * 3000 + "deep")
    assert "deep" in block.text
