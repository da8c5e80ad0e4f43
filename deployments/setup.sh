#!/usr/bin/env bash
# Make everything that Pagemill needs: .venv with the pinned packages, and the Debian packages it calls.
# Done once: the next call only compares a stamp. Called by make and deployments/Dockerfile; PYTHON=… chooses another Python,
# WITH_BROWSER=1 adds the browser that the tests of pages use, and the tracer of others, and PAGEMILL_EXTRAS=mcp,s3 wants these extras instead of dev.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

venv=.venv
stamp=$venv/.set-up
unfinished=$venv/.unfinished
debian_packages=(tesseract-ocr)
browser_packages=(chromium libatomic1 strace) # the library is what Playwright's driver loads
extras=${PAGEMILL_EXTRAS-dev}
project=.${extras:+[$extras]}

say() { printf 'set-up: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

# What the environment was made from: another content, place, Python or top-level package makes it anew.
fingerprint() {
  {
    pwd
    cat pyproject.toml constraints.txt deployments/setup.sh
    [ "$extras" = dev ] || printf '%s\n' "$extras"
    find . -mindepth 2 -maxdepth 2 -name __init__.py -not -path './.*' | sort
  } | sha256sum | cut -d ' ' -f 1
}

python_ready() {
  [ -x "$venv/bin/python" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$(fingerprint)" ] && is_chosen
}

is_chosen() { [ -z "${PYTHON:-}" ] || [ "$("$PYTHON" -V 2>&1)" = "$("$venv/bin/python" -V 2>&1)" ]; }

debian_ready() { command -v tesseract >/dev/null; }

suits() { "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null; }

find_python() {
  local candidate
  for candidate in ${PYTHON:-python3 python3.13 python3.12 python3.11}; do
    if command -v "$candidate" >/dev/null && suits "$candidate"; then
      command -v "$candidate"
      return
    fi
  done
  local found
  found=$(${PYTHON:-python3} --version 2>&1) || found="no Python"
  fail "Pagemill needs Python 3.11, 3.12 or 3.13, found $found. Install one (Debian 12, Ubuntu 24.04 or newer:" \
    "apt-get install python3 python3-venv), or choose one: make PYTHON=/path/to/python3.12"
}

install_debian() {
  command -v apt-get >/dev/null || fail "missing on this system: $*. Install the packages with these or similar names, then try again."
  local become=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || fail "missing Debian packages. Ask an administrator to run: apt-get install -y $*"
    become=(sudo)
    [ -t 0 ] || become=(sudo -n)
  fi
  local get=("${become[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -y -q -o DPkg::Lock::Timeout=300)
  say "installing Debian packages: $*"
  "${get[@]}" install --no-install-recommends "$@" >&2 ||
    { "${get[@]}" update >&2 && "${get[@]}" install --no-install-recommends "$@" >&2; } ||
    fail "could not install them. Run this, then try again: sudo apt-get install -y $*"
}

make_venv() {
  local python=$1
  if [ -e "$unfinished" ] || ! suits "$venv/bin/python" || ! is_chosen; then
    rm -rf "$venv"
  fi
  [ ! -x "$venv/bin/python" ] || return 0
  if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    install_debian "python$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')-venv"
  fi
  mkdir -p "$venv"
  : >"$unfinished"
  "$python" -m venv "$venv"
}

# Everything by the hashes in constraints.txt, but for a build of torch that lies ready for pip alone, or comes from an index that
# pip was told: its version has a name behind a plus, which the registry takes from nobody. A private index is known to pip
# alone, so pip then installs all that constraints.txt lists.
install_python() {
  local pip=("$venv/bin/python" -m pip --disable-pip-version-check --no-input install --quiet)
  local uv=("$venv/bin/uv" pip install --quiet --python "$venv/bin/python") own
  say "installing Python packages into $venv with $("$venv/bin/python" --version): about 3 GB, a few minutes"
  "${pip[@]}" --no-deps --require-hashes -r <(locked '^uv==')
  own=$(own_torch)
  : >"$venv/.torch-requires"
  : >"$venv/.torch-excluded"
  if [ -n "$own" ]; then
    say "1 of 2: torch $own, which pip finds here"
    "${pip[@]}" --no-deps "torch==$own"
    locked "^($(needs_of_torch))==" >"$venv/.torch-requires"
    echo torch >"$venv/.torch-excluded"
  fi
  say "2 of 2: $(grep -c == constraints.txt) other packages at most ($SECONDS s so far)"
  if [ -n "$("$venv/bin/python" -m pip config list | grep '\.index-url=')" ] ||
    ! "${uv[@]}" --compile-bytecode --no-build --require-hashes -c constraints.txt --excludes "$venv/.torch-excluded" \
      -r "$venv/.torch-requires" -r pyproject.toml ${extras:+$(printf -- '--extra %s ' ${extras//,/ })}; then
    say "continuing with pip, which takes longer ($SECONDS s so far)"
    "${pip[@]}" --no-deps --only-binary :all: --require-hashes -r <(locked '^[a-z]' "${own:+^(torch|triton|nvidia-|cuda-)}")
  fi
  "$venv/bin/uv" pip install --quiet --python "$venv/bin/python" --offline --no-deps --no-build-isolation -e "$project"
}

# The names of what the installed torch needs, as alternatives of a pattern.
needs_of_torch() {
  "$venv/bin/python" -c '
import importlib.metadata, re
needs = [need for need in importlib.metadata.requires("torch") or () if "extra ==" not in need]
print("|".join(re.match("[A-Za-z0-9._-]+", need)[0].lower().replace("_", "-") for need in needs))'
}

# The entries of constraints.txt whose first line matches $1 and not $2, with their hashes.
locked() {
  awk -v wanted="$1" -v left_out="${2:-^$}" '/^[^ ]/ { on = $0 ~ wanted && $0 !~ left_out } on' constraints.txt
}

# A build of torch's pinned version that is not the registry's; nothing if pip finds none.
own_torch() {
  local version
  version=$(sed -n 's/^torch==\([0-9.]*\).*/\1/p' constraints.txt)
  "$venv/bin/python" -m pip --disable-pip-version-check index versions torch 2>/dev/null | grep -oE "\b${version//./\\.}\+[a-z0-9.]+" | head -n 1 || true
}

# Without the browser its tests are skipped: no reason to stop where a system has none of this name.
set_up_browser() {
  ! browser_ready || return 0
  (install_debian "${browser_packages[@]}") || say "continuing without ${browser_packages[*]}: the tests of pages and traces are skipped"
}

set_up_python() {
  local python
  python=$(find_python)
  make_venv "$python"
  : >"$unfinished"
  rm -f "$stamp"
  install_python
  fingerprint >"$stamp.new"
  mv "$stamp.new" "$stamp"
  rm "$unfinished"
}

browser_ready() { [ -z "${WITH_BROWSER:-}" ] || { command -v chromium >/dev/null && command -v strace >/dev/null && loads libatomic.so.1; }; }

loads() { "$venv/bin/python" -c "import ctypes; ctypes.CDLL('$1')" 2>/dev/null; }

if python_ready && debian_ready && browser_ready; then
  exit 0
fi
command -v flock >/dev/null || fail "the command flock is missing. Run: sudo apt-get install -y util-linux"
mkdir -p -m 700 .run
exec 9>.run/set-up.lock
flock -n 9 || { say "waiting for another set-up in this folder"; flock 9; }
python_ready || set_up_python
debian_ready || install_debian "${debian_packages[@]}"
set_up_browser
say "ready, after $SECONDS s"
