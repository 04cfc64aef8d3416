#!/bin/sh
# Starts PgBouncer with the configuration of deploy/pgbouncer, reached from other containers.
set -eu
folder=/tmp/pgbouncer
mkdir -p "$folder"
umask 077
printf '"institution_service" "%s"\n"institution_service_sender" "%s"\n' "$POSTGRES_SERVICE_PASSWORD" "$POSTGRES_SERVICE_PASSWORD" > "$folder/userlist.txt"
sed -e 's|^listen_addr = .*|listen_addr = 0.0.0.0|' -e "s|^auth_file = .*|auth_file = $folder/userlist.txt|" /etc/institution/pgbouncer.ini > "$folder/pgbouncer.ini"
printf 'server_login_retry = 1\nunix_socket_dir =\n' >> "$folder/pgbouncer.ini"
exec pgbouncer "$folder/pgbouncer.ini"
