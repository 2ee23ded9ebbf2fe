/* SPDX-License-Identifier: MIT */
#include "geometry/mesh_read.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/file.h"
#include "base/input_file.h"
#include "base/text.h"
#include "geometry/mesh.h"
#include "geometry/mesh_import.h"
#include "geometry/obj_read.h"

/* The header of a PLY file (Turk 1994), checked before a library reads the file. */

enum { LINE_MAX_BYTES = 4096, LINES_MAX = 10000, WORDS_MAX = 6 };

struct header {
    FILE *file;
    const char *path;
    int line; /* of the last one read, from 1 */
    char text[LINE_MAX_BYTES];
    char *words[WORDS_MAX]; /* of the line */
    int count;
    bool is_text, has_format, has_element;
    uint64_t elements, least; /* of the last element: how many, and the least bytes of each */
    uint64_t needed;          /* bytes of all elements before it */
};

static int damaged(const struct header *h, const char *what, struct error *e)
{
    char shown[QUOTED];
    return fail(e, ERROR_INPUT, "%s:%d: %s%s%s; the file is damaged or not a PLY file: export it again, or as OBJ",
                h->path, h->line, what, h->count ? ": " : "", h->count ? quoted(shown, h->words[0]) : "");
}

/* A line ends with LF, CR LF, or CR. */
static int read_line(struct header *h, struct error *e)
{
    int length = 0, c;
    h->count = 0;
    if (++h->line > LINES_MAX)
        return damaged(h, "the header has no end", e);
    while ((c = getc(h->file)) != EOF && c != '\n' && c != '\r' && length < LINE_MAX_BYTES - 1)
        h->text[length++] = c ? (char)c : ' ';
    h->text[length] = '\0';
    if (c != '\n' && c != '\r')
        return damaged(h, c == EOF ? "the file ends within its header" : "a line of the header is too long", e);
    if (c == '\r' && (c = getc(h->file)) != '\n' && c != EOF)
        ungetc(c, h->file);
    char *rest = NULL, *word = strtok_r(h->text, " \t", &rest);
    for (; word && h->count < WORDS_MAX; word = strtok_r(NULL, " \t", &rest))
        h->words[h->count++] = word;
    return 0;
}

