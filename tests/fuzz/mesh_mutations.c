/* SPDX-License-Identifier: MIT */
/* Mutated meshes: each is read, or refused with one line that names it; never a crash, a leak or a long wait, and no
 * process stays behind.
 *
 *   mesh_mutations [SEED|random [OBJ_COUNT [OTHER_COUNT [FORMAT [FIRST]]]]]
 *
 * OBJ_COUNT files of OBJ and OTHER_COUNT of each format that assimp reads; of FORMAT alone, such as .ply, from case
 * FIRST on. A case depends on the seed, its format and its number alone. One that ends the program leaves its file in
 * the folder that was printed. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "fuzz/mutate.h"
#include "geometry/importer.h"
#include "geometry/mesh_import.h"
#include "geometry/mesh_read.h"
#include "support/box_files.h"

enum { OBJ_COUNT = 500, OTHER_COUNT = 10 };

/* Short: a file as small as these needs milliseconds. */
static const struct child_limits short_limits = {.bytes = 1e9, .cpu_seconds = 1, .wall_seconds = 20.0};
static const double slow = 2.0; /* s of processor time of this process */

static const char *const poison[] = {
    "nan",
    "inf",
    "-inf",
    "1e999",
    "-1e999",
    "-1",
    "0",
    "1e-320",
    "99999999999999",
    "1e308",
    "0x7fffffffffffffff",
    "-9223372036854775808",
    "1e13",
    "4294967296",
    "2147483648",
    "65536",
    "\n",
    "\r",
    "\\\n",
    "\\",
    "/",
    "//",
    "1/2/3",
    "-1//-1",
    "#",
    "\"",
    "'",
    "%s%n",
    "\xff\xfe",
    "\xEF\xBB\xBF",
    "\nf 1 2 3 4 5 6 7 8 9\n",
    "\nf -1 -2 -3\n",
    "\nv 1 2 3\n",
    "\nusemtl \n",
    "\ng a b c\n",
    "\nsurf 0 1 0 1\n",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    "</mesh>",
    "#22",
    "$",
    "*",
    "IFC4",
    "IFCFACE((#1,#2))",
    "list uchar int",
    "binary_little_endian",
    "4294967295",
    "18446744073709551615",
};
enum { POISON = sizeof poison / sizeof *poison };

/* Every kind of statement. */
static const char obj_seed[] =
    "# all of it\r\nmtllib a.mtl\no Room\nv 0 0 0\nv 4 0 0 1.0\nv 4 4 0 0.5 0.5 0.5\nv 2 1 0\nv 0 4 0\nvt 0 0\nvn 0 0 "
    "1\n"
    "g North wall\nf 1 2 3 4 5\nusemtl Brick #1\ns off\nf 1/1 2/1 3/1\nf 1//1 2//1 3//1\nf 1/1/1 2/1/1 \\\n 3/1/1\n"
    "f -5 -4 -3 -2 -1\nl 1 2\np 1\nusemtl\nv 1e-3 -2.5E+2 .5\nv 0 0 4\nf 1 5 7 6\n";

static const char *const formats[] = {".obj", ".stl", ".stl-binary", ".ply", ".dae", ".gltf", ".glb", ".ifc"};
enum { FORMATS = sizeof formats / sizeof *formats };

/* Whether the mesh is as its header promises. */
static const char *mesh_fault(const struct mesh *m)
{
    if (!m->triangle_count)
        return "it has no triangles";
    for (size_t i = 0; i < m->vertex_count; i++)
        for (int k = 0; k < 3; k++)
            if (!(m->vertices[i][k] >= -1e13 && m->vertices[i][k] <= 1e13))
                return "a coordinate is none";
    for (size_t t = 0; t < m->triangle_count; t++) {
        const uint32_t *v = m->triangles[t].vertex;
        if (v[0] >= m->vertex_count || v[1] >= m->vertex_count || v[2] >= m->vertex_count)
            return "a triangle has a corner that is not there";
        if (m->triangles[t].material >= m->material_count)
            return "a triangle has a material that is not there";
    }
    return NULL;
}

static int descriptors(void)
{
    int count = 0;
    for (int fd = 0; fd < 256; fd++)
        count += fcntl(fd, F_GETFD) != -1;
    return count;
}

/* What is wrong with how this file was taken, or NULL. */
static const char *look_at(const char *path, const struct mesh_importer *importer, bool *accepted, struct error *e)
{
    const bool own = !importer;
    const struct mesh_options options = {.unit = own ? MESH_UNIT_M : MESH_UNIT_FILE};
    struct mesh m;
    const int before = descriptors();
    const double start = processor_seconds();
    const int status =
        own ? mesh_read(&m, path, &options, e) : mesh_import(&m, path, false, importer, &short_limits, e);
    const char *wrong = status ? failure_fault(e) : mesh_fault(&m);
    *accepted = !status;
    if (status && !wrong && !strstr(e->message, path))
        wrong = "the message does not name the file";
    if (status && !wrong && (m.triangles || m.vertices || m.materials))
        wrong = "a refused mesh is not empty";
    mesh_free(&m);
    if (processor_seconds() - start > slow)
        wrong = "took too long";
    if (waitpid(-1, NULL, WNOHANG) != -1 || errno != ECHILD)
        wrong = "a process is left";
    if (descriptors() != before)
        wrong = "a descriptor is left";
    return wrong;
}

