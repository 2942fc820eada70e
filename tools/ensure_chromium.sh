#!/bin/sh
# Browser tests need a Chromium, best the headless shell, which takes half the work. Take the one that is there, install Debian's
# when we may, else say what to do.
for name in "$BRIDGEHEAD_CHROMIUM" chromium-headless-shell chromium chromium-browser google-chrome; do
    [ -n "$name" ] && command -v "$name" >/dev/null 2>&1 && exit 0
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "Installing Chromium for the browser tests..."
    log=$(mktemp)
    apt-get update -qq >"$log" 2>&1
    for package in chromium-headless-shell chromium; do
        if DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $package fonts-dejavu >>"$log" 2>&1; then
            rm -f "$log"
            exit 0
        fi
    done
    cat "$log" >&2
fi
echo "The browser tests need Chromium. Install it (Debian: apt-get install chromium-headless-shell), or set BRIDGEHEAD_CHROMIUM to the program." >&2
exit 1