/* Bytes of a binary number; 0: no type of PLY. */
static uint64_t size_of(const char *type)
{
    static const struct {
        const char *name;
        uint64_t bytes;
    } types[] = {{"char", 1},   {"int8", 1},    {"uchar", 1},  {"uint8", 1},  {"short", 2}, {"int16", 2},
                 {"ushort", 2}, {"uint16", 2},  {"int", 4},    {"int32", 4},  {"uint", 4},  {"uint32", 4},
                 {"float", 4},  {"float32", 4}, {"double", 8}, {"float64", 8}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (!strcmp(type, types[i].name))
            return types[i].bytes;
    return 0;
}

static int take_format(struct header *h, struct error *e)
{
    h->is_text = h->count > 1 && !strcmp(h->words[1], "ascii");
    h->has_format =
        h->is_text ||
        (h->count > 1 && (!strcmp(h->words[1], "binary_little_endian") || !strcmp(h->words[1], "binary_big_endian")));
    return h->has_format ? 0 : damaged(h, "the format is not a PLY format", e);
}

/* Adds the bytes of the previous element to those needed. Returns false if no file can hold them. */
static bool close_element(struct header *h)
{
    uint64_t bytes;
    return (h->least || !h->elements) && !__builtin_mul_overflow(h->elements, h->least, &bytes) &&
           !__builtin_add_overflow(h->needed, bytes, &h->needed);
}

static int take_element(struct header *h, struct error *e)
{
    char *end = h->count == 3 ? h->words[2] : NULL;
    if (!close_element(h))
        return damaged(h, "it counts more elements than a file can hold", e);
    h->elements = end && *end >= '0' && *end <= '9' ? strtoull(h->words[2], &end, 10) : 0;
    h->least = 0;
    h->has_element = true;
    return end && !*end && end != h->words[2] ? 0 : damaged(h, "an element needs a name and a count", e);
}

/* "property TYPE NAME" or "property list TYPE TYPE NAME". Counts the fewest bytes: of a list only
 * its length, of a number in text one digit and a separator. */
static int take_property(struct header *h, struct error *e)
{
    const bool is_list = h->count > 1 && !strcmp(h->words[1], "list");
    const uint64_t bytes = h->count < 2 ? 0 : size_of(h->words[is_list && h->count > 2 ? 2 : 1]);
    if (!h->has_element || !bytes || h->count < (is_list ? 5 : 3) || (is_list && !size_of(h->words[3])))
        return damaged(h, "a property needs a type, a name and an element", e);
    h->least += h->is_text ? 2 : bytes;
    return 0;
}

/* *ended: the header is over. */
static int take_line(struct header *h, bool *ended, struct error *e)
{
    const char *word = h->count ? h->words[0] : "comment";
    *ended = !strcmp(word, "end_header");
    if (*ended || !strcmp(word, "comment") || !strcmp(word, "obj_info"))
        return 0;
    if (!strcmp(word, "format"))
        return take_format(h, e);
    if (!strcmp(word, "element"))
        return take_element(h, e);
    return !strcmp(word, "property") ? take_property(h, e) : damaged(h, "this is not a header line", e);
}

static int check(struct header *h, struct error *e)
{
    struct stat status;
    bool ended = false;
    if (read_line(h, e))
        return -1;
    if (h->count != 1 || strcmp(h->words[0], "ply") != 0)
        return damaged(h, "the file does not begin with ply", e);
    while (!ended)
        if (read_line(h, e) || take_line(h, &ended, e))
            return -1;
    h->count = 0;
    if (!h->has_format || !h->has_element)
        return damaged(h, "the header has no format or no element", e);
    const long at = ftell(h->file);
    if (at < 0 || fstat(fileno(h->file), &status))
        return fail(e, ERROR_INPUT, "%s: cannot be read", h->path);
    const uint64_t left = (uint64_t)(status.st_size - at) + h->is_text; /* the last line may have no end */
    if (!close_element(h))
        return damaged(h, "it counts more elements than a file can hold", e);
    if (h->needed <= left)
        return 0;
    return fail(e, ERROR_INPUT,
                "%s: its header counts elements of at least %" PRIu64 " bytes, and %" PRIu64
                " follow: it is damaged or cut off: export it again, or as OBJ",
                h->path, h->needed, left);
}

static int ply_header_check(const char *path, struct error *e)
{
    struct header h = {.path = path, .file = input_file_stream(path, e)};
    if (!h.file)
        return -1;
    const int status = check(&h, e);
    fclose(h.file);
    return status;
}

/* A number that tells whether a model is the one that it was. */

static uint64_t add(uint64_t sum, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ bytes[i]) * 0x100000001b3u;
    return sum;
}

static uint64_t mesh_checksum(const struct mesh *m)
{
    uint64_t sum = 0xcbf29ce484222325u;
    if (m->vertex_count)
        sum = add(sum, m->vertices, m->vertex_count * sizeof *m->vertices);
    for (size_t i = 0; i < m->triangle_count; i++) { /* without the line, which comments move */
        sum = add(sum, m->triangles[i].vertex, sizeof m->triangles[i].vertex);
        sum = add(sum, &m->triangles[i].material, sizeof m->triangles[i].material);
    }
    for (size_t i = 0; i < m->material_count; i++)
        sum = add(sum, m->materials[i], strlen(m->materials[i]) + 1);
    return sum;
}

/* Which IFC a file is: its header says it. */

enum { HEADER_MAX = 1 << 16 }; /* bytes, in which FILE_SCHEMA has to stand */

