#!/bin/sh
# macOS and Linux: double-click to start Right Bower. Installs it first, from the file beside this one.
cd "$(dirname "$0")" || exit 1
PATH="$PATH:$HOME/.local/bin:/opt/homebrew/bin:/usr/local/bin"
export UV_SYSTEM_CERTS=1 UV_NATIVE_TLS=1 # a virus scanner may look into connections, with a certificate of its own

stop() {
  printf 'Press Enter to close this window. '
  read -r _
  exit 1
}

start() {
  "$@" && exit 0
  stop # what it said stays to be read
}

wheel=$(ls -t right_bower-*.whl 2>/dev/null | head -n 1)
if [ -n "$wheel" ] && command -v uv >/dev/null; then
  uv tool install --quiet --compile-bytecode --python '>=3.11,<3.15' --constraints requirements.txt "./$wheel" &&
    start "$(uv tool dir --bin)/right-bower" "$@"
fi
if command -v right-bower >/dev/null; then
  start right-bower "$@"
fi

if [ -z "$wheel" ]; then
  echo "The file right_bower-….whl is missing. Unpack the whole download into one folder."
elif ! command -v uv >/dev/null; then
  echo "Right Bower needs uv, a small free program, to install itself."
  echo "Get it from https://docs.astral.sh/uv/ (Installation), then start this file again."
else
  echo "Right Bower could not be installed. The first time it needs the internet."
fi
stop
