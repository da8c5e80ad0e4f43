"""Letters in fonts of symbols, as Word, Outlook and LibreOffice write them, are what readers see."""

import pytest

from tasks.parse.web.document import parse_html

SHOWN = {
    "Thanks <span style='font-family:Wingdings'>J</span>": "Thanks ☺",
    "<span style='font-family:Wingdings'><span style='mso-symbol-font-family:Wingdings'>J</span></span>": "☺",
    "<font face='Wingdings, sans'>\uf0fc</font> paid": "✓ paid",
    """10 <span style="font-size:9pt;font-family:'Symbol',serif">m</span>g""": "10 μg",
    "<span style='font-family:Symbol'>a<b style='font-family:Arial'>b</b>\u03b3</span>": "\u03b1b\u03b3",
    "<span style='font-family:Arial'>J</span>": "J",
}


@pytest.mark.parametrize(("page", "shown"), SHOWN.items())
def test_letters_in_fonts_of_symbols_are_what_readers_see(page: str, shown: str) -> None:
    assert [block.text for block in parse_html(f"<meta charset=utf-8><p>{page}</p>".encode(), False).blocks] == [shown]
