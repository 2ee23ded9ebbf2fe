/* SPDX-License-Identifier: MIT */
/* SOFA files: what is written is read again, in a child process that may do anything. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/sofa/library.h"
#include "io/sofa/write.h"
#include "support/random_cases.h"
#include "support/scratch.h"

#include <cmocka.h> /* last: its macro fail() would break the declaration in base/error.h */

#include "support/within.h"

static void need_library(void)
{
    if (sofa_library.unavailable()) {
        print_message("skipped: %s\n", sofa_library.unavailable());
        skip();
    }
}

static int fill(struct sofa_document *d, struct error *e)
{
    struct sofa_variable *v;
    const size_t positions[] = {5, 3}, responses[] = {5, 2, 40};
    if (sofa_add_attribute(&d->attributes, "Conventions", "SOFA", e) ||
        sofa_add_attribute(&d->attributes, "Comment", "", e) ||
        sofa_add_variable(d, &v, "SourcePosition", "MC", positions, e) ||
        sofa_add_attribute(&v->attributes, "Units", "metre", e))
        return -1;
    for (int i = 0; i < 15; i++)
        v->values[i] = 0.1 * i;
    if (sofa_add_variable(d, &v, "Data.IR", "MRN", responses, e))
        return -1;
    for (int i = 0; i < 400; i++)
        v->values[i] = sin(i);
    return 0;
}

static void what_is_written_is_read_and_has_the_same_bytes_each_time(void **state)
{
    (void)state;
    need_library();
    struct error e;
    struct sofa_document d = {0}, back;
    char *bytes[2];
    size_t count[2];
    must(fill(&d, &e), &e);
    for (int i = 0; i < 2; i++) {
        must(sofa_write(scratch_path("a.sofa"), &d, false, &e), &e);
        count[i] = scratch_read(scratch_path("a.sofa"), &bytes[i]);
    }
    assert_int_equal(count[0], count[1]);
    assert_memory_equal(bytes[0], bytes[1], count[0]);
    assert_int_equal(sofa_write(scratch_path("a.sofa"), &d, true, &e), -1);
    must(sofa_read(&back, scratch_path("a.sofa"), &e), &e);
    assert_string_equal(sofa_text(&back.attributes, "Conventions"), "SOFA");
    assert_string_equal(sofa_text(&back.attributes, "Comment"), "");
    const struct sofa_variable *v = sofa_variable(&back, "Data.IR"), *places = sofa_variable(&back, "SourcePosition");
    assert_non_null(v);
    assert_string_equal(v->letters, "MRN");
    assert_int_equal(v->extent[2], 40);
    assert_memory_equal(v->values, sofa_variable(&d, "Data.IR")->values, 400 * sizeof(double));
    assert_string_equal(sofa_text(&places->attributes, "Units"), "metre");
    sofa_document_free(&back);
    sofa_document_free(&d);
    free(bytes[0]);
    free(bytes[1]);
}