/* The header as one string: NUL bytes become spaces. Fresh memory. */
static char *header_of(const char *path, struct error *e)
{
    FILE *f = input_file_stream(path, e);
    if (!f)
        return NULL;
    char *text = calloc(1, HEADER_MAX + 1);
    const size_t length = text ? fread(text, 1, HEADER_MAX, f) : 0;
    fclose(f);
    if (!text)
        fail(e, ERROR_MEMORY, "%s: out of memory", path);
    for (size_t i = 0; i < length; i++)
        if (!text[i])
            text[i] = ' ';
    return text;
}

/* The first name in FILE_SCHEMA(('IFC2X3')), cut to fit. false: there is none. */
static bool schema_of(const char *header, char schema[QUOTED])
{
    const char *at = strcasestr(header, "FILE_SCHEMA");
    const char *quote = at ? strchr(at, '\'') : NULL;
    if (!quote)
        return false;
    size_t n = strcspn(quote + 1, "'");
    n = n < QUOTED - 1 ? n : QUOTED - 1;
    memcpy(schema, quote + 1, n);
    schema[n] = '\0';
    return true;
}

static int ifc_schema_check(const char *path, struct error *e)
{
    char schema[QUOTED], told[QUOTED];
    char *header = header_of(path, e);
    if (!header)
        return -1;
    const bool found = schema_of(header, schema);
    free(header);
    if (!found)
        return fail(e, ERROR_INPUT,
                    "%s: states no IFC version (FILE_SCHEMA) and is damaged or not an IFC file; export it again", path);
    if (strcasecmp(schema, "IFC2X3") != 0)
        return fail(e, ERROR_INPUT,
                    "%s: is %s, and only IFC2X3 is supported; convert it with tools/ifc2obj %s, which needs "
                    "IfcOpenShell (pip install ifcopenshell)",
                    path, quoted(told, schema), path);
    return 0;
}

struct format {
    const char *suffix;
    const struct mesh_importer *importer; /* NULL: obj_read */
    enum mesh_unit unit;                  /* MESH_UNIT_FILE: it carries none */
    bool unit_fixed;                      /* the importer scales to metres as the file says */
    enum mesh_up up;                      /* of the format's coordinates */
    enum mesh_up imported; /* of what comes from the importer, unless it is told to keep the file's axes */
    bool can_keep_axes;    /* the importer can be told so */
};

static const struct format formats[] = {
    {".obj", NULL, MESH_UNIT_FILE, false, MESH_UP_Z, MESH_UP_Z, false},
    {".stl", &mesh_importer, MESH_UNIT_FILE, false, MESH_UP_Z, MESH_UP_Z, false},
    {".ply", &mesh_importer, MESH_UNIT_FILE, false, MESH_UP_Z, MESH_UP_Z, false},
    {".gltf", &gltf_importer, MESH_UNIT_M, false, MESH_UP_Y, MESH_UP_Y, false},
    {".glb", &gltf_importer, MESH_UNIT_M, false, MESH_UP_Y, MESH_UP_Y, false},
    {".dae", &mesh_importer, MESH_UNIT_M, true, MESH_UP_FILE, MESH_UP_Y, true},
    {".ifc", &mesh_importer, MESH_UNIT_M, true, MESH_UP_Z, MESH_UP_Y, false},
};
enum { FORMATS = sizeof formats / sizeof *formats };

static const struct format *find_format(const char *path)
{
    const char *dot = strrchr(path_name(path), '.');
    for (size_t i = 0; dot && i < FORMATS; i++)
        if (!strcasecmp(dot, formats[i].suffix))
            return &formats[i];
    return NULL;
}

bool mesh_format_is_bare(const char *path)
{
    const struct format *f = find_format(path);
    return f && f->unit == MESH_UNIT_FILE;
}

