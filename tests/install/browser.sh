#!/usr/bin/env sh
# Finds or installs a Chromium for the page tests: the one on the machine, else Debian's package
# when root, else Playwright's own, else one clear sentence.
set -eu
for name in chromium chromium-browser google-chrome google-chrome-stable; do
    if command -v "$name" >/dev/null 2>&1; then
        echo "Chromium for tests: $(command -v "$name")"
        exit 0
    fi
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium fonts-noto-cjk >/dev/null && exit 0
fi
if "${PYTHON:-python3}" -m playwright install chromium; then
    exit 0
fi
echo "The page tests need Chromium: install it with your package manager (Debian: apt install chromium) and run this again." >&2
exit 1
