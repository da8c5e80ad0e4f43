"""Reveals: what on a page shows an element that is not displayed at first: a tab, a button, a link to it, a script."""

import re
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

Attributes = Mapping[str, str | None]

_CONTROLS = (
    "a[href^='#'], button, label, summary, input, option, [role='tab'], [role='button'], [aria-controls], [onclick], [tabindex]"
    ", [data-tab], [data-target], [data-bs-target], [data-toggle]"
)
_WORD = re.compile(r"[\w-]+")
_SCRIPT = re.compile(r"(?:text/|application/)?(?:x-)?(?:java|ecma)script|module|")
_HOOK = re.compile(
    r"wow|aos|sal|sr|gsap|(?:.*[-_])?(?:animat\w*|anim|fade\w*|reveal\w*|appear\w*|scroll\w*|slide\w*|transition\w*|in-?view|motion"
    r"|lazy\w*|invisible)(?:[-_].*)?|data-(?:aos|sal|w-id|wow|sr|gsap|ix)\b.*",
    re.IGNORECASE,
)
"""Classes and attributes that scripts which show blocks one after another look for."""
_MOVING = ("transform", "translate", "transition", "animation", "will-change", "-webkit-transform", "-webkit-transition")
_PANEL = re.compile(
    r"(?:.*[-_])?(?:accordion|collaps\w*|tab-?(?:pane|panel|content)s?|spoiler|expand\w*|toggle-?(?:content|body)|faq-?answer)(?:[-_].*)?",
    re.IGNORECASE,
)
"""Classes of blocks that open at a click."""
FEWEST_LETTERS = 3
"""A shorter word of a script is no sign that it means an element."""


class Reveals:
    """What the controls and scripts of a page name."""

    def __init__(self, page: "LexborHTMLParser") -> None:
        """Take a parsed page. It is looked at when the first element is asked for."""
        self._page = page

    def shows(self, node: "LexborNode", attributes: Attributes) -> bool:
        """Return whether something on the page shows an element, which has these attributes."""
        classes = (attributes.get("class") or "").split()
        if attributes.get("role") == "tabpanel" or any(map(_PANEL.fullmatch, classes)) or _is_expanded_by_what_precedes(node):
            return True
        names = [attributes.get("id"), *(value for name, value in attributes.items() if name.startswith("data-"))]
        labels = (attributes.get("aria-labelledby") or "").split()
        if any(name in self._of_controls for name in names if name) or any(label in self._control_ids for label in labels):
            return True
        return any(name in self._of_scripts for name in (attributes.get("id"), *classes) if name and len(name) >= FEWEST_LETTERS)

    @cached_property
    def _controls(self) -> list[Mapping[str, str | None]]:
        return [node.attributes for node in self._page.css(_CONTROLS)]

    @cached_property
    def _control_ids(self) -> frozenset[str]:
        return frozenset(identity for attributes in self._controls if (identity := attributes.get("id")))

    @cached_property
    def _of_controls(self) -> frozenset[str]:
        own = ("id", "class", "style", "type", "name")
        values = (value for attributes in self._controls for name, value in attributes.items() if value and name not in own)
        return frozenset(word for value in values for word in (value, *_WORD.findall(value)))

    @cached_property
    def _of_scripts(self) -> frozenset[str]:
        scripts = (
            node for node in self._page.css("script") if _SCRIPT.fullmatch((node.attributes.get("type") or "").strip().lower())
        )
        return frozenset(word for node in scripts for word in _WORD.findall(node.text() or ""))


def _is_expanded_by_what_precedes(node: "LexborNode") -> bool:
    before = node.prev
    while before is not None and not before.is_element_node:
        before = before.prev
    return before is not None and ("aria-expanded" in before.attributes or before.css_first("[aria-expanded]") is not None)


def waits_for_script(attributes: Attributes, styles: Mapping[str, str]) -> bool:
    """Return whether a block without opacity or visibility looks like one that a script shows: it moves, or has a hook."""
    if any(name in styles for name in _MOVING):
        return True
    hooks = [*(attributes.get("class") or "").split(), *(name for name in attributes if name.startswith("data-"))]
    return any(_HOOK.fullmatch(hook.removeprefix("data-")) or _HOOK.fullmatch(hook) for hook in hooks)
