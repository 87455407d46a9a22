#!/bin/sh
# Install what the tests drive and pip cannot bring: a browser and a database server.
set -eu

missing=""
command -v chromium >/dev/null 2>&1 || missing="$missing chromium"
command -v postgres >/dev/null 2>&1 || ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 ||
  missing="$missing postgresql"
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  echo "installing$missing"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  # shellcheck disable=SC2086  # a list of packages
  apt-get install -y -qq --no-install-recommends $missing >/dev/null
else
  echo "The tests need$missing: install with 'sudo apt-get install$missing' and run make again." >&2
  exit 1
fi
