#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A data set by Dask, on this machine or, with DASK_SCHEDULER_ADDRESS, on workers that see FOLDER.

    tools/cluster/dask_batch.py PLAN.cfg FOLDER [SHARDS [CPUS_A_SHARD]]
"""
import os
import subprocess
import sys

from dask.distributed import Client, LocalCluster

plan, folder = map(os.path.abspath, sys.argv[1:3])
shards, cpus = [int(n) for n in sys.argv[3:] + ["8", "1"][len(sys.argv) - 3:]]
command = [os.environ.get("AULA", "aula"), "batch", plan, "-o", folder]


def shard(k):
    return subprocess.run([*command, "--shard", f"{k}/{shards}", "--threads", str(cpus), "-q"], check=False).returncode


if __name__ == "__main__":
    workers = max(1, (os.cpu_count() or 1) // cpus)
    address = os.environ.get("DASK_SCHEDULER_ADDRESS")
    with Client(address or LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None)) as client:
        statuses = client.gather(client.map(shard, range(shards), pure=False))
    failed = [k for k, status in enumerate(statuses) if status]
    if failed:
        print("shards that failed:", *failed, file=sys.stderr)
    sys.exit(subprocess.run([*command, "--merge"], check=False).returncode or bool(failed))
