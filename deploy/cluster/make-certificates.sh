#!/bin/sh
# Makes an authority and two certificates for Temporal's TLS below the folder $1, valid for a year; run again, it leaves what is there.
# authority has the key of the authority, which signs renewed ones: keep it, and give it to nothing that runs. temporal has the
# certificate of the server, whose parts are clients of one another, too; service has that of API, worker, jobs and Web UI.
set -eu
cd "$1"
umask 027
mkdir -p authority temporal service
# Until 0.14.1 everything was in one volume, that of the service.
for name in ca.key temporal.key temporal.crt; do
  test ! -f "service/$name" || mv "service/$name" "$(test "$name" = ca.key && echo authority || echo temporal)/$name"
done
test ! -f service/ca.crt || test -f authority/ca.crt || cp service/ca.crt authority/ca.crt
key='-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'
# shellcheck disable=SC2086 -- a list
test -f authority/ca.crt || openssl req -x509 $key -keyout authority/ca.key -out authority/ca.crt -days 3650 -subj '/CN=institution authority'
leaf() {
  cp authority/ca.crt "$1/ca.crt"
  test ! -f "$1/$1.crt" || return 0
  # shellcheck disable=SC2086 -- a list
  openssl req -x509 -CA authority/ca.crt -CAkey authority/ca.key $key -keyout "$1/$1.key" -out "$1/$1.crt" -days 365 -subj "/CN=$2" \
    -addext "subjectAltName=DNS:$2" -addext "extendedKeyUsage=$3" -addext 'basicConstraints=critical,CA:FALSE'
}
leaf temporal temporal serverAuth,clientAuth
leaf service institution-service clientAuth
# Both images run as users of their own, whose number this is.
chown -R 1000:1000 temporal service
