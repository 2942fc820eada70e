#!/bin/sh
# Browser tests need a Chromium; Debian's shell without windows works a quarter less. Take what is there, install it when we may, else say what to do.
# `whole`: the one with windows, which some long tests need.
found() {
    for name in "$@"; do
        [ -n "$name" ] && command -v "$name" >/dev/null 2>&1 && return 0
    done
    return 1
}
install() {
    log=$(mktemp)
    if DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >"$log" 2>&1; then
        rm -f "$log"
        return 0
    fi
    return 1
}
if [ "$1" = whole ]; then
    found chromium chromium-browser google-chrome && exit 0
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1 && apt-get update -qq >/dev/null 2>&1 && install chromium fonts-dejavu && exit 0
    echo "Some long tests need the whole Chromium. Install it (Debian: apt-get install chromium)." >&2
    exit 1
fi
found "$BRIDGEHEAD_CHROMIUM" chromium-headless-shell && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "Installing Chromium for the browser tests..."
    install chromium-headless-shell fonts-dejavu && exit 0
    found chromium chromium-browser google-chrome && exit 0
    apt-get update -qq >/dev/null 2>&1
    install chromium-headless-shell fonts-dejavu && exit 0
    install chromium fonts-dejavu && exit 0
    cat "$log" >&2
fi
found chromium chromium-browser google-chrome && exit 0
echo "The browser tests need Chromium. Install it (Debian: apt-get install chromium-headless-shell), or set BRIDGEHEAD_CHROMIUM to the program." >&2
exit 1
