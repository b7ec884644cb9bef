#!/usr/bin/env sh
# Installs what only the slow tests need: LibreOffice and a Java runtime (for the vnu HTML checker).
set -eu
missing=""
command -v soffice >/dev/null 2>&1 || missing="$missing libreoffice-writer libreoffice-calc libreoffice-impress"
command -v java >/dev/null 2>&1 || missing="$missing default-jre-headless"
command -v npm >/dev/null 2>&1 || missing="$missing npm"
[ -z "$missing" ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    # shellcheck disable=SC2086
    apt-get update -qq && apt-get install -y -qq --no-install-recommends $missing >/dev/null && exit 0
fi
echo "The slow tests need:$missing. Install them with your package manager and run this again." >&2
exit 1
