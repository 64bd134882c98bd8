#!/bin/sh
# The report's page is tested in a real Chromium. Where none is installed and we may install one, do.
set -eu
for name in chromium chromium-browser google-chrome; do
  if command -v "$name" >/dev/null 2>&1; then exit 0; fi
done
if command -v apt-get >/dev/null 2>&1; then
  if [ "$(id -u)" = 0 ]; then sudo=""; elif sudo -n true 2>/dev/null; then sudo="sudo"; else sudo="no"; fi
  if [ "$sudo" != no ]; then
    $sudo apt-get update -qq && $sudo apt-get install -y -qq --no-install-recommends chromium >/dev/null && exit 0
  fi
fi
echo "No Chromium here and no right to install one: the browser tests will be skipped." >&2
