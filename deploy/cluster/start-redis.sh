#!/bin/sh
# Starts a Redis of the group under its own name ($1): as a replica of $2, if there is one. Sentinel may change that later.
set -eu
umask 077
{
  printf 'requirepass %s\nmasterauth %s\n' "$REDISCLI_AUTH" "$REDISCLI_AUTH"
  printf 'replica-announce-ip %s\n' "$1"
  test -z "${2:-}" || printf 'replicaof %s 6379\n' "$2"
} > /data/redis.conf
exec redis-server /data/redis.conf --save '' --appendonly no --maxmemory 128mb --maxmemory-policy noeviction
