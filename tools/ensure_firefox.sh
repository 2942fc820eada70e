#!/bin/sh
# Slow tests of the static site need Firefox. Take what is there, install Debian's when we may, else say what to do.
for name in "$BRIDGEHEAD_FIREFOX" firefox-esr firefox; do
    [ -n "$name" ] && command -v "$name" >/dev/null 2>&1 && exit 0
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "Installing Firefox for the browser tests..."
    apt-get update -qq >/dev/null 2>&1
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends firefox-esr >/dev/null 2>&1 && exit 0
fi
echo "Some long tests need Firefox. Install it (Debian: apt-get install firefox-esr), or set BRIDGEHEAD_FIREFOX to the program." >&2
exit 1
