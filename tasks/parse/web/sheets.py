"""Style sheets of a page: rules that raise, lower or strike text, which changes what numbers say, as styles of its elements."""

import re
from typing import TYPE_CHECKING

from tasks.parse.web.concealment.concealed import declarations

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_RULE = re.compile(r"([^{};]+)\{([^{}]*)\}")
_PROPERTIES = ("vertical-align", "text-decoration", "text-decoration-line")
_MARKING = re.compile(r"vertical-align\s*:\s*su[bp]|line-through", re.IGNORECASE)


def apply_sheets(page: "LexborHTMLParser") -> None:
    """Write what the page's own style sheets say of raised, lowered and struck text to the styles of its elements.

    Later rules count more, the style of the element most; how specific a selector is does not count. Rules for states, such as
    `a:hover`, are left out.
    """
    from selectolax.lexbor import SelectolaxError

    sheets = "\n".join(node.text() for node in page.css("style"))
    if not _MARKING.search(sheets):
        return
    own_styles: dict[int, str] = {}
    ruled: dict[int, str] = {}
    for selector, body in _RULE.findall(_COMMENT.sub("", sheets)):
        given = "".join(f"{name}:{value};" for name, value in declarations(body).items() if name in _PROPERTIES)
        if not given or ":" in selector:
            continue
        try:
            nodes = page.css(selector.strip())
        except SelectolaxError:
            continue  # browsers leave out rules with such a selector too
        for node in nodes:
            own = own_styles.setdefault(node.mem_id, node.attributes.get("style") or "")
            ruled[node.mem_id] = ruled.get(node.mem_id, "") + given
            node.attrs["style"] = f"{ruled[node.mem_id]}{own}"
