#!/usr/bin/env bash
# Writes the secrets of compose.yaml into the folder `secrets` beside this script, and overwrites none.
# The folder is closed to other users. Its files are readable, because the containers run as other users.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
mkdir -p secrets
# Also a folder that was there before: mkdir keeps its mode.
chmod 0700 secrets
cd secrets
random() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }
keep() { if [[ ! -s $1 ]]; then cat >"$1" && chmod 0644 "$1"; else cat >/dev/null; fi; }

keep database-password <<<"$(random)"
keep database-url <<<"postgres://svc:$(cat database-password)@postgres:5432/svc"
keep secrets-key <<<"$(openssl rand -base64 32)"
keep admin-key <<<"svc_bootstrap_$(random)"
# docs/DEPLOY.md says how the adapters get a key of their own. Until then they deny.
keep adapter-key <<<"none"
if [[ ! -s tls-key ]]; then
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj /CN=localhost \
    -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout tls-key -out tls-certificate 2>/dev/null
  chmod 0644 tls-key tls-certificate
fi
