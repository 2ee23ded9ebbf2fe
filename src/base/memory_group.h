/* SPDX-License-Identifier: MIT */
/* Memory available within the control groups of the process: cgroup v1 and v2, nested. */
#ifndef AULA_BASE_MEMORY_GROUP_H
#define AULA_BASE_MEMORY_GROUP_H

#include <stdint.h>

/* Bytes: minimum of limit - used over the group of the process (proc/self/cgroup) and its ancestors, with the mount
 * points of proc/self/mountinfo. v2: the smaller of memory.max and memory.high, less memory.current; v1:
 * memory.limit_in_bytes, or hierarchical_memory_limit where a group around that is not shown has less, less
 * memory.usage_in_bytes. Inactive file cache (inactive_file) does not count as used. `root`
 * is prepended to all paths: "" normally, the folder of a fake tree in tests. UINT64_MAX: no readable limit. */
uint64_t memory_group_available(const char *root);

#endif