static void damaged_files_are_refused_or_read_and_leave_no_process(void **state)
{
    (void)state;
    need_library();
    struct error e;
    struct sofa_document d = {0};
    struct random r = random_cases("damaged SOFA files");
    char *bytes;
    int refused = 0;
    const struct child_limits limits = {.bytes = 1e9, .cpu_seconds = 5, .wall_seconds = 20.0};
    must(fill(&d, &e), &e);
    must(sofa_write(scratch_path("a.sofa"), &d, false, &e), &e);
    sofa_document_free(&d);
    const size_t count = scratch_read(scratch_path("a.sofa"), &bytes);
    for (int i = 0; i < case_count(200); i++) {
        char *mutated = malloc(count);
        assert_non_null(mutated);
        memcpy(mutated, bytes, count);
        const int changes = 1 + (int)random_uniform(&r, 0.0, 30.0);
        for (int k = 0; k < changes; k++)
            mutated[(size_t)random_uniform(&r, 0.0, (double)count)] = (char)random_uniform(&r, 0.0, 256.0);
        scratch_write(scratch_path("b.sofa"), mutated, i % 4 ? count : (size_t)random_uniform(&r, 0.0, (double)count));
        free(mutated);
        if (sofa_read_by(&d, scratch_path("b.sofa"), &sofa_library, &limits, &e)) {
            refused++;
            assert_non_null(strstr(e.message, "b.sofa: "));
            assert_int_equal(e.code, ERROR_INPUT);
        } else
            sofa_document_free(&d);
        assert_true(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
    }
    print_message("%d of %d refused\n", refused, case_count(200));
    assert_true(refused > 0);
    free(bytes);
}

static const char *no_reason(void)
{
    return NULL;
}

static int read_crash(struct sofa_document *d, const char *path, struct error *e)
{
    (void)d, (void)path, (void)e;
    signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
    return 0;
}

static int read_forged(struct sofa_document *d, const char *path, struct error *e)
{
    const uint64_t forged[] = {0x736f6661766f7831u, 0, UINT64_MAX, UINT64_MAX};
    (void)d, (void)path, (void)e;
    _exit(write(3, forged, sizeof forged) < 0);
}

static int read_huge(struct sofa_document *d, const char *path, struct error *e)
{
    const uint64_t forged[] = {0x736f6661766f7831u, 0, 0,  1, 0, 3, (uint64_t)1 << 40, (uint64_t)1 << 40, 2, 0,
                               0x4e524d /* MRN */,  1, 'x'};
    (void)d, (void)path, (void)e;
    _exit(write(3, forged, sizeof forged) < 0);
}

static void a_library_that_crashes_or_lies_is_one_error(void **state)
{
    (void)state;
    static const struct {
        int (*read)(struct sofa_document *, const char *, struct error *);
        const char *says;
    } cases[] = {{read_crash, "crashed"}, {read_forged, "sizes"}, {read_huge, "2 GB"}};
    const struct child_limits limits = {.bytes = 1e9, .cpu_seconds = 5, .wall_seconds = 20.0};
    scratch_write(scratch_path("c.sofa"), "x", 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct sofa_library library = {.name = "test", .unavailable = no_reason, .read = cases[i].read};
        struct sofa_document d;
        struct error e;
        assert_int_equal(sofa_read_by(&d, scratch_path("c.sofa"), &library, &limits, &e), -1);
        assert_non_null(strstr(e.message, cases[i].says));
        assert_int_equal(e.code, ERROR_INPUT);
        assert_true(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
    }
}

static int write_crash(void **bytes, size_t *count, const struct sofa_document *d, struct error *e)
{
    (void)bytes, (void)count;
    return read_crash(NULL, NULL, e) + (d == NULL);
}

static int write_refusal(void **bytes, size_t *count, const struct sofa_document *d, struct error *e)
{
    (void)bytes, (void)count, (void)d;
    *e = (struct error){ERROR_MEMORY, "no memory today"};
    return -1;
}

static int write_bytes(void **bytes, size_t *count, const struct sofa_document *d, struct error *e)
{
    (void)d, (void)e;
    *count = 1000000;
    *bytes = malloc(*count);
    memset(*bytes, 'x', *count);
    return 0;
}

static void a_library_that_crashes_while_it_writes_is_one_error(void **state)
{
    (void)state;
    static const struct {
        int (*write)(void **, size_t *, const struct sofa_document *, struct error *);
        const char *says; /* NULL: it works */
        enum error_code code;
    } cases[] = {{write_crash, "test failed, perhaps", ERROR_OUTPUT},
                 {write_refusal, "w.sofa: no memory today", ERROR_MEMORY},
                 {write_bytes, NULL, ERROR_NONE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct sofa_library library = {.name = "test", .unavailable = no_reason, .write = cases[i].write};
        const struct sofa_document d = {0};
        struct output_file f;
        struct stat status;
        struct error e = {0};
        must(output_file_open(&f, scratch_path("w.sofa"), &e), &e);
        assert_int_equal(sofa_write_by(&f, &d, &library, &e), cases[i].says ? -1 : 0);
        assert_int_equal(e.code, cases[i].code);
        assert_true(!cases[i].says || strstr(e.message, cases[i].says));
        assert_true(cases[i].says || (!fstat(f.descriptor, &status) && status.st_size == 1000000));
        output_file_discard(&f);
        assert_true(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
    }
}

static void what_is_no_sofa_file_is_named(void **state)
{
    (void)state;
    need_library();
    struct sofa_document d;
    struct error e;
    scratch_write(scratch_path("d.sofa"), "room: {};\n", 10);
    assert_int_equal(sofa_read(&d, scratch_path("d.sofa"), &e), -1);
    assert_non_null(strstr(e.message, "not a SOFA file"));
    assert_int_equal(sofa_read(&d, scratch_path("none.sofa"), &e), -1);
    assert_non_null(strstr(e.message, "none.sofa: cannot open"));
    assert_int_equal(sofa_read(&d, "/dev/zero", &e), -1);
    assert_non_null(strstr(e.message, "not a regular file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(what_is_written_is_read_and_has_the_same_bytes_each_time, scratch_empty),
        cmocka_unit_test_teardown(damaged_files_are_refused_or_read_and_leave_no_process, scratch_empty),
        cmocka_unit_test_teardown(a_library_that_crashes_or_lies_is_one_error, scratch_empty),
        cmocka_unit_test_teardown(a_library_that_crashes_while_it_writes_is_one_error, scratch_empty),
        cmocka_unit_test_teardown(what_is_no_sofa_file_is_named, scratch_empty),
    };
    return cmocka_run_group_tests_name("sofa", tests, scratch_make, scratch_remove);
}
