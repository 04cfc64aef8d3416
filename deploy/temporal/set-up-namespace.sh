#!/bin/sh
# Makes the namespace, with histories kept for 30 days, once the server answers; one that is there stays as it is.
set -eu
tries=0
until temporal operator cluster health >/dev/null 2>&1; do
  tries=$((tries + 1))
  if [ "$tries" -ge 30 ]; then
    echo "Temporal does not answer at $TEMPORAL_ADDRESS" >&2
    exit 1
  fi
  sleep 2
done
temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" >/dev/null 2>&1 \
  || temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention 720h
