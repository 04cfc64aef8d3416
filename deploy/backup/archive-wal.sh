#!/bin/sh
# archive_command of Postgres, as `archive-wal.sh %p %f`: stores a segment of the write-ahead log compressed. It fails rather
# than replace a stored segment with another one, and Postgres then tries again and keeps its own.
set -eu
stored=${BACKUPS:-/backups}/wal/$2.gz

if [ -e "$stored" ]; then
  gzip -dc "$stored" | cmp -s - "$1"
  exit
fi
gzip -1 -c "$1" > "$stored.part"
sync "$stored.part"
mv "$stored.part" "$stored"
sync "$(dirname "$stored")"
