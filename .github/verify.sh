#!/usr/bin/env bash
# What action.yml runs: findings as SARIF, as the job's summary and in the log; verdicts end the job only after upload.
set -euo pipefail

arguments=(--repo "$REPO")
[ -n "$SINCE" ] && arguments+=(--since "$SINCE")
[ -n "$FAIL_ON" ] && arguments+=(--fail-on "$FAIL_ON")
[ -n "$BASELINE" ] && arguments+=(--baseline "$BASELINE")
while IFS= read -r document; do
  [ -n "$document" ] && documents+=("$document")
done <<< "$DOCUMENTS"

code=0
veridic verify "${arguments[@]}" --format sarif --output "$SARIF" -- ${documents[@]+"${documents[@]}"} || code=$?
[ "$code" -le 1 ] || exit "$code"
# The findings are kept from the first run, so that showing them again is quick.
veridic verify "${arguments[@]}" --format markdown -- ${documents[@]+"${documents[@]}"} >> "$GITHUB_STEP_SUMMARY" || true
veridic verify "${arguments[@]}" -- ${documents[@]+"${documents[@]}"} || true
{
  echo "sarif=$SARIF"
  echo "code=$code"
} >> "$GITHUB_OUTPUT"
