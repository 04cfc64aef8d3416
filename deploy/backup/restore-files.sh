#!/bin/sh
# Puts the copied files into the file store, those that the store has removed since, too: which of them still count says the
# database. Files that are there stay as they are.
set -eu
store=${FILES:-/data/files}
copy=${BACKUPS:-/backups}/files
mkdir -p "$store"

for folder in "$copy/current" "$copy"/removed/*; do
  [ -d "$folder" ] || continue
  (cd "$folder" && find . -type f ! -name '*.part') | while read -r file; do
    if [ -e "$store/$file" ]; then continue; fi
    mkdir -p "$store/$(dirname "$file")"
    cp -p "$folder/$file" "$store/$file.part"
    mv "$store/$file.part" "$store/$file"
  done
done
