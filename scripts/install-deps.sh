#!/usr/bin/env bash
# Installs the packages for building and testing from Debian, and the named
# ones.
#
#   scripts/install-deps.sh [PACKAGE...]
#
# Asks nothing. Does nothing, not even an index update, if all packages are
# installed. Otherwise it requires root or sudo.
set -euo pipefail

packages=(
  libmlir-22-dev     # MLIR's headers, CMake package, and shared library
  mlir-22-tools      # mlir-tblgen, and mlir-opt for the plugin's tests
  llvm-22-dev        # LLVM's headers and CMake package
  llvm-22-tools      # lit, FileCheck, not, split-file
  clang-22           # the compiler; its precompiled headers make builds fast
  lld-22             # the linker
  libclang-rt-22-dev # sanitizers and libFuzzer
  libgtest-dev       # unit tests
  nlohmann-json3-dev # machine descriptions
  libopenmpi-dev     # the runtime's backend of MPI processes
  openmpi-bin        # mpirun
  cmake
  ninja-build
  ccache
  python3            # lit, and the summaries the scripts print
  python3-numpy      # references that tests compare with
  python3-psutil     # with it, lit ends tests that hang
  valgrind           # traces the calls that docs/developers/architecture.md names
  glpk-utils         # a solver of linear programs, with which plans are compared
  "$@"
)

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "install-deps.sh: expected a Debian system with apt-get, found none;" \
       "install by other means: ${packages[*]}" >&2
  exit 2
fi

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)
  if [[ $status != "install ok installed" ]]; then
    missing+=("$package")
  fi
done
if ((${#missing[@]} == 0)); then
  exit 0
fi

as_root=()
if ((EUID != 0)); then
  if ! command -v sudo >/dev/null; then
    echo "install-deps.sh: expected to run as root or to find sudo, found" \
         "neither; missing packages: ${missing[*]}" >&2
    exit 2
  fi
  as_root=(sudo)
fi

export DEBIAN_FRONTEND=noninteractive
apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get
     -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3)

echo "+ apt-get update" >&2
# An unreachable repository is not fatal, as long as the packages can be found
# afterwards.
"${apt[@]}" -q update >&2 ||
  echo "install-deps.sh: warning: apt-get update failed" >&2

unknown=()
for package in "${missing[@]}"; do
  candidate=$(LC_ALL=C apt-cache policy "$package" |
              awk '$1 == "Candidate:" { print $2 }')
  if [[ -z $candidate || $candidate == "(none)" ]]; then
    unknown+=("$package")
  fi
done
if ((${#unknown[@]} != 0)); then
  system=$(. /etc/os-release 2>/dev/null && echo "${PRETTY_NAME:-}" || true)
  echo "install-deps.sh: expected apt to know ${unknown[*]}, found no such" \
       "package on ${system:-this system}; they are part of Debian 12" \
       "(bookworm) with bookworm-security among its sources" >&2
  exit 1
fi

echo "+ apt-get install ${missing[*]}" >&2
"${apt[@]}" -q install -y --no-install-recommends "${missing[@]}" >&2
