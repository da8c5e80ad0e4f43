import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.text.front_matter import split_front_matter
from tasks.parse.text.markdown import parse_markdown

TEXT = {
    "slides": "---\n\n# Welcome\n\n---\n\nmore",
    "slides without blank lines": "---\n# Welcome\n---\nmore",
    "a letter": "---\n\nWelcome: the bridge stays closed.\n\n---\n\nmore",
    "a salutation": "---\nWelcome all,\nplease note: the audit starts on Monday.\n---\nmore",
    "prose": "---\nWelcome to the harbour\n---\nmore",
    "a list": "---\n- Welcome\n- b\n---\nmore",
    "a number": "---\n12\n---\nWelcome",
    "a table": "---\n| Welcome | b |\n|---|---|\n---\nmore",
    "prose that YAML cannot read": "---\nNote: bad: x\n\nWelcome to the bridge\n---\nmore",
    "a template": "---\n{{ Welcome }}\n---\nmore",
    "a time": "---\n12:30 Welcome\n---\nmore",
    "nothing": "---\n---\nWelcome",
    "no end": "---\ntitle: Welcome\n",
    "a second line": "\n---\ntitle: Welcome\n---\nmore",
    "a rule of plus signs": "+++\nWelcome\n+++\nmore",
    "lines of Windows": "---\r\n\r\nWelcome\r\n\r\n---\r\nmore",
}


@pytest.mark.parametrize("text", TEXT.values(), ids=TEXT)
def test_what_is_no_mapping_is_text_below_a_rule(text: str) -> None:
    assert split_front_matter(text) == (0, split_front_matter("").properties, [])
    row = parse_markdown(text.encode())
    assert any("Welcome" in element["text"] for element in row["elements"] if element["kind"] != "furniture")
    assert row["rejects"] == []


FRONT = {
    "YAML": "---\ntitle: Rules\n---\nmore",
    "an end of three points": "---\ntitle: Rules\n...\nmore",
    "lines of Windows": "---\r\ntitle: Rules\r\n---\r\nmore",
    "a comment first": "---\n# made by hand\ntitle: Rules\n---\nmore",
    "values on several lines": "---\ntags:\n  - a\n- b\ntitle: >\n  Rules\n---\nmore".replace("- b\n", "  - b\n"),
    "TOML": '+++\ntitle = "Rules"\ndraft = false\n+++\nmore',
    "TOML with a table": '+++\ntitle = "Rules"\n[extra]\na = 1\n+++\nmore',
    "names that are no texts": "---\ntitle: Rules\nheld: {2024-05-31: yes, 1: no, null: c}\n---\nmore",
    "TOML with lines of Windows": '+++\r\ntitle = "Rules"\r\n+++\r\nmore',
}


@pytest.mark.parametrize("text", FRONT.values(), ids=FRONT)
def test_mappings_become_properties(text: str) -> None:
    row = parse_markdown(text.encode())
    assert (row["properties"]["title"] or "").strip() == "Rules"
    assert [element["text"] for element in row["elements"] if element["kind"] != "furniture"] == ["more"]


UNREADABLE = [
    "---\ntitle: a: b\n---\nmore",
    "---\nauthor: @port\n---\nmore",
    "+++\ntitle = Rules\n+++\nmore",
    "---\na: 'b\nc: d\n---\nmore",
    f"---\na: {'[' * 33}{']' * 33}\n---\nmore",
    f"+++\na = {'[' * 300}{']' * 300}\n+++\nmore",
    f"---\ntitle: 0x{'f' * 6000}\n---\nmore",
    '---\na: "\\ud800"\n---\nmore',
]


@pytest.mark.parametrize("text", UNREADABLE)
def test_a_mapping_with_a_mistake_is_reported_and_stays_front_matter(text: str) -> None:
    row = parse_markdown(text.encode())
    assert [element["kind"] for element in row["elements"]] == ["furniture", "paragraph"]
    assert "front matter" in row["rejects"][0]["message"]


@given(st.lists(st.sampled_from(["a b", "c: d", "", "# e", "- f", "  g", "h: i: j", "@k"]), max_size=6))
def test_nothing_between_two_rules_is_lost(lines: list[str]) -> None:
    row = parse_markdown("\n".join(["---", *lines, "---", "more"]).encode())
    kept = "\n".join(element["text"] for element in row["elements"])
    assert all(line.strip() in kept for line in lines)
