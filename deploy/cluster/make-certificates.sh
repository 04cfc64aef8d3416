#!/bin/sh
# Makes an authority and two certificates for Temporal's TLS in the folder $1, valid for a year; run again, it leaves what is there.
# The key of the authority is needed once more when they are renewed: keep it.
set -eu
cd "$1"
umask 027
key='-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'
# shellcheck disable=SC2086 -- a list
test -f ca.crt || openssl req -x509 $key -keyout ca.key -out ca.crt -days 3650 -subj '/CN=institution authority'
leaf() {
  test -f "$1.crt" && return
  # shellcheck disable=SC2086 -- a list
  openssl req -x509 -CA ca.crt -CAkey ca.key $key -keyout "$1.key" -out "$1.crt" -days 365 -subj "/CN=$2" \
    -addext "subjectAltName=DNS:$2" -addext 'extendedKeyUsage=serverAuth,clientAuth' -addext 'basicConstraints=critical,CA:FALSE'
}
leaf temporal temporal
leaf service institution-service
# Both images run as users of their own, whose number this is.
chown -R 1000:1000 .
