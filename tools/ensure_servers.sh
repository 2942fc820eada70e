#!/bin/sh
# Tests of several workers need PostgreSQL, Redis or Valkey, and nginx. Take those that are there, install Debian's when we may,
# else say what to do.
missing=""
postgres=$(ls -d /usr/lib/postgresql/*/bin/postgres 2>/dev/null | tail -n 1)
[ -n "$postgres" ] || command -v postgres >/dev/null 2>&1 || missing="postgresql"
command -v redis-server >/dev/null 2>&1 || command -v valkey-server >/dev/null 2>&1 || missing="$missing redis-server"
command -v nginx >/dev/null 2>&1 || [ -x /usr/sbin/nginx ] || missing="$missing nginx-light"
[ -z "$missing" ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "Installing $missing for the tests..."
    log=$(mktemp)
    # Unquoted on purpose: one word a package.
    if apt-get update -qq >"$log" 2>&1 && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >>"$log" 2>&1; then
        rm -f "$log"
        exit 0
    fi
    cat "$log" >&2
fi
echo "The tests of several workers need: $missing. Install them (Debian: apt-get install postgresql redis-server nginx-light)." >&2
exit 1
