#!/bin/sh
# Copies what is new in the file store, whose files never change. What the store has removed stays in the copy for KEEP_DAYS.
set -eu
store=${FILES:-/data/files}
copy=${BACKUPS:-/backups}/files
lists=$(mktemp -d)
trap 'rm -rf "$lists"' EXIT
mkdir -p "$copy/current" "$copy/removed"

# No pipe: a list that fails half way must not pass for a short one.
list() {
  (cd "$1" && find . -type f ! -name '*.part') > "$lists/unsorted"
  sort "$lists/unsorted"
}
list "$store" > "$lists/stored"
list "$copy/current" > "$lists/copied"

comm -23 "$lists/stored" "$lists/copied" | while read -r file; do
  mkdir -p "$copy/current/$(dirname "$file")"
  # Removed from the store meanwhile, unless it is still there.
  cp -p "$store/$file" "$copy/current/$file.part" || { [ ! -e "$store/$file" ]; continue; }
  mv "$copy/current/$file.part" "$copy/current/$file"
done

today=$copy/removed/$(date -u +%Y-%m-%d)
comm -13 "$lists/stored" "$lists/copied" | while read -r file; do
  mkdir -p "$today/$(dirname "$file")"
  mv "$copy/current/$file" "$today/$file"
  touch "$today"
done
find "$copy/removed" -mindepth 1 -maxdepth 1 -type d -mtime "+${KEEP_DAYS:-14}" -exec rm -rf {} +
sync
