#!/usr/bin/env bash
# Write constraints.txt from the packages in .venv, without torch: its builds differ by machine, so pyproject.toml pins it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
{
  echo "# Versions known to work together. Made by: make constraints (after the tests passed with them)."
  .venv/bin/python -m pip --disable-pip-version-check freeze --exclude-editable |
    grep -E '^[A-Za-z0-9._-]+==' | grep -viE '^(torch|triton|nvidia-.*|cuda-.*|pagemill)=='
} >constraints.txt.new
mv constraints.txt.new constraints.txt
