# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# What the sound tests share: a JACK server of their own with the dummy driver, so a sound card of the machine is neither
# needed nor heard. Sourced with the arguments of the test, AULA PLAY_TEST SOUND_TOOL [LOOK]; gives $play, $tool and $look beside what
# tests/command_line/common.sh gives.
#
# Found to work headless, as root, in a container without systemd or dbus: the dummy driver, shared memory in /dev/shm, -R -m (real-time
# priority, which the threads of the clients share, without locked memory) where real-time scheduling is allowed, as sound servers run;
# else -r, and then a busy machine makes the server itself late. Server and clients have to be of the same user (JACK_PROMISCUOUS_SERVER
# would lift that). -S: a cycle waits for its clients, so a busy machine makes it late, not wrong.

[ $# -ge 3 ] || { echo "usage: $0 AULA PLAY_TEST SOUND_TOOL [LOOK]" >&2; exit 2; }
play=$(realpath "$2") tool=$(realpath "$3") look_here=$(realpath "${4:-$2}")
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../command_line/common.sh" || exit 1
look=$look_here

command -v jackd >/dev/null || { echo "skipped: jackd is not installed (Debian and Ubuntu: jackd2)"; exit 77; }
[ -w /dev/shm ] || { echo "skipped: /dev/shm cannot be written, and JACK keeps its ports there"; exit 77; }

export JACK_NO_START_SERVER=1 JACK_DEFAULT_SERVER=aula-test # one name: a server that was killed leaves its entry in the registry, which has eight
priority=(-r) first=()
chrt -f 10 true 2>/dev/null && priority=(-R -m -P 10) first=(chrt -f 10) # the server, and a command before others
jack= device= busy=()

# end PID: by its number, politely for two seconds
end() {
    local i
    [ -n "$1" ] || return 0
    kill "$1" 2>/dev/null
    for i in {1..40}; do
        kill -0 "$1" 2>/dev/null || break
        sleep 0.05
    done
    kill -9 "$1" 2>/dev/null
    wait "$1" 2>/dev/null
}

end_sound() {
    local one
    for one in "${busy[@]}" "$device" "$jack"; do
        end "$one"
    done
    rm -rf /dev/shm/jack*"$JACK_DEFAULT_SERVER"* # what a killed server leaves
    busy=() device='' jack=''
}
trap 'end_sound; at_exit' EXIT

# start_jack FRAMES: the server, at 48 kHz with so many frames a period; $jack is its process number.
start_jack() {
    jackd -n "$JACK_DEFAULT_SERVER" "${priority[@]}" -S -d dummy -r 48000 -p "$1" -C 2 -P 2 >"$captured/jackd" 2>&1 </dev/null &
    jack=$!
    if ! timeout 20 "$tool" wait 15 2>/dev/null; then
        echo "skipped: jackd does not start here: $(tail -n 3 "$captured/jackd")"
        exit 77
    fi
}

# start_device record NAME CHANNELS SECONDS FILE, or through NAME CHANNELS SECONDS: from here on PortAudio has a device NAME
start_device() {
    local i
    "$tool" "$@" >"$captured/device" 2>&1 </dev/null &
    device=$!
    for i in {1..100}; do
        grep -q ready "$captured/device" 2>/dev/null && return 0
        sleep 0.1
    done
    verdict "the device begins" "$(cat "$captured/device")"
    return 1
}

stop_device() {
    end "$device"
    device=
}

# play_file ARGUMENTS ...: play_test; what it says is in $captured
play_file() {
    timeout -k 1 45 "$play" "$@" >"$captured/stdout" 2>"$captured/stderr"
}

# count KEY: of what play_test said
count() { sed -n "s/^$1 //p" "$captured/stdout"; }
