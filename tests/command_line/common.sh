# SPDX-License-Identifier: MIT
# What the command-line tests share. Sourced with the arguments of the test: the program aula, the helper look.
# Gives $aula, $look, $work (a fresh folder, the working directory, removed at the end), and counts failures.

[ $# -ge 2 ] || { echo "usage: $0 AULA LOOK" >&2; exit 2; }
aula=$(realpath "$1") look=$(realpath "$2")
AULA_DATA=${AULA_DATA:-$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")}
source_folder=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
export AULA_DATA LC_ALL=C OMP_WAIT_POLICY=passive # the rooms are tiny: no spinning on a busy machine
export LSAN_OPTIONS=${LSAN_OPTIONS:-suppressions=$source_folder/tests/leaks.supp:print_suppressions=0}

top=$(mktemp -d "${TMPDIR:-/tmp}/aula-test-XXXXXX") || exit 1
work=$top/work captured=$top/captured
mkdir "$work" "$captured"
chmod 755 "$top" "$work"
mounted=
at_exit() {
    [ -z "$mounted" ] || umount "$mounted" 2>/dev/null
    rm -rf "$top"
}
trap at_exit EXIT
trap 'exit 1' INT TERM
cd "$work" || exit 1

passes=0 failures=0

# verdict NAME PROBLEMS: a line for the table; PROBLEMS is empty, or one line for each thing that is wrong.
verdict() {
    if [ -z "$2" ]; then
        passes=$((passes + 1))
        printf 'ok    %s\n' "$1"
    else
        failures=$((failures + 1))
        printf 'FAIL  %s\n' "$1"
        printf '%s\n' "$2" | sed 's/^/        /'
    fi
}

# equal NAME EXPECTED GOT
equal() {
    if [ "$2" = "$3" ]; then verdict "$1" ""; else verdict "$1" "expected: $2
got:      $3"; fi
}

# within NAME LOW HIGH VALUE: false for anything that is not a number
within() {
    if awk -v low="$2" -v high="$3" -v value="$4" \
        'BEGIN { exit !(value ~ /^[-+0-9.e]+$/ && value + 0 >= low + 0 && value + 0 <= high + 0) }'; then
        verdict "$1" ""
    else
        verdict "$1" "expected: $2 to $3
got:      $4"
    fi
}

# contains NAME TEXT FRAGMENT
contains() {
    case $2 in
    *"$3"*) verdict "$1" "" ;;
    *) verdict "$1" "expected: ... $3 ...
got:      $2" ;;
    esac
}

# same NAME FILE FILE: the same bytes
same() {
    if cmp -s "$2" "$3"; then verdict "$1" ""; else verdict "$1" "expected: the same bytes in $2 and $3
got:      $(cmp "$2" "$3" 2>&1)"; fi
}

differ() {
    if [ -s "$2" ] && [ -s "$3" ] && ! cmp -s "$2" "$3"; then verdict "$1" ""; else verdict "$1" "expected: $2 and $3 differ
got:      the same bytes, or a file is missing"; fi
}

# works NAME ARGUMENTS...: aula exits 0; $captured/stdout and stderr hold what it said
works() {
    local name=$1 status
    shift
    "$aula" "$@" </dev/null >"$captured/stdout" 2>"$captured/stderr"
    status=$?
    if [ $status = 0 ]; then verdict "$name" ""; else verdict "$name" "expected: exit 0
got:      exit $status: $(cat "$captured/stderr")"; fi
    return $status
}

limit= # a prefix of the command, such as a user to run it as

# The files there are, with sizes and times, so that neither a leftover nor a changed file passes.
listing() {
    find . ! -type d -printf '%p %y %s %T@ %l\n' | sort
    find . -type d | sort
    find /dev/null /dev/null.* -printf '%p %y\n' 2>/dev/null
}

# refused NAME STATUS FRAGMENT... -- ARGUMENTS...
# The message is one line that begins with "aula: " and holds every FRAGMENT. A STATUS with + after it: the work had
# begun, so notes and progress may stand before the message.
refused() {
    local name=$1 expected=${2%+} begun=${2#"${2%+}"} problems= status before lines message
    local -a fragments=()
    shift 2
    while [ "$1" != -- ]; do
        fragments+=("$1")
        shift
    done
    shift
    before=$(listing)
    # through cat, so that a limit on file sizes does not fall on what is captured
    # patience is processor time, which a busy machine does not lengthen; `timeout` is for what hangs
    { (ulimit -t "${patience:-20}"; exec timeout -k 1 600 ${limit:+bash -c "$limit"' exec "$@"' -} "$aula" "$@") </dev/null \
        2>&3 | cat >"$captured/stdout"; status=${PIPESTATUS[0]}; } 3> >(cat >"$captured/stderr")
    wait $!
    [ "$status" = "$expected" ] || problems+="expected: exit $expected
got:      exit $status"$'\n'
    [ ! -s "$captured/stdout" ] || problems+="expected: nothing on standard output
got:      $(head -c 300 "$captured/stdout")"$'\n'
    message=$(grep '^aula: ' "$captured/stderr")
    lines=$(grep -vcE ': [a-z ]+, [0-9]+ s$' "$captured/stderr") # without what a busy machine says after a second
    if [ -z "$begun" ]; then
        [ "$lines" = 1 ] || problems+="expected: one line of message
got:      $lines lines: $(cat "$captured/stderr")"$'\n'
    else
        [ "$(tail -n 1 "$captured/stderr")" = "$message" ] || problems+="expected: one message, at the end
got:      $(cat "$captured/stderr")"$'\n'
    fi
    case $message in
    'aula: '?*) ;;
    *) problems+="expected: a line that begins with \"aula: \"
got:      $(cat "$captured/stderr")"$'\n' ;;
    esac
    for fragment in "${fragments[@]}"; do
        case $message in
        *"$fragment"*) ;;
        *) problems+="expected: ... $fragment ...
got:      $message"$'\n' ;;
        esac
    done
    [ "$(listing)" = "$before" ] || problems+="expected: no file left or changed
got:      $(diff <(echo "$before") <(listing) | grep '^[<>]')"$'\n'
    verdict "$name" "${problems%$'\n'}"
}

# value FILE KEY: of JSON; wav FILE KEY: of a sound file; channel FILE C KEY
value() { "$look" json "$1" "$2"; }
wav() { "$look" wav "$1" | sed -n "s/^$2 //p"; }
channel() { "$look" channel "$1" "$2" | sed -n "s/^$3 //p"; }

# The smallest room that has everything: 7 x 8 x 5 points, waves alone.
base_room() {
    cat <<'ROOM'
room: { size = [1.0, 1.2, 0.8];
  walls: { default = "plaster"; };
  objects: ( { shape = "box"; from = [0.0, 0.0, 0.0]; to = [0.4, 0.4, 0.4]; material = "wood"; } );
};
grid: { rate = 4000.0; }; hybrid: { full = false; };
time: { duration = 0.02; };
sources: ( { name = "A"; position = [0.3, 0.9, 0.6]; } );
receivers: ( { name = "L"; position = [0.7, 0.8, 0.4]; }, { name = "R"; position = [0.6, 0.9, 0.6]; } );
ROOM
}

finish() {
    echo "$passes passed, $failures failed"
    [ "$failures" = 0 ] && [ "$passes" -gt 0 ]
    exit
}
