#!/usr/bin/env bash
# Installs a package into a folder and runs a command there. Only Debian's
# libraries, sh and grep, and its Python and NumPy are visible.
#
# usage: clean_root.sh PACKAGE FOLDER COMMAND...
#
# Prints `skipped: REASON` if that is not permitted.
set -euo pipefail

package=$(realpath "$1") root=$(realpath -m "$2")
shift 2

if ((EUID != 0)); then
  echo "skipped: expected to be root, got $(id -un)"
  exit
fi
if ! unshare -m true 2>/dev/null; then
  echo "skipped: not permitted to mount here"
  exit
fi

if [[ ! -e $root/usr/bin/moe-opt ]]; then
  mkdir -p "$root"/{proc,dev,tmp} "$root/var/lib/dpkg"/{info,updates}
  : >"$root/var/lib/dpkg/status"
  mkdir -p "$root"/usr/{bin,lib,lib64}
  ln -s usr/lib "$root/lib"
  ln -s usr/lib64 "$root/lib64"
  ln -s usr/bin "$root/bin"
  # Its dependencies are not in that root's list, but mounted below.
  dpkg --root="$root" --force-depends --install "$package" >"$root.log" 2>&1 ||
    { cat "$root.log"; exit 1; }
fi

exec unshare -m bash -euo pipefail -c '
  root=$1
  shift
  see() {
    [[ -e $1 ]] || return 0
    if [[ -d $1 ]]; then mkdir -p "$root$1"; else
      mkdir -p "$root${1%/*}" && : >>"$root$1"; fi
    mount --bind "$1" "$root$1"
  }
  libraries=$(gcc -print-multiarch 2>/dev/null || echo x86_64-linux-gnu)
  see "/usr/lib/$libraries"
  for lib in /usr/lib/llvm-*/lib; do see "$lib"; done
  see /usr/lib64
  for loader in /lib64/ld-linux*; do
    [[ -e $root$loader ]] || see "$loader"
  done
  see /etc/alternatives
  for tool in sh env grep; do see "/usr/bin/$tool"; done
  see /dev/null
  mount --rbind /proc "$root/proc"
  python=$(realpath /usr/bin/python3)
  see "$python"
  see "/usr/lib/${python##*/}"
  see /usr/lib/python3/dist-packages/numpy
  ln -sf "${python##*/}" "$root/usr/bin/python3"
  exec env -i PATH=/usr/bin HOME=/tmp PYTHONDONTWRITEBYTECODE=1 \
    "$(command -v chroot)" "$root" "$@"
' bash "$root" "$@"
