"""The parts of one slide: its own XML, its layout and master, and what it refers to. A damaged part costs only itself."""

from collections.abc import Callable
from functools import cached_property

from tasks.parse.office.package import Package, TolerantPackage
from tasks.parse.office.xml import XmlElement, chosen, find, find_all, name


class SlideParts:
    """Reads the parts of one slide on demand, and keeps what is wrong with them in `problems`."""

    def __init__(self, package: Package, part: str) -> None:
        """Read the slide's own part.

        Raises:
            DocumentError: it cannot be read.
        """
        self._package, self._part = TolerantPackage(package), part
        self.problems = self._package.problems
        self.tree = package.tree(part)
        _choose_alternatives(self.tree)

    @cached_property
    def layout(self) -> XmlElement | None:
        """The XML of the slide's layout, None if there is none that can be read."""
        return self._one(self._part, "/slideLayout")

    @cached_property
    def master(self) -> XmlElement | None:
        """The XML of the layout's master, None if there is none that can be read."""
        part = next(iter(self._package.relations(self._part, "/slideLayout").values()), "")
        return self._one(part, "/slideMaster") if part else None

    @cached_property
    def notes(self) -> XmlElement | None:
        """The XML of the speaker's notes, None if there are none that can be read."""
        return self._one(self._part, "/notesSlide")

    @cached_property
    def comments(self) -> list[XmlElement]:
        """The XML of the parts with the comments on this slide, of the older and of the newer kind."""
        trees = [self._package.tree(part) for part in self._package.relations(self._part, "/comments").values()]
        return [tree for tree in trees if tree is not None]

    def data(self, relation: str | None) -> bytes | None:
        """Return the bytes of what the slide refers to; None if it is outside the file, missing or damaged."""
        part = self._package.relations(self._part).get(relation or "")
        return self._package.read(part) if part else None

    def tree_of(self, relation: str | None) -> XmlElement | None:
        """Return the XML of what the slide refers to; None as for `data`."""
        part = self._package.relations(self._part).get(relation or "")
        return self._package.tree(part) if part else None

    def bases(self, placeholder: XmlElement) -> list[XmlElement]:
        """Return the shapes that a placeholder, a `p:ph`, takes its looks from: of the layout, then of the master."""
        on_layout = _placeholder(self.layout, lambda ph: _index(ph) == _index(placeholder))
        kind = (placeholder if on_layout is None else next(on_layout.iter(name("p:ph")))).get("type") or "obj"
        on_master = _placeholder(self.master, lambda ph: (ph.get("type") or "obj") == _ON_MASTER.get(kind, "body"))
        return [shape for shape in (on_layout, on_master) if shape is not None]

    def _one(self, part: str, kind: str) -> XmlElement | None:
        target = next(iter(self._package.relations(part, kind).values()), "")
        return self._package.tree(target) if target else None


_ON_MASTER = {"title": "title", "ctrTitle": "title", "dt": "dt", "ftr": "ftr", "sldNum": "sldNum"}
"""The placeholder of a master for each kind. All other kinds follow its body."""


def _index(placeholder: XmlElement) -> str:
    return str(placeholder.get("idx") or "0")


def _placeholder(tree: XmlElement | None, fits: Callable[[XmlElement], bool]) -> XmlElement | None:
    for shape in find_all(tree, ".//p:sp"):
        found = find(shape, "p:nvSpPr/p:nvPr/p:ph")
        if found is not None and fits(found):
            return shape
    return None


def _choose_alternatives(tree: XmlElement) -> None:
    """Replace alternative contents by the one that current programs show."""
    for node in list(tree.iter(name("mc:AlternateContent"))):
        if (parent := node.getparent()) is not None:
            at = parent.index(node)
            parent[at : at + 1] = chosen(node)
