"""The learned judges that Pagemill ships."""

from functools import cache
from importlib.resources import files

from tasks.parse.judge.trees import Trees


@cache
def read_trees(name: str) -> Trees:
    """Return the trees called `name`, which lie beside this module. They are read once per process."""
    return Trees.of_file(files("tasks.parse.judge.io").joinpath(f"{name}.npz").read_bytes())
