# The project's Python environment: `.venv` in the checkout, filled from a hashed lock file.
# Sourced by bin/demo, bin/manage and bin/test, from the checkout's root; changes nothing when the
# environment already holds what the lock file says.

PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin" # dpkg needs them, and a bare shell may lack them
VENV=.venv
PYTHON=$VENV/bin/python

stop() {
  printf '%s: %s\n' "bin/$(basename "$0")" "$1" >&2
  exit 1
}

is_debian_root() {
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null
}

apt_install() {
  echo "Installing with apt: $*" >&2
  DEBIAN_FRONTEND=noninteractive apt-get update -qq </dev/null >&2
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" </dev/null >&2
}

FITS='import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))'

# Prints a Python that has wheels of everything, or fails: the system's if it can make environments,
# else the first on the PATH. Systems build theirs to be fast; one that was compiled without that, as
# pyenv does, is noticeably slower.
fitting_python() {
  local name
  if /usr/bin/python3 -c "import ensurepip, venv; $FITS" 2>/dev/null; then
    echo /usr/bin/python3
    return
  fi
  for name in python3 python3.14 python3.13 python3.12 python3.11; do
    if "$name" -c "$FITS" 2>/dev/null; then
      command -v "$name"
      return
    fi
  done
  return 1
}

make_venv() {
  local python
  if [ -e "$VENV" ] && [ ! -e "$VENV/pyvenv.cfg" ]; then
    stop "$VENV is there but is no Python environment; move it away and start again."
  fi
  rm -rf "$VENV" # half made, or its Python has gone
  if command -v uv >/dev/null; then
    uv venv --quiet --python '>=3.11,<3.15' "$VENV"
    return
  fi
  if ! fitting_python >/dev/null && is_debian_root; then
    apt_install python3 python3-venv ca-certificates
  fi
  python=$(fitting_python) || stop "needs Python 3.11 to 3.14 (or uv, which brings one)."
  if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    is_debian_root || stop "needs Python's venv module: sudo apt-get install python3-venv"
    apt_install python3-venv ca-certificates
  fi
  "$python" -m venv "$VENV"
}

# A hash of the lock file; the environment keeps the one it was filled from.
lock_hash() {
  cksum <"$1"
}

BY_HAND="Run bin/manage check by hand as the user who owns the checkout (docs/server.md); it installs \
what is needed."

# pip_progress TOTAL: reads what pip says, and prints "17 of 42: django".
pip_progress() {
  local verb name rest number=0
  while read -r verb name rest; do
    case "$verb $name" in
      Collecting*)
        number=$((number + 1))
        echo "  $number of $1: ${name%%[^a-zA-Z0-9._-]*}"
        ;;
      Ignoring* | "Requirement already") number=$((number + 1)) ;; # for another system, or here already
      "Installing collected") echo "  All downloaded. Unpacking them ..." ;;
    esac
  done
}

# install LOCK: makes the environment hold at least what the lock file says.
install() {
  local lock=$1 stamp=$VENV/installed-$1 total
  total=$(grep -c '^[^ #]*==' "$lock")
  if [ -x "$PYTHON" ] && "$PYTHON" -c '' 2>/dev/null; then
    [ "$(cat "$stamp" 2>/dev/null)" = "$(lock_hash "$lock")" ] && return
    [ -w "$VENV" ] || stop "$lock has changed, and $VENV cannot be written here. $BY_HAND"
  else
    [ -w . ] || stop "there is no $VENV, and none can be made here. $BY_HAND"
    echo "Setting up $VENV with $total packages: about two minutes, or seconds with uv ..." >&2
    make_venv
  fi
  echo "Installing $lock into $VENV ..." >&2
  if command -v uv >/dev/null; then
    # Again with this computer's own certificates: a company's proxy may need them.
    uv pip install --quiet --python "$PYTHON" --require-hashes -r "$lock" >&2 ||
      UV_SYSTEM_CERTS=1 UV_NATIVE_TLS=1 \
        uv pip install --quiet --python "$PYTHON" --require-hashes -r "$lock" >&2
  else
    # Compiled when first used, as with uv: all of it at once takes a silent minute.
    "$PYTHON" -m pip install --no-compile --progress-bar off --disable-pip-version-check --no-input \
      --require-hashes -r "$lock" | pip_progress "$total" >&2
  fi
  lock_hash "$lock" >"$stamp"
  if [ "$lock" = requirements-dev.txt ]; then # holds everything of the other at the same versions
    lock_hash requirements.txt >"$VENV/installed-requirements.txt"
  fi
}

# Gives the site a secret key of its own, made once and kept in data/.
secret_key() {
  local file=data/secret-key
  if [ -n "${SECRET_KEY:-}" ] || grep -qs '^SECRET_KEY=.' .env; then
    return
  fi
  if [ ! -s "$file" ]; then
    mkdir -p -m 700 data
    (umask 077 && "$PYTHON" -c 'import secrets; print(secrets.token_urlsafe(50))' >"$file")
  fi
  SECRET_KEY=$(cat "$file")
  export SECRET_KEY
}

HEADLESS_SHELL=/usr/bin/chromium-headless-shell

# Prints a Chromium's path: the one named, the system's, or Playwright's own.
found_browser() {
  local path
  for path in "${RIGHT_BOWER_CHROMIUM:-}" "$HEADLESS_SHELL" /usr/bin/chromium \
    /usr/bin/google-chrome "$(cat "$VENV/browser" 2>/dev/null)"; do
    if [ -n "$path" ] && [ -x "$path" ]; then
      echo "$path"
      return
    fi
  done
  return 1
}

# Makes sure that the test which lets the power go can watch what reaches the disk.
tracer() {
  if is_debian_root && ! command -v strace >/dev/null; then
    apt_install strace || true # without it that test says that it was left out
  fi
}

# Makes sure that the browser tests have a browser, and names it in RIGHT_BOWER_CHROMIUM.
browser() {
  if is_debian_root && ! ldconfig -p | grep -q 'libatomic\.so\.1'; then
    apt_install libatomic1 # Playwright's driver is linked with it
  fi
  if is_debian_root && [ -z "${RIGHT_BOWER_CHROMIUM:-}" ] && [ ! -x "$HEADLESS_SHELL" ]; then
    # With it the browser tests take a third less than with the whole Chromium. Ubuntu has neither
    # (its Chromium is a snap): there Playwright's own is next.
    apt_install chromium-headless-shell || found_browser >/dev/null || apt_install chromium || true
  fi
  found_browser >/dev/null || playwright_browser
  RIGHT_BOWER_CHROMIUM=$(found_browser) || stop "$NO_BROWSER"
  export RIGHT_BOWER_CHROMIUM
}

NO_BROWSER="the browser tests need Chromium, and none could be found or installed; install one and \
name it: RIGHT_BOWER_CHROMIUM=/path/to/chromium bin/test"

playwright_browser() {
  "$PYTHON" -m playwright install chromium >&2 || stop "$NO_BROWSER"
  "$PYTHON" - >"$VENV/browser" <<'PYTHON'
from playwright.sync_api import sync_playwright

with sync_playwright() as playwright:
    print(playwright.chromium.executable_path)
PYTHON
}
