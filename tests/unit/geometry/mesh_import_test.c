/* SPDX-License-Identifier: MIT */
/* Meshes of other formats: read in a child process, which may do anything; real files through assimp. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "geometry/importer.h"
#include "geometry/mesh_import.h"
#include "geometry/mesh_read.h"
#include "support/box_files.h"
#include "support/scratch.h"

#include <cmocka.h> /* last: its macro fail() would break the declaration in base/error.h */

#include "support/within.h"

static const char *no_reason(void)
{
    return NULL;
}

static int import_triangle(struct mesh_builder *b, const char *path, bool file_axes, struct error *e)
{
    const double at[3][3] = {{0, 0, 0}, {2, 0, 0}, {0, 3, 0}};
    struct triangle t = {.vertex = {0, 1, 2}};
    (void)file_axes;
    for (int i = 0; i < 3; i++)
        if (mesh_add_vertex(b, path, at[i], e))
            return -1;
    return mesh_add_material(b, path, "Wall", &t.material, e) || mesh_add_triangle(b, path, &t, e) ? -1 : 0;
}

static int import_crash(struct mesh_builder *b, const char *path, bool file_axes, struct error *e)
{
    (void)b, (void)path, (void)file_axes, (void)e;
    signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
    return 0;
}

static int import_spin(struct mesh_builder *b, const char *path, bool file_axes, struct error *e)
{
    (void)b, (void)path, (void)file_axes, (void)e;
    for (volatile unsigned long n = 0;; n++)
        ;
    return 0;
}

static int import_sleep(struct mesh_builder *b, const char *path, bool file_axes, struct error *e)
{
    (void)b, (void)path, (void)file_axes, (void)e;
    for (;;)
        pause();
    return 0;
}

