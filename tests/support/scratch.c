/* SPDX-License-Identifier: MIT */
/* before cmocka, which defines a macro `fail` */
#include "support/scratch.h"
#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

char scratch_folder[] = "/tmp/aula-test-XXXXXX";

const char *scratch_path(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", scratch_folder, name);
    return path;
}

static int run_on_folder(const char *format)
{
    char *command = text_format(format, scratch_folder);
    assert_non_null(command);
    const int status = system(command);
    free(command);
    return status;
}

int scratch_make(void **state)
{
    (void)state;
    return mkdtemp(scratch_folder) ? 0 : -1;
}

int scratch_remove(void **state)
{
    (void)state;
    return run_on_folder("rm -rf '%s'");
}

int scratch_empty(void **state)
{
    (void)state;
    return run_on_folder("find '%s' -mindepth 1 -delete");
}

void assert_scratch_empty(void)
{
    assert_int_equal(run_on_folder("test -z \"$(ls -A '%s')\""), 0);
}

void scratch_write(const char *path, const void *bytes, size_t count)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, count, f), count);
    assert_int_equal(fclose(f), 0);
}

size_t scratch_read(const char *path, char **bytes)
{
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    *bytes = calloc((size_t)status.st_size + 1, 1);
    assert_non_null(*bytes);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fread(*bytes, 1, (size_t)status.st_size, f), status.st_size);
    fclose(f);
    return (size_t)status.st_size;
}

char *temporary_file(const char *text)
{
    char path[] = "/tmp/aula-test-XXXXXX";
    FILE *f = fdopen(mkstemp(path), "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
    return strdup(path);
}

bool contains(const char *bytes, size_t count, const char *text)
{
    return memmem(bytes, count, text, strlen(text)) != NULL;
}

void must(int status, const struct error *e)
{
    if (status) {
        print_error("%s\n", e->message);
        fail();
    }
}