static bool write_case(const char *path, const struct text *t)
{
    FILE *f = fopen(path, "wb");
    return f && fwrite(t->bytes, 1, t->length, f) == t->length && !fclose(f);
}

struct tally {
    size_t accepted, refused, crashed, limited, bad;
    double slowest; /* s of wall time */
};

/* NULL: our own reader of OBJ. */
static const struct mesh_importer *importer_of(size_t format)
{
    const bool gltf = !strcmp(formats[format], ".gltf") || !strcmp(formats[format], ".glb");
    return format == 0 ? NULL : gltf ? &gltf_importer : &mesh_importer;
}

/* Most changes of length leave nothing to read in these. */
static bool is_binary(size_t format)
{
    return !strcmp(formats[format], ".stl-binary") || !strcmp(formats[format], ".glb");
}

/* Case n of a format. */
static void try_case(uint64_t seed, size_t format, size_t n, const char *folder, const struct mutation_material *m,
                     struct tally *tally)
{
    struct random r = {seed ^ ((uint64_t)n * FORMATS + format) * 0x9e3779b97f4a7c15u};
    const struct text *base = &m->texts[random_between(&r, 0, m->count - 1)];
    struct text t = {base->name, malloc(base->length + 1), base->length};
    /* .stl-binary is called .stl */
    char *path = text_format("%s/case-%zu%.*s", folder, n, (int)strcspn(formats[format], "-"), formats[format]);
    struct error e = {0};
    bool accepted = false;
    if (!path || !t.bytes)
        exit(2);
    memcpy(t.bytes, base->bytes, base->length + 1);
    const bool in_place = is_binary(format) && random_bits(&r) & 1;
    for (size_t k = random_bits(&r) & 1 ? 1 : random_between(&r, 2, 5); k > 0; k--)
        if (in_place)
            t.bytes[random_between(&r, 0, t.length - 1)] = (char)random_between(&r, 0, 255);
        else
            mutate(&r, &t, m);
    if (!write_case(path, &t)) {
        fprintf(stderr, "mesh_mutations: %s cannot be written\n", path);
        exit(2);
    }
    const double start = clock_seconds();
    const char *wrong = look_at(path, importer_of(format), &accepted, &e);
    const double seconds = clock_seconds() - start;
    tally->slowest = seconds > tally->slowest ? seconds : tally->slowest;
    tally->accepted += accepted;
    tally->refused += !accepted;
    tally->crashed += strstr(e.message, "crashed") != NULL;
    tally->limited += strstr(e.message, "took") != NULL;
    tally->bad += wrong != NULL;
    if (wrong)
        printf("FAIL  case %zu, %s, %.2f s: %s\n      %s\n", n, path, seconds, wrong, e.message);
    else
        unlink(path);
    free(path);
    free(t.bytes);
}

/* The texts of a format that are mutated. */
static size_t seeds_of(size_t format, struct text texts[2])
{
    texts[0].bytes = box_text(formats[format], &texts[0].length);
    texts[1] = (struct text){.bytes = text_copy(obj_seed), .length = sizeof obj_seed - 1};
    if (!texts[0].bytes || !texts[1].bytes)
        exit(2);
    return format == 0 ? 2 : 1;
}

static size_t try_format(uint64_t seed, size_t format, size_t first, size_t count, const char *folder)
{
    struct text texts[2] = {{0}};
    struct tally tally = {0};
    const struct mutation_material material = {texts, seeds_of(format, texts), poison, POISON};
    for (size_t n = first; n < first + count; n++)
        try_case(seed, format, n, folder, &material, &tally);
    printf("%-12s %zu accepted, %zu refused, of them %zu crashes and %zu at a limit of the process; %zu wrong; the "
           "slowest "
           "took %.3f s\n",
           formats[format], tally.accepted, tally.refused, tally.crashed, tally.limited, tally.bad, tally.slowest);
    fflush(stdout);
    free(texts[0].bytes);
    free(texts[1].bytes);
    return tally.bad;
}

int main(int count, char **words)
{
    char folder[] = "/tmp/aula-fuzz-XXXXXX";
    const bool fresh = count < 2 || !strcmp(words[1], "random");
    const uint64_t seed = fresh ? random_fresh_seed() : strtoull(words[1], NULL, 10);
    const size_t own = count > 2 ? strtoul(words[2], NULL, 10) : OBJ_COUNT;
    const size_t others = count > 3 ? strtoul(words[3], NULL, 10) : OTHER_COUNT;
    const size_t first = count > 5 ? strtoul(words[5], NULL, 10) : 0;
    const char *missing = mesh_importer.unavailable();
    size_t bad = 0;
    if (!mkdtemp(folder))
        return 2;
    printf("seed %llu; files in %s while they are tried\n", (unsigned long long)seed, folder);
    if (missing)
        printf("OBJ and glTF alone: %s\n", missing);
    fflush(stdout);
    for (size_t f = 0; f < FORMATS; f++) {
        const bool wanted = count < 5 || !strcmp(words[4], formats[f]);
        if (wanted && (importer_of(f) != &mesh_importer || !missing))
            bad += try_format(seed, f, first, f == 0 ? own : others, folder);
    }
    if (!bad)
        rmdir(folder);
    return bad ? 1 : 0;
}
