# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Ctrl-C ends every phase: each command is interrupted at random points of its work, one in each of $points equal parts of it,
# counted in processor time, and may use 0.5 s more of that (0.3 on an idle machine; neighbours slow the memory). A wait uses
# none: it may take $waiting s. $fresh, a folder with which the next run would go on, is removed before each. SEED=NUMBER repeats
# the points of an earlier run. Sourced after common.sh.

export OMP_NUM_THREADS=1
most=0.5
points=${points:-5} # of each command
waiting=10 fresh= worst=0
seed=${SEED:-$(date +%N | sed 's/^0*//')}
echo "SEED=$seed"
RANDOM=$((seed % 32768))
[ -z "$AULA_SANITIZED" ] || most=5

# at SHARE NAME ARGUMENTS...: the whole of the command was $whole s; interrupted after this share of it
at() {
    local share=$1 name=$2 after status waited
    shift 2
    rm -rf ${fresh:+"$fresh"}
    "$look" interrupt "$captured/after" "$(awk "BEGIN { print $whole * $share }")" "$aula" "$@" </dev/null >"$captured/stdout" 2>"$captured/stderr"
    read -r after status waited <"$captured/after"
    [ "$after" != none ] || return 0 # it was faster this time
    within "$name, after $share of it: processor time to the end, s" 0 $most "$after"
    within "$name, after $share of it: time to the end, s" 0 $waiting "$waited"
    worst=$(awk "BEGIN { print ($after > $worst ? $after : $worst) }")
    case $status in
    1 | 130 | "${ends_with:-1}") tried=$((tried + 1)) ;;
    0) ;; # it had done all of its work
    *) verdict "$name, after $share of it: ends for the signal" "expected: exit 1, or by the signal
got:      $status: $(tail -n 3 "$captured/stderr")" ;;
    esac
}

# interrupted NAME ARGUMENTS...
interrupted() {
    local name=$1 whole status _ share point tried=0
    shift
    rm -rf ${fresh:+"$fresh"}
    "$look" interrupt "$captured/whole" 0 "$aula" "$@" </dev/null >"$captured/stdout" 2>"$captured/stderr"
    read -r whole status _ <"$captured/whole"
    worst=0
    within "$name: takes long enough to be interrupted, s" 0.1 1e9 "$whole"
    equal "$name: works" 0 "$status"
    for ((point = 0; point < points; point++)); do
        share=$(awk "BEGIN { print ($point + 0.1 + 0.8 * $RANDOM / 32768) / $points }")
        at $share "$name" "$@"
    done
    within "$name: was interrupted" $((points / 2)) $points $tried
    echo "      $name: of $whole s; ends in at most $worst s"
}
