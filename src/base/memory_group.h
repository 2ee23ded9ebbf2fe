/* What the control groups of the process leave of the memory: cgroup v1 and v2, nested. */
#ifndef AULA_BASE_MEMORY_GROUP_H
#define AULA_BASE_MEMORY_GROUP_H

#include <stdint.h>

/* Bytes left by the group of the process (proc/self/cgroup) and every group around it, wherever proc/self/mountinfo says
 * that their files are: the least of limit - used. v2: the lower of memory.max and memory.high, less memory.current; v1:
 * memory.limit_in_bytes less memory.usage_in_bytes. File cache that the kernel takes back first (inactive_file) does not
 * count as used. `root` stands before every path: "" on a running system, the folder of a fake tree in tests.
 * UINT64_MAX: no limit, or none that can be read. */
uint64_t memory_group_available(const char *root);

#endif
