#!/bin/sh
# Makes a base backup of the running Postgres, checks it, and prints its name. Then removes the base backups that are older than
# KEEP_DAYS, all but the newest, and the write-ahead log that none of the others needs.
set -eu
backups=${BACKUPS:-/backups}
name=$(date -u +%Y-%m-%dT%H-%M-%SZ)

rm -rf "$backups"/base/*.part
pg_basebackup --pgdata="$backups/base/$name.part" --format=tar --gzip --checkpoint=fast --wal-method=fetch --username="${PGUSER:-institution}"
pg_verifybackup --quiet --no-parse-wal "$backups/base/$name.part"
sync
mv "$backups/base/$name.part" "$backups/base/$name"

find "$backups/base" -mindepth 1 -maxdepth 1 -type d -name '*Z' ! -name "$name" -mtime "+${KEEP_DAYS:-14}" -exec rm -rf {} +
oldest=$(ls "$backups/base" | sort | head -n 1)
# The first segment that this backup needs.
first=$(tar -xOzf "$backups/base/$oldest/base.tar.gz" backup_label | sed -n 's/^START WAL LOCATION: .*(file \([0-9A-F]*\)).*/\1/p')
pg_archivecleanup -x .gz "$backups/wal" "$first"
echo "$name"
