#!/bin/sh
# restore-database.sh BASE [TIME]: puts a new cluster into PGDATA, from a base backup and the archived write-ahead log, which Postgres
# reads when it starts: up to TIME, or to its end. The old cluster stays beside it. Postgres must not run.
set -eu
backups=${BACKUPS:-/backups}
base=$backups/base/$1
until=${2:-}

if [ ! -f "$base/base.tar.gz" ]; then
  echo "There is no base backup $1; there are: $(ls "$backups/base" | tr '\n' ' ')" >&2
  exit 1
fi
if [ -n "$until" ] && ! date -d "$until" > /dev/null; then exit 1; fi
if [ -e "$PGDATA/postmaster.pid" ]; then
  echo "Stop Postgres first; after a crash, remove $PGDATA/postmaster.pid" >&2
  exit 1
fi

if [ -e "$PGDATA" ]; then mv "$PGDATA" "$PGDATA.before-$(date -u +%Y-%m-%dT%H-%M-%SZ)"; fi
mkdir -p "$(dirname "$PGDATA")"
mkdir -m 700 "$PGDATA"
tar -xzf "$base/base.tar.gz" -C "$PGDATA"

# What an earlier restore has left.
sed -i '/^restore_command\|^recovery_target/d' "$PGDATA/postgresql.auto.conf"
{
  echo "restore_command = 'gzip -dc \"$backups/wal/%f.gz\" > \"%p\"'"
  echo "recovery_target_action = 'promote'"
  if [ -n "$until" ]; then echo "recovery_target_time = '$until'"; fi
} >> "$PGDATA/postgresql.auto.conf"
touch "$PGDATA/recovery.signal"