/* Maps memory until it is refused; touches none of it. */
static int import_memory(struct mesh_builder *b, const char *path, bool file_axes, struct error *e)
{
    (void)b, (void)file_axes;
    for (size_t i = 0; i < 64; i++)
        if (mmap(NULL, (size_t)100 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED)
            return (fail)(e, ERROR_INPUT, "%s: refused after %zu", path, i);
    return (fail)(e, ERROR_INPUT, "%s: never refused", path);
}

/* Reports the descriptors that it has, and whether it can write a file. */
static int import_look(struct mesh_builder *b, const char *path, bool file_axes, struct error *e)
{
    (void)b, (void)file_axes;
    int open_count = 0;
    for (int fd = 4; fd < 1024; fd++)
        open_count += fcntl(fd, F_GETFD) != -1;
    return (fail)(e, ERROR_INPUT, "%s: %d descriptors more", path, open_count);
}

/* Bytes straight into the pipe, in place of a mesh. */
static uint64_t forged[64];
static size_t forged_bytes;

static int import_forged(struct mesh_builder *b, const char *path, bool file_axes, struct error *e)
{
    (void)b, (void)path, (void)file_axes, (void)e;
    _exit(write(3, forged, forged_bytes) < 0);
}

typedef int import_function(struct mesh_builder *, const char *, bool, struct error *);

static int children_left(void)
{
    return waitpid(-1, NULL, WNOHANG) != -1 || errno != ECHILD;
}

static int descriptors(void)
{
    int count = 0;
    for (int fd = 0; fd < 1024; fd++)
        count += fcntl(fd, F_GETFD) != -1;
    return count;
}

static int import_with(import_function *function, struct child_limits limits, struct mesh *m, struct error *e)
{
    const struct mesh_importer importer = {"test", no_reason, NULL, function, false};
    const int before = descriptors();
    scratch_write(scratch_path("file.stl"), "x", 1);
    const int status = mesh_import(m, scratch_path("file.stl"), false, &importer, &limits, e);
    assert_int_equal(children_left(), 0);
    assert_int_equal(descriptors(), before);
    if (status)
        assert_non_null(strstr(e->message, "file.stl: "));
    return status;
}

static const struct child_limits usual = {.bytes = 1e9, .cpu_seconds = 10, .wall_seconds = 20.0};

static void a_mesh_comes_back(void **state)
{
    (void)state;
    struct mesh m;
    struct error e;
    must(import_with(import_triangle, usual, &m, &e), &e);
    assert_int_equal(m.triangle_count, 1);
    assert_int_equal(m.vertex_count, 3);
    assert_string_equal(m.materials[0], "Wall");
    assert_within(mesh_area(&m), 3.0, 1e-15);
    mesh_free(&m);
}

static void a_crash_is_one_error(void **state)
{
    (void)state;
    struct mesh m;
    struct error e;
    assert_int_equal(import_with(import_crash, usual, &m, &e), -1);
    assert_non_null(strstr(e.message, "crashed"));
    assert_int_equal(e.code, ERROR_INPUT);
}

static void processor_time_is_limited(void **state)
{
    (void)state;
    struct mesh m;
    struct error e;
    const double start = clock_seconds();
    assert_int_equal(
        import_with(import_spin, (struct child_limits){.bytes = 1e9, .cpu_seconds = 1, .wall_seconds = 60.0}, &m, &e),
        -1);
    assert_non_null(strstr(e.message, "1 s of processor time"));
    assert_true(clock_seconds() - start < 50.0);
}

/* A file of a few bytes gets seconds, whatever the most is. */
static void processor_time_is_limited_by_the_size_of_the_file(void **state)
{
    (void)state;
    struct error e = {ERROR_NONE, ""};
    struct mesh m;
    assert_int_equal(import_with(import_spin, import_limits, &m, &e), -1);
    assert_non_null(strstr(e.message, "more than 5 s of processor time"));
}

static void time_is_limited(void **state)
{
    (void)state;
    struct mesh m;
    struct error e;
    assert_int_equal(
        import_with(import_sleep, (struct child_limits){.bytes = 1e9, .cpu_seconds = 10, .wall_seconds = 0.3}, &m, &e),
        -1);
    assert_non_null(strstr(e.message, "longer than 0.3 s"));
}

static void memory_is_limited(void **state)
{
    (void)state;
    struct mesh m;
    struct error e;
    unsigned after = 0;
    assert_int_equal(import_with(import_memory,
                                 (struct child_limits){.bytes = 1e9, .cpu_seconds = 10, .wall_seconds = 20.0}, &m, &e),
                     -1);
    const char *said = strstr(e.message, "refused after ");
    assert_non_null(said);
    assert_int_equal(sscanf(said, "refused after %u", &after), 1);
    assert_in_range(after, 5, 9); /* of 105 MB each: 1 GB */
}

static void the_child_has_no_descriptors_of_the_parent(void **state)
{
    (void)state;
    struct mesh m;
    struct error e;
    const int other = open("/dev/null", O_RDONLY);
    assert_int_equal(import_with(import_look, usual, &m, &e), -1);
    assert_non_null(strstr(e.message, ": 0 descriptors more"));
    close(other);
}

/* header: magic, failure, materials, vertices, triangles */
static void forge(uint64_t failure, uint64_t materials, uint64_t vertices, uint64_t triangles)
{
    const uint64_t header[5] = {0x6d657368766f7831u, failure, materials, vertices, triangles};
    memset(forged, 0, sizeof forged);
    memcpy(forged, header, sizeof header);
    forged_bytes = sizeof header;
}

static void add_forged(const void *bytes, size_t count)
{
    memcpy((char *)forged + forged_bytes, bytes, count);
    forged_bytes += count;
}

static void refused_as(const char *words)
{
    struct mesh m;
    struct error e;
    assert_int_equal(import_with(import_forged, usual, &m, &e), -1);
    if (!strstr(e.message, words))
        print_error("%s\n", e.message);
    assert_non_null(strstr(e.message, words));
    assert_int_equal(m.triangle_count, 0);
}

static void what_the_child_sends_is_checked(void **state)
{
    (void)state;
    const double vertices[3][3] = {{0}, {1}, {2}}, bad[3][3] = {{0, NAN, 0}};
    const uint32_t name[2] = {4, 0x41414141}, long_name[1] = {5000}, two[4] = {4, 0x41414141, 4, 0x41414141};
    const uint32_t triangle[5] = {0, 1, 3, 0, 0}, material[5] = {0, 1, 2, 1, 0};
    forge(0, 1, 3, 1), forged[0]++, refused_as("sizes are wrong");
    forge(0, 1, UINT64_MAX / 24, 1), refused_as("sizes are wrong");
    forge(0, 1, 3, (uint64_t)1 << 40), refused_as("sizes are wrong");
    forge(0, 1 << 30, 3, 1), refused_as("sizes are wrong");
    forge(5000, 0, 0, 0), refused_as("sizes are wrong");
    forge(0, 1, 3, 1), add_forged(long_name, 4), refused_as("a name is too long");
    forge(0, 2, 3, 1), add_forged(two, 16), refused_as("a name occurs twice");
    forge(0, 1, 3, 1), add_forged(name, 8), add_forged(bad, 72), refused_as("a coordinate is not a number");
    forge(0, 1, 3, 1), add_forged(name, 8), add_forged(vertices, 72), add_forged(triangle, 20);
    refused_as("a missing vertex or material");
    forge(0, 1, 3, 1), add_forged(name, 8), add_forged(vertices, 72), add_forged(material, 20);
    refused_as("a missing vertex or material");
    forge(0, 1, 3, 2), add_forged(name, 8), add_forged(vertices, 72), refused_as("crashed");
    forged_bytes = 0, refused_as("crashed");
}

static void a_message_of_the_child_is_one_line(void **state)
{
    (void)state;
    struct mesh m;
    struct error e;
    const char message[] = "file.stl: a\nb\033[2J";
    forge(sizeof message - 1, 0, 0, 0), add_forged(message, sizeof message - 1);
    assert_int_equal(import_with(import_forged, usual, &m, &e), -1);
    assert_string_equal(e.message, "file.stl: a b [2J");
}

/* --- assimp --- */

static void need_assimp(void)
{
    const char *reason = mesh_importer.unavailable();
    if (reason) {
        print_message("not tested: %s\n", reason);
        skip();
    }
}

static int read_box(const char *format, const char *name, struct mesh_options o, struct mesh *m, struct error *e)
{
    size_t length;
    char *text = box_text(format, &length);
    assert_non_null(text);
    scratch_write(scratch_path(name), text, length);
    free(text);
    return mesh_read(m, scratch_path(name), &o, e);
}

static void assert_box(const struct mesh *m)
{
    double least[3], greatest[3];
    const double size[3] = {5.0, 4.0, 3.0};
    mesh_bounds(m, least, greatest);
    for (int k = 0; k < 3; k++) {
        assert_within(least[k], 0.0, 1e-5);
        assert_within(greatest[k], size[k], 1e-5);
    }
    assert_within(mesh_volume(m), 60.0, 1e-4);
    assert_within(mesh_area(m), 94.0, 1e-4);
}

static void every_format_gives_the_same_box(void **state)
{
    (void)state;
    static const char *const files[][3] = {
        {".obj", "box.obj", "named"}, {".stl", "box.stl", "named"}, {".stl-binary", "box.STL", ""},
        {".ply", "box.ply", ""},      {".dae", "box.dae", "named"}, {".gltf", "box.gltf", "named"},
        {".glb", "box.glb", "named"}, {".ifc", "box.ifc", ""},
    };
    need_assimp();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct mesh m;
        struct error e;
        const bool unit = i < 4;
        print_message("%s\n", files[i][1]);
        must(read_box(files[i][0], files[i][1], (struct mesh_options){unit ? MESH_UNIT_M : MESH_UNIT_FILE, 0, false},
                      &m, &e),
             &e);
        assert_box(&m);
        for (size_t k = 0; k < m.material_count; k++)
            print_message("  \"%s\"\n", m.materials[k]);
        if (*files[i][2]) {
            assert_within(mesh_area_of(&m, "Floor"), 20.0, 1e-4);
            assert_within(mesh_area_of(&m, "Ceiling"), 20.0, 1e-4);
            assert_within(mesh_area_of(&m, "Walls"), 54.0, 1e-4);
        }
        mesh_free(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mesh_comes_back),
        cmocka_unit_test(a_crash_is_one_error),
        cmocka_unit_test(processor_time_is_limited),
        cmocka_unit_test(processor_time_is_limited_by_the_size_of_the_file),
        cmocka_unit_test(time_is_limited),
        cmocka_unit_test(memory_is_limited),
        cmocka_unit_test(the_child_has_no_descriptors_of_the_parent),
        cmocka_unit_test(what_the_child_sends_is_checked),
        cmocka_unit_test(a_message_of_the_child_is_one_line),
        cmocka_unit_test(every_format_gives_the_same_box),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
