#!/bin/sh
# Builds PgBouncer at the path $1 from the sources of Debian 13, which has 1.24: earlier releases of Debian have versions that
# prepare no statements in transaction mode. As root on a system of the Debian family; adds nothing to its lists of packages.
set -eu
target=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export DEBIAN_FRONTEND=noninteractive

tools='build-essential dpkg-dev libevent-dev libssl-dev pkg-config'
# shellcheck disable=SC2086 -- a list
apt-get install -y --no-install-recommends $tools || { apt-get update; apt-get install -y --no-install-recommends $tools; }

# The mirror that this system uses.
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep '/debian/*$' | head -n 1)
test -n "$mirror" || { echo 'apt has no mirror of Debian' >&2; exit 1; }
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/source"
printf 'deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s trixie main\n' "$mirror" > "$work/sources.list"
apart() {
  apt-get -o "Dir::Etc::SourceList=$work/sources.list" -o Dir::Etc::SourceParts=/dev/null -o "Dir::State::Lists=$work/lists" \
    -o "Dir::Cache=$work/cache" -o APT::Sandbox::User=root "$@"
}
apart update
cd "$work/source"
apart source --download-only pgbouncer
dpkg-source -x pgbouncer_*.dsc tree
cd tree
./configure --without-cares
make pgbouncer
install -m 755 pgbouncer "$target"
