#!/bin/bash
# SPDX-License-Identifier: MIT
# A data set by an array of Slurm. One minute before its time limit, a task gets SIGTERM, keeps its rooms and is queued
# again.
#   job=$(sbatch --parsable --array=0-15 tools/cluster/slurm.sh PLAN.cfg FOLDER [OPTION ...])
#   sbatch --dependency=afterok:$job --wrap "aula batch PLAN.cfg -o FOLDER --merge"
#SBATCH --job-name=aula
#SBATCH --cpus-per-task=4
#SBATCH --time=04:00:00
#SBATCH --signal=TERM@60
#SBATCH --requeue
#SBATCH --open-mode=append
set -u
plan=$1 folder=$2
shift 2
srun --cpus-per-task="${SLURM_CPUS_PER_TASK:-1}" "${AULA:-aula}" batch "$plan" -o "$folder" \
    --threads "${SLURM_CPUS_PER_TASK:-1}" "$@"
status=$?
[ $status != 75 ] || exec scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"
exit $status