static const struct format *format_of(const char *path, struct error *e)
{
    const char *name = path_name(path), *dot = strrchr(name, '.');
    char shown[QUOTED]; /* it may be any text */
    const struct format *f = find_format(path);
    if (f)
        return f;
    if (dot && !strcasecmp(dot, ".skp"))
        fail(e, ERROR_INPUT, "%s: SketchUp models are not supported; export it from SketchUp as OBJ or DAE",
             quoted(shown, name));
    else
        fail(e, ERROR_INPUT,
             "%s: is not a supported model format (.obj, .gltf, .glb, .stl, .ply, .dae, .ifc 2x3); export it as OBJ",
             quoted(shown, name));
    return NULL;
}

/* Settles the unit and vertical axis from the format and from the user's options. */
static int settle(struct mesh_options *o, const struct format *f, const char *path, struct error *e)
{
    if (f->unit_fixed && o->unit != MESH_UNIT_FILE && o->unit != MESH_UNIT_M)
        return fail(e, ERROR_INPUT, "%s: the file states its own unit; remove `unit`", path);
    if (f->unit_fixed || o->unit == MESH_UNIT_FILE)
        o->unit = f->unit;
    if (o->unit == MESH_UNIT_FILE)
        return fail(e, ERROR_INPUT,
                    "%s: the format states no unit; set `unit` to \"m\", \"cm\", \"mm\", \"inch\" or \"ft\"", path);
    if (f->up == MESH_UP_Z && f->imported == MESH_UP_Y && o->up == MESH_UP_Y)
        return fail(e, ERROR_INPUT, "%s: z is always up in this format; remove `up`", path);
    if (o->up == MESH_UP_FILE || f->up != f->imported)
        o->up = f->can_keep_axes && o->up != MESH_UP_FILE ? o->up : f->imported;
    return 0;
}

/* Refuses devices and pipes, which may block or never end. Files that stat cannot reach are refused
 * when they are opened. */
static int refuse_endless(const char *path, struct error *e)
{
    struct stat status;
    if (stat(path, &status) || S_ISREG(status.st_mode))
        return 0;
    return fail(e, ERROR_INPUT, "%s: is %s; use a regular file", path,
                S_ISDIR(status.st_mode) ? "a folder" : "a pipe or a device");
}

/* Refuses a mesh in single precision that lies so far from its origin that rounding distorts it. */
static int refuse_far(const struct mesh *m, const char *path, struct error *e)
{
    double least[3], greatest[3], away = 0.0, extent = 0.0;
    mesh_bounds(m, least, greatest);
    for (int k = 0; k < 3; k++) {
        away = fmax(away, fmax(-least[k], greatest[k]));
        extent = fmax(extent, greatest[k] - least[k]);
    }
    const double step = away * FLT_EPSILON;
    if (step <= 1e-3 * extent)
        return 0;
    return fail(e, ERROR_INPUT,
                "%s: lies %.4g km from its origin, where the format resolves only %.2g m; move it to the origin before "
                "exporting it, or export OBJ",
                path, 1e-3 * away, step);
}

int mesh_read(struct mesh *m, const char *path, const struct mesh_options *o, struct error *e)
{
    memset(m, 0, sizeof *m);
    struct mesh_options settled = *o;
    const struct format *f = format_of(path, e);
    if (!f || refuse_endless(path, e) || settle(&settled, f, path, e))
        return -1;
    if ((!strcmp(f->suffix, ".ifc") && ifc_schema_check(path, e)) ||
        (!strcmp(f->suffix, ".ply") && ply_header_check(path, e)))
        return -1;
    const bool file_axes = f->can_keep_axes && o->up != MESH_UP_FILE;
    if (f->importer ? mesh_import(m, path, file_axes, f->importer, &import_limits, e) : obj_read(m, path, e))
        return -1;
    m->checksum = mesh_checksum(m);
    if (mesh_prepare(m, path, &settled, e) || (f->importer && refuse_far(m, path, e))) {
        mesh_free(m);
        return -1;
    }
    return 0;
}
