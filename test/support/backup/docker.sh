#!/usr/bin/env bash
# In place of Docker's command: runs what a document runs in a container, with the folders and programs that stand in for it here.
# Services are started and stopped by the test, at $CONTROL.
set -euo pipefail
[ "$1" = compose ]
shift
set -- "${@//\/deploy\/backup/$SCRIPTS}"
set -- "${@//\/data\/files/$FILES}"
command=$1
shift
case $command in
  exec | run) ;;
  *) exec curl -sS --fail-with-body --max-time 180 --data "$command $*" "$CONTROL" ;;
esac
while [[ $1 == -* ]]; do
  if [ "$1" = --user ]; then shift; fi
  shift
done
service=$1
shift
case $service in
  postgres) exec $AS_POSTGRES "$@" ;;
  api) exec "$@" ;;
  copy-files | restore-files) exec sh "$SCRIPTS/$service.sh" ;;
  *) exec curl -sS --fail-with-body --max-time 180 --data "run $service" "$CONTROL" ;;
esac
