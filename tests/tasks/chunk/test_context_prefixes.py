from tasks.chunk.context_prefixes import ContextPrefixes, list_prefix_facts
from tasks.parse.elements.assembly import assemble
from tasks.parse.text.markdown import parse_markdown
from tasks.parse.text.rst.document import parse_rst


def test_an_underlined_title_is_in_the_prefix_without_its_row() -> None:
    for row in (parse_markdown(b"The Mill\n========\n\nText.\n"), parse_rst(b"~~~~~~~~\nThe Mill\n~~~~~~~~\n\nText.\n")):
        elements = assemble(row["elements"], row["text"]).elements
        prefixes = ContextPrefixes(elements, ("title", "section")).drop_long_prefixes(
            100, lambda texts: [len(text) for text in texts]
        )
        assert prefixes.get_prefix((row["text"] or "").index("Text."), "Text.") == "The Mill"


def test_only_prefixes_with_titles_have_facts_of_their_own() -> None:
    assert list_prefix_facts(("title", "section"))
    assert not list_prefix_facts(("section", "header", "caption"))
