#!/usr/bin/env sh
# Installs what page tests load from npm into .tools/node: libraries that reports use in real life.
# Nothing of it ships; versions are pinned so that a test means the same tomorrow.
set -eu
packages="echarts@6.1.0 axe-core@4.14.1 @modelcontextprotocol/inspector@0.17.2 @microsoft/jest-sarif@1.0.0-beta.0 afdocs@0.22.2"
folder=".tools/node"
wanted="$folder/.installed-$(printf '%s' "$packages" | cksum | cut -d' ' -f1)"
[ -e "$wanted" ] && exit 0
if ! command -v npm >/dev/null 2>&1; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        apt-get update -qq && apt-get install -y -qq --no-install-recommends npm >/dev/null
    else
        echo "The page tests need npm: install Node.js with your package manager (Debian: apt install npm) and run this again." >&2
        exit 1
    fi
fi
mkdir -p "$folder"
# shellcheck disable=SC2086
npm install --prefix "$folder" --no-save --no-audit --no-fund --silent $packages
rm -f "$folder"/.installed-*
touch "$wanted"
