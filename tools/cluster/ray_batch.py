#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A data set by Ray, on this machine or, with RAY_ADDRESS, on a cluster whose nodes see FOLDER.

    tools/cluster/ray_batch.py PLAN.cfg FOLDER [SHARDS [CPUS_A_SHARD]]
"""
import os
import subprocess
import sys

import ray

plan, folder = map(os.path.abspath, sys.argv[1:3])
shards, cpus = [int(n) for n in sys.argv[3:] + ["8", "1"][len(sys.argv) - 3:]]
command = [os.environ.get("AULA", "aula"), "batch", plan, "-o", folder]


@ray.remote(num_cpus=cpus, max_retries=3)
def shard(k):
    return subprocess.run([*command, "--shard", f"{k}/{shards}", "--threads", str(cpus), "-q"], check=False).returncode


ray.init()
failed = [k for k, status in enumerate(ray.get([shard.remote(k) for k in range(shards)])) if status]
if failed:
    print("shards that failed:", *failed, file=sys.stderr)
sys.exit(subprocess.run([*command, "--merge"], check=False).returncode or bool(failed))
