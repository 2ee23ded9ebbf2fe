/* SPDX-License-Identifier: MIT */
/* Memory available within control groups, on fake trees of /proc and /sys. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/memory_group.h"
#include "base/text.h"
#include "support/random_cases.h"

#include <cmocka.h> /* last: its macro fail() would break the declaration in base/error.h */

static char root[64];

/* Writes a file of the tree, creating its folders. */
static void put(const char *path, const char *text)
{
    char *whole = text_format("%s/%s", root, path);
    assert_non_null(whole);
    for (char *slash = strchr(whole + strlen(root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(whole, 0755);
        *slash = '/';
    }
    FILE *f = fopen(whole, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
    free(whole);
}

static int fresh_tree(void **state)
{
    (void)state;
    snprintf(root, sizeof root, "/tmp/aula-memory-test-XXXXXX");
    return mkdtemp(root) ? 0 : -1;
}

static int remove_tree(void **state)
{
    (void)state;
    char *command = text_format("rm -rf '%s'", root);
    const int status = command ? system(command) : -1;
    free(command);
    return status;
}

#define V2_MOUNT "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
#define V1_MOUNT "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n"

static void nothing_known_is_no_limit(void **state)
{
    (void)state;
    assert_true(memory_group_available(root) == UINT64_MAX);
    put("proc/self/cgroup", "0::/user.slice\n");
    put("proc/self/mountinfo", "1 0 0:1 / / rw - ext4 /dev/sda rw\nrubbish\n\n36 35 98:0 /\n" V2_MOUNT);
    assert_true(memory_group_available(root) == UINT64_MAX);
    put("sys/fs/cgroup/user.slice/memory.max", "max\n");
    put("sys/fs/cgroup/user.slice/memory.high", "max\n");
    put("sys/fs/cgroup/user.slice/memory.current", "5000\n");
    assert_true(memory_group_available(root) == UINT64_MAX);
}

static void nested_group_of_v2_counts(void **state)
{
    (void)state;
    put("proc/self/cgroup", "0::/user.slice/job.scope\n");
    put("proc/self/mountinfo", V2_MOUNT);
    put("sys/fs/cgroup/user.slice/job.scope/memory.max", "1000000\n");
    put("sys/fs/cgroup/user.slice/job.scope/memory.current", "300000\n");
    put("sys/fs/cgroup/other/memory.max", "10\n"); /* not of this process */
    put("sys/fs/cgroup/other/memory.current", "10\n");
    assert_int_equal(memory_group_available(root), 700000);
    put("sys/fs/cgroup/user.slice/job.scope/memory.high", "800000\n");
    assert_int_equal(memory_group_available(root), 500000);
    put("sys/fs/cgroup/user.slice/job.scope/memory.stat", "anon 1\nactive_file 9000\ninactive_file 100000\n");
    assert_int_equal(memory_group_available(root), 600000);
    put("sys/fs/cgroup/user.slice/job.scope/memory.current", "2000000\n"); /* beyond its limit */
    assert_int_equal(memory_group_available(root), 0);
}

static void every_group_around_counts(void **state)
{
    static const char *const tops[] = {"a/b/c/", "a/b/", "a/", ""};
    char path[64];
    (void)state;
    put("proc/self/cgroup", "0::/a/b/c\n");
    put("proc/self/mountinfo", V2_MOUNT);
    for (size_t min = 0; min < 4; min++) {
        for (size_t i = 0; i < 4; i++) {
            snprintf(path, sizeof path, "sys/fs/cgroup/%smemory.max", tops[i]);
            put(path, i == min ? "5000" : "9000000");
            snprintf(path, sizeof path, "sys/fs/cgroup/%smemory.current", tops[i]);
            put(path, i == min ? "4000" : "1000000");
        }
        assert_int_equal(memory_group_available(root), 1000);
    }
}

static void nested_group_of_v1_counts(void **state)
{
    (void)state;
    put("proc/self/cgroup", "9:name=systemd:/x\n4:cpu,memory:/batch/job 7\n1:cpu:/y\n0::/z\n");
    put("proc/self/mountinfo", "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n" V1_MOUNT);
    put("sys/fs/cgroup/memory/batch/job 7/memory.limit_in_bytes", "600000\n");
    put("sys/fs/cgroup/memory/batch/job 7/memory.usage_in_bytes", "200000\n");
    put("sys/fs/cgroup/memory/batch/memory.limit_in_bytes", "9223372036854771712\n");
    put("sys/fs/cgroup/memory/batch/memory.usage_in_bytes", "200000\n");
    put("sys/fs/cgroup/cpu/y/memory.limit_in_bytes", "1\n");
    assert_int_equal(memory_group_available(root), 400000);
    put("sys/fs/cgroup/memory/batch/job 7/memory.stat", "inactive_file 7\ntotal_inactive_file 50000\n");
    assert_int_equal(memory_group_available(root), 450000);
}

/* A container of v1 is shown its own group alone; what those around it leave stands in memory.stat. */
static void groups_of_v1_that_are_not_shown_count(void **state)
{
    (void)state;
    put("proc/self/cgroup", "4:memory:/docker/12ab\n");
    put("proc/self/mountinfo", "35 31 0:32 /docker/12ab /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n");
    put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    put("sys/fs/cgroup/memory/memory.usage_in_bytes", "30000\n");
    put("sys/fs/cgroup/memory/memory.stat", "cache 1\nhierarchical_memory_limit 90000\ntotal_inactive_file 5000\n");
    assert_int_equal(memory_group_available(root), 65000);
    put("sys/fs/cgroup/memory/memory.limit_in_bytes", "50000\n");
    assert_int_equal(memory_group_available(root), 25000);
}

/* A machine with both: memory is of one of them, or limited by both. */
static void groups_of_both_versions_count(void **state)
{
    (void)state;
    put("proc/self/cgroup", "4:memory:/a\n0::/b/c\n");
    put("proc/self/mountinfo", V2_MOUNT V1_MOUNT);
    put("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "80000\n");
    put("sys/fs/cgroup/memory/a/memory.usage_in_bytes", "30000\n");
    assert_int_equal(memory_group_available(root), 50000);
    put("sys/fs/cgroup/b/memory.max", "60000\n");
    put("sys/fs/cgroup/b/memory.current", "20000\n");
    assert_int_equal(memory_group_available(root), 40000);
    put("sys/fs/cgroup/memory/memory.limit_in_bytes", "70000\n");
    put("sys/fs/cgroup/memory/memory.usage_in_bytes", "65000\n");
    assert_int_equal(memory_group_available(root), 5000);
}

/* What one may have of data segments and private pages (ulimit -d) is a limit, too. */
static void the_limit_of_data_counts(void **state)
{
    (void)state;
    if (under_sanitizers())
        skip(); /* their own pages are private, too */
    const pid_t child = fork();
    if (!child) {
        const uint64_t before = memory_available();
        const struct rlimit limit = {.rlim_cur = 200 << 20, .rlim_max = 200 << 20};
        if (setrlimit(RLIMIT_DATA, &limit))
            _exit(1);
        const uint64_t after = memory_available();
        _exit(before > 200 << 20 && after <= 200 << 20 && after > 100 << 20 ? 0 : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void mounts_elsewhere_are_found(void **state)
{
    (void)state;
    /* a container that is shown its own group at the top, under a name with a space */
    put("proc/self/cgroup", "4:memory:/docker/12ab\n");
    put("proc/self/mountinfo", "35 31 0:32 /docker/12ab /mnt/the\\040groups ro - cgroup cgroup rw,memory\n");
    put("mnt/the groups/memory.limit_in_bytes", "70000\n");
    put("mnt/the groups/memory.usage_in_bytes", "30000\n");
    assert_int_equal(memory_group_available(root), 40000);
    put("proc/self/cgroup", "4:memory:/docker/12ab/inner\n");
    put("mnt/the groups/inner/memory.limit_in_bytes", "20000\n");
    put("mnt/the groups/inner/memory.usage_in_bytes", "5000\n");
    assert_int_equal(memory_group_available(root), 15000);
    put("proc/self/cgroup", "4:memory:/docker/12abc\n"); /* another group: what is shown stands for it */
    assert_int_equal(memory_group_available(root), 40000);
}

static void more_than_there_is_is_refused_in_words(void **state)
{
    (void)state;
    struct error e = {ERROR_NONE, ""};
    assert_int_equal(memory_demand(1.0, &e, "%s", "nothing"), 0);
    assert_int_equal(memory_demand(1e17, &e, "%s: %d channels", "x.wav", 2), -1);
    assert_int_equal(e.code, ERROR_MEMORY);
    assert_non_null(strstr(e.message, "x.wav: 2 channels need 100 PB of memory; only "));
    assert_int_equal(memory_demand(1e30, &e, "%s", "the bands"), -1);
}

int main(void)
{
#define ON_A_TREE(test) cmocka_unit_test_setup_teardown(test, fresh_tree, remove_tree)
    const struct CMUnitTest tests[] = {
        ON_A_TREE(nothing_known_is_no_limit),
        ON_A_TREE(nested_group_of_v2_counts),
        ON_A_TREE(every_group_around_counts),
        ON_A_TREE(nested_group_of_v1_counts),
        ON_A_TREE(groups_of_v1_that_are_not_shown_count),
        ON_A_TREE(groups_of_both_versions_count),
        cmocka_unit_test(the_limit_of_data_counts),
        ON_A_TREE(mounts_elsewhere_are_found),
        cmocka_unit_test(more_than_there_is_is_refused_in_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
