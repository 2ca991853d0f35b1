#!/usr/bin/env bash
# Builds docker/Dockerfile with Buildah, and keeps the tree of the image mounted until it is ended.
# Usage: unshare --mount build-image.sh CHECKOUT STORE ROOT_TAR NODE NPM_FOLDER
# A stand-in has the name of the base image: Debian's minimal system, the pinned Node and npm. Everything lies in
# memory and in this mount namespace, so nothing is left behind. Prints `context <folder>`, `image <JSON>` and
# `tree <folder>`.
set -euo pipefail
checkout=$1 store=$2 root_tar=$3 node=$4 npm=$5
base=$(sed -n 's/^FROM \(\S*\) AS build$/\1/p' "$checkout/docker/Dockerfile")

mount -t tmpfs -o size=6g svc-image "$store"
export TMPDIR=$store BUILDAH_ISOLATION=chroot
build() { buildah --root "$store/root" --runroot "$store/run" --storage-driver overlay "$@"; }

container=$(build from scratch)
build add --quiet "$container" "$root_tar" / >&2
build add --quiet "$container" "$node" /usr/local/bin/node >&2
build add --quiet "$container" "$npm" /usr/local/lib/node_modules/npm >&2
build run "$container" -- ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
build config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
# What this machine needs to reach its package registry; a real base image has none of it.
if [[ -n "${NODE_EXTRA_CA_CERTS:-}" ]]; then
  build add --quiet "$container" "$NODE_EXTRA_CA_CERTS" /usr/local/share/authorities.crt >&2
  build config --env NODE_EXTRA_CA_CERTS=/usr/local/share/authorities.crt "$container"
fi
if [[ -n "${npm_config_registry:-}" ]]; then
  build config --env "npm_config_registry=$npm_config_registry" "$container"
fi
build commit --quiet --rm --format docker "$container" "docker.io/library/$base" >&2

build bud --pull-never --format docker -f "$checkout/docker/Dockerfile" -t svc "$checkout" >&2

# The context as the builder got it.
printf 'FROM scratch\nCOPY . /\n' >"$store/Context"
build bud --format docker -f "$store/Context" -t context "$checkout" >&2
printf 'context %s\n' "$(build mount "$(build from --pull-never context)")"

container=$(build from --pull-never svc)
printf 'image %s\n' "$(build inspect --type image svc | tr -d '\n')"
tree=$(build mount "$container")
# As under read_only: only the data directory and /tmp take writes.
mount -t tmpfs -o mode=1777 svc-tmp "$tree/tmp"
mount -t tmpfs -o mode=0700,uid=10001,gid=10001 svc-data "$tree/var/lib/svc"
mount -t proc svc-proc "$tree/proc"
mount --bind /dev "$tree/dev"
mount -o remount,ro "$tree"
printf 'tree %s\n' "$tree"
exec sleep infinity
