import tomllib
from pathlib import Path
from typing import Any

from setuptools import find_namespace_packages

SETTINGS: dict[str, Any] = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
PACKAGES = find_namespace_packages(include=SETTINGS["packages"]["find"]["include"])


def test_what_makes_the_figure_model_stays_out_of_the_wheel_and_the_model_is_in_it() -> None:
    assert {name.split(".")[0] for name in PACKAGES} == {"deployments", "expectations", "flows", "pagemill", "schemas", "tasks"}
    weights = Path("tasks/describe/io/figure_clip/model.safetensors")
    assert any(weights in Path("tasks/describe/io").glob(glob) for glob in SETTINGS["package-data"]["tasks.describe.io"])


def test_every_module_of_the_wheels_rooms_lies_in_a_package() -> None:
    modules = {
        path.parent for name in ("expectations", "flows", "pagemill", "schemas", "tasks") for path in Path(name).rglob("*.py")
    }
    assert {".".join(folder.parts) for folder in modules} <= set(PACKAGES)


def test_what_python_users_meet_is_typed() -> None:
    for name in ("pagemill", "schemas"):
        assert "py.typed" in SETTINGS["package-data"][name] and Path(name, "py.typed").is_file()


def test_package_data_is_named_for_packages_that_exist() -> None:
    assert set(SETTINGS["package-data"]) <= set(PACKAGES)
