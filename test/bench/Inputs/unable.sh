#!/usr/bin/env bash
# Runs a command without the right to make namespaces.
set -euo pipefail
if [[ $(id -u) == 0 ]]; then
  exec setpriv --bounding-set -sys_admin --inh-caps -sys_admin "$@"
fi
exec "$@"
