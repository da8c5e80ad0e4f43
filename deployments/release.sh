#!/usr/bin/env bash
# Make dist/: the wheel, and beside it the list of what it was tested with (an SBOM in CycloneDX: packages, versions, licences, needs).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
rm -rf dist
.venv/bin/uv build --quiet --wheel --no-build-isolation --python .venv/bin/python --out-dir dist
wheel=$(basename dist/pagemill-*.whl -py3-none-any.whl)
.venv/bin/uv tool run --quiet --from cyclonedx-bom==7.5.0 cyclonedx-py environment .venv/bin/python \
  --pyproject pyproject.toml --output-reproducible --of JSON -o "dist/$wheel.cdx.json"
printf 'dist/%s\n' "$wheel-py3-none-any.whl" "$wheel.cdx.json"
