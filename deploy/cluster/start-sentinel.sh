#!/bin/sh
# Starts a Sentinel that watches the group `institution`; two of three decide.
set -eu
umask 077
cat > /data/sentinel.conf <<EOF
port 26379
dir /data
sentinel resolve-hostnames yes
sentinel announce-hostnames yes
requirepass $REDIS_PASSWORD
sentinel sentinel-pass $REDIS_PASSWORD
sentinel monitor institution redis 6379 2
sentinel auth-pass institution $REDIS_PASSWORD
sentinel down-after-milliseconds institution 2000
sentinel failover-timeout institution 10000
EOF
exec redis-server /data/sentinel.conf --sentinel
