#!/bin/bash
# Builds what `reversi build ... --plan DIR` has laid out, round after round, by job arrays of Slurm.
#
#   build.sh DIR [OPTIONS OF THE PARTS]     as in: build.sh /shared/6x6 --time=02:00:00 --partition=long
#
# DIR is on a file system that all nodes see. Parts that were killed, ran into their time limit or lost their node are
# submitted again, at most TRIES times in a round; everything else that goes wrong stops the chain, with the reason in
# DIR/merge.err. All output of the jobs is in DIR/log.
#
#   PARTS        parts of a round             [the number that a merge proposes, at most MOST_PARTS]
#   FIRST_PARTS  parts of the first round     [PARTS, or 20]
#   MOST_PARTS   most parts of a round        [1000]
#   TRIES        most repetitions of a round  [3]
#   MEMORY       table of a part              [1G]
#   CPUS         threads of a part            [1]
#   REVERSI      the program                  [reversi]
set -euo pipefail

export REVERSI=${REVERSI:-reversi} MEMORY=${MEMORY:-1G} CPUS=${CPUS:-1} MOST_PARTS=${MOST_PARTS:-1000} TRIES=${TRIES:-3}
export DIR SCRIPT OPTIONS PARTS STEP TRIED

# A round of N parts, and the merge that follows when all have ended, however they did.
submit() {
    local array
    mkdir -p "$DIR/log"
    # Word splitting is wanted: these are options.
    # shellcheck disable=SC2086
    array=$(STEP=part N=$1 sbatch --parsable --job-name=reversi-part --array="1-$1" --requeue --open-mode=append \
        --ntasks=1 --cpus-per-task="$CPUS" --output="$DIR/log/part-%a.log" $OPTIONS "$SCRIPT")
    STEP=merge N=$1 sbatch --parsable --job-name=reversi-merge --dependency="afterany:${array%%;*}" --requeue \
        --ntasks=1 --output="$DIR/log/merge.log" --open-mode=append "$SCRIPT" >/dev/null
    echo "$1 parts are submitted as ${array%%;*}"
}

# The number behind a key of the JSON of a merge.
number_of() {
    sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p" "$DIR/merge.json"
}

merge() {
    local code=0 parts
    "$REVERSI" --json build --merge "$DIR" >"$DIR/merge.json" 2>"$DIR/merge.err" || code=$?
    cat "$DIR/merge.json" "$DIR/merge.err"
    if [ "$code" = 0 ] && grep -q '"complete":true' "$DIR/merge.json"; then
        echo finished
    elif [ "$code" = 0 ]; then
        parts=${PARTS:-$(number_of parts)}
        TRIED=0 submit "$((parts < MOST_PARTS ? parts : MOST_PARTS))"
    elif grep -q missing-searches "$DIR/merge.err" && [ "$TRIED" -lt "$TRIES" ]; then
        TRIED=$((TRIED + 1)) submit "$N"
    else
        return "$code"
    fi
}

case ${STEP:-start} in
    start)
        if [ $# -eq 0 ] || [ ! -e "$1/round-1/plan" ]; then
            echo "usage: build.sh DIR [OPTIONS OF THE PARTS]; DIR holds what \`reversi build ... --plan DIR\` laid out" >&2
            exit 2
        fi
        DIR=$(realpath "$1")
        SCRIPT=$(realpath "$0")
        shift
        OPTIONS="$*"
        PARTS=${PARTS:-}
        TRIED=0
        submit "${PARTS:-${FIRST_PARTS:-20}}"
        ;;
    part)
        exec "$REVERSI" build --shard "$SLURM_ARRAY_TASK_ID/$N" "$DIR" --threads "$CPUS" --memory "$MEMORY" --quiet
        ;;
    merge)
        merge
        ;;
esac
