#!/bin/bash
# SPDX-License-Identifier: MIT
# A data set by an array of HyperQueue:
#   hq submit --wait --array 0-15 --cpus 4 tools/cluster/hq.sh 16 PLAN.cfg FOLDER [OPTION ...]
#   aula batch PLAN.cfg -o FOLDER --merge
set -eu
shards=$1 plan=$2 folder=$3
shift 3
exec "${AULA:-aula}" batch "$plan" -o "$folder" --shard "$HQ_TASK_ID/$shards" \
    --threads "$(tr ',' '\n' <<<"${HQ_CPUS:-0}" | wc -l)" "$@"
