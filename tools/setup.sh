# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# What tools/quickstart and tools/check have in common. Sourced by them.
set -Eeuo pipefail

root=$(cd -P "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
tool=tools/$(basename "$(readlink -f "$0")")
jobs=$(nproc 2>/dev/null || echo 1)
cd "$root" || exit

# Threads that wait should sleep: on a machine that does other work too, spinning costs far more than waking up.
export OMP_WAIT_POLICY=${OMP_WAIT_POLICY:-passive}

say() { # a line for each argument
    printf '%s\n' "$@"
}

# die MESSAGE ...: one line each, and the end.
die() {
    trap - ERR
    printf '\n%s: %s\n' "$tool" "$1" >&2
    shift
    [ $# -eq 0 ] || printf '  %s\n' "$@" >&2
    exit 1
}

duration() { # seconds -> "9 s", "2 min 05 s"
    if [ "$1" -lt 60 ]; then
        printf '%d s' "$1"
    else
        printf '%d min %02d s' $(($1 / 60)) $(($1 % 60))
    fi
}

# step WHAT COMMAND ...: runs it, says how long it took, ends the script with a message when it fails.
step() {
    local what=$1 from=$SECONDS
    shift
    say "" "== $what"
    "$@" || die "failed: $what (after $(duration $((SECONDS - from)))). The lines above say why."
    say "== $what: $(duration $((SECONDS - from)))"
}

trap 'die "stopped unexpectedly at line $LINENO of ${BASH_SOURCE[0]}"' ERR
trap 'die "stopped on request"' INT TERM

# Run with sudo in somebody's checkout: what was made there is theirs.
hand_over() {
    local status=$? owner
    if [ "$EUID" -eq 0 ] && owner=$(stat -c %u:%g "$root" 2>/dev/null) && [ "${owner%%:*}" != 0 ]; then
        chown -R "$owner" "$root/build" "$root/impulses" 2>/dev/null || true
    fi
    exit "$status"
}
trap hand_over EXIT

listed_packages() { # what stands below the line ==== is for the tests alone
    local until='^# ===='
    [ "$tool" != tools/check ] || until='^$ nowhere'
    sed -e "/$until/,\$d" -e 's/#.*//' -e 's/[[:space:]]//g' -e '/^$/d' tools/packages
}

missing_packages() {
    local package
    for package in $(listed_packages); do
        [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || printf '%s\n' "$package"
    done
}

# What the build would not find, whoever installed it: commands, and the pkg-config modules that CMake asks for.
missing_parts() {
    local part
    for part in cc cmake make pkg-config; do
        command -v "$part" >/dev/null || printf '%s\n' "$part"
    done
    command -v pkg-config >/dev/null || return 0
    sed -n 's/.*REQUIRED IMPORTED_TARGET \([^)]*\)).*/\1/p' cmake/Dependencies.cmake | while read -r part; do
        pkg-config --exists "$part" || printf '%s\n' "$part"
    done
}

one_line() {
    printf '%s' "$*" | tr -s '\n ' ' '
}

# Sets as_root to what has to stand before a command that needs root; fails when there is no way.
find_root() {
    as_root=()
    [ "$EUID" -eq 0 ] && return 0
    command -v sudo >/dev/null || return 1
    as_root=(sudo)
    sudo -n true 2>/dev/null && return 0
    [ -t 0 ] && [ -t 2 ] || return 1
    say "sudo may ask for your password."
}

install_packages() { # NAME ...
    local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3
        -o Dpkg::Use-Pty=0)
    "${as_root[@]}" "${apt[@]}" update || return 1
    "${as_root[@]}" "${apt[@]}" install -y --no-install-recommends "$@"
}

check_cmake() {
    local version
    version=$(cmake --version | sed -n '1s/[^0-9]*\([0-9][0-9.]*\).*/\1/p')
    [ "$(printf '%s\n' 3.25 "$version" | sort -V | head -n 1)" = 3.25 ] ||
        die "CMake $version is too old: aula needs 3.25 or later." \
            "Debian 12 and Ubuntu 24.04 have it; elsewhere: https://cmake.org/download"
}

# Everything the build needs is there when this returns.
set_up() {
    local missing parts
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        parts=$(missing_parts)
        [ -z "$parts" ] ||
            die "this is not a Debian or Ubuntu system, and something is missing: $(one_line "$parts")" \
                "aula needs a C11 compiler with OpenMP, make, CMake 3.25 or later, pkg-config, and with their headers:" \
                "libsndfile, PortAudio (19), libconfig, libsamplerate, cJSON, libpng, cairo, KissFFT (kissfft-float) and cmocka." \
                "Install them with this system's package manager and run $tool again."
        say "Not a Debian or Ubuntu system, but everything is there."
        check_cmake
        return
    fi
    missing=$(missing_packages)
    if [ -z "$missing" ]; then
        say "All packages that aula needs are installed."
    elif find_root; then
        say "To be installed: $(one_line "$missing")"
        # shellcheck disable=SC2086 # one word a package
        step "install packages" install_packages $missing
    else
        parts=$(missing_parts)
        [ -z "$parts" ] ||
            die "packages are missing, and installing them needs root (or sudo without a password, or a terminal):" \
                "apt-get update && apt-get install $(one_line "$missing")" \
                "Have that done, then run $tool again: it needs no root then."
        say "Not installed as packages, but found: $(one_line "$missing")"
    fi
    check_cmake
}

# A build folder that was copied along with the checkout belongs to another place: CMake refuses it.
drop_foreign_build() { # preset
    local build=$root/build/$1 was
    [ -e "$build" ] || return 0
    [ -O "$build" ] || [ -w "$build" ] ||
        die "build/$1 belongs to $(stat -c %U "$build") and cannot be written." \
            "Remove it (sudo rm -r '$build') and run $tool again."
    [ -f "$build/CMakeCache.txt" ] || return 0
    was=$(sed -n 's/^CMAKE_CACHEFILE_DIR:INTERNAL=//p' "$build/CMakeCache.txt")
    [ "$(cd -P "$was" 2>/dev/null && pwd)" != "$build" ] || return 0
    say "build/$1 was made for another folder (${was:-unknown}): removed."
    rm -rf "$build" || die "build/$1 cannot be removed: see above."
}

configure() { # preset, options ...
    local preset=$1
    shift
    local parent=build
    [ -e build ] || parent=.
    [ -w "$parent" ] ||
        die "$(realpath "$parent") belongs to $(stat -c %U "$parent") and cannot be written by $(id -un)." \
            "Give it to $(id -un), or use a checkout of your own, and run $tool again."
    drop_foreign_build "$preset"
    step "configure $preset" cmake --preset "$preset" "$@"
}

build() { # preset, options ...
    local preset=$1
    shift
    step "build $preset" cmake --build "build/$preset" --parallel "$jobs" "$@"
}
