#!/usr/bin/env bash
# Write constraints.txt from the packages in .venv: versions that work together, with the hashes of all their files in the registry, for
# every Python and system that Pagemill runs on. torch's builds differ by machine: the registry's is listed, with what it needs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
{
  echo "# Versions known to work together. Made by: make constraints (after the tests passed with them)."
  {
    .venv/bin/python -m pip --disable-pip-version-check freeze --exclude-editable |
      grep -E '^[A-Za-z0-9._-]+==' | grep -viE '^(torch|triton|nvidia-.*|cuda-.*|pagemill)=='
    grep -oE 'torch==[0-9.]+' pyproject.toml
  } | .venv/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate -
} >constraints.txt.new
mv constraints.txt.new constraints.txt
.venv/bin/python -m tests.supply.licences
