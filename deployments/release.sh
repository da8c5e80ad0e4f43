#!/usr/bin/env bash
# Cut a release: check that version, changelog and lock agree; make dist/, the wheel, and beside it the list of what it was tested with
# (an SBOM in CycloneDX: packages, versions, licences, needs); and tag the commit. The tag stays here: push it to publish.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
fail() { printf '%s\n' "$*" >&2; exit 1; }

version=$(.venv/bin/python -m tests.supply.release)
tag=v$version
[ -z "$(git status --porcelain)" ] || fail "the working tree has changes: commit them, then make release"
tagged=$(git rev-parse --quiet --verify "$tag^{commit}") || tagged=
[ -z "$tagged" ] || [ "$tagged" = "$(git rev-parse HEAD)" ] ||
  fail "$tag is another commit: raise version in pyproject.toml, and give CHANGELOG.md a heading for it"

rm -rf dist
.venv/bin/uv build --quiet --wheel --no-build-isolation --python .venv/bin/python --out-dir dist
wheel=$(basename dist/pagemill-*.whl -py3-none-any.whl)
.venv/bin/uv tool run --quiet --from cyclonedx-bom==7.5.0 cyclonedx-py environment .venv/bin/python \
  --pyproject pyproject.toml --output-reproducible --of JSON -o "dist/$wheel.cdx.json"
[ -n "$tagged" ] || git tag --annotate --message "Pagemill $version" "$tag"
printf '%s\n' "dist/$wheel-py3-none-any.whl" "dist/$wheel.cdx.json" "$tag"
