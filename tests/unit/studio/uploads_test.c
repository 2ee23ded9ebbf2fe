/* SPDX-License-Identifier: MIT */
/* Files of one drop lie together, under names alone, and within the limit of all. */
#include "studio/uploads.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

#include <cmocka.h>

#include "support/scratch.h"

static struct uploads uploads;
static struct error e;
static unsigned drop;

static int begin(void **state)
{
    (void)state;
    uploads = (struct uploads){.folder = scratch_folder, .most = 100};
    return pthread_mutex_init(&uploads.lock, NULL);
}

static int end(void **state)
{
    (void)state;
    return pthread_mutex_destroy(&uploads.lock);
}

/* Drops `length` bytes under a name; whether they are kept as the file `at` in the scratch folder. */
static bool kept(const char *name, size_t length, const char *at)
{
    const int from = anonymous_file(&e);
    assert_true(from >= 0 && write(from, "0123456789012345678901234567890123456789", length) == (ssize_t)length);
    lseek(from, 0, SEEK_SET);
    char *path = uploads_keep(&uploads, name, from, &drop, &e);
    close(from);
    const bool right = path && !strcmp(path, scratch_path(at)) && !access(path, R_OK);
    if (path)
        unlink(path);
    free(path);
    return right;
}

static void files_of_one_drop_lie_in_one_folder(void **state)
{
    (void)state;
    assert_true(kept("hall.gltf", 10, "upload-1/hall.gltf") && drop == 1);
    assert_true(kept("hall.gltf", 10, "upload-2/hall.gltf") && drop == 2);
    assert_true(kept("1/hall.bin", 10, "upload-1/hall.bin") && drop == 1);
    rmdir(scratch_path("upload-1"));
    rmdir(scratch_path("upload-2"));
}

static void names_lead_nowhere_else(void **state)
{
    static const char *const wrong[] = {"",        ".",    "..",         "../a.obj", "/a.obj",          "1/a.obj",
                                        "0/a.obj", "1/..", "1/../a.obj", "x/a.obj",  "9999999999/a.obj"};
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (kept(wrong[i], 1, "") || uploads.drops)
            fail_msg("%s was kept", wrong[i]);
}

static void all_together_have_a_limit(void **state)
{
    (void)state;
    assert_true(kept("a.obj", 40, "upload-1/a.obj") && kept("1/b.obj", 40, "upload-1/b.obj"));
    assert_false(kept("1/c.obj", 21, "upload-1/c.obj"));
    assert_non_null(strstr(e.message, "c.obj: the files dropped on this page would exceed"));
    assert_true(kept("1/c.obj", 20, "upload-1/c.obj"));
    assert_false(kept("d.obj", 1, "upload-2/d.obj"));
    rmdir(scratch_path("upload-1"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(files_of_one_drop_lie_in_one_folder, begin, end),
        cmocka_unit_test_setup_teardown(names_lead_nowhere_else, begin, end),
        cmocka_unit_test_setup_teardown(all_together_have_a_limit, begin, end),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
