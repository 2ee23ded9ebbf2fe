/* SPDX-License-Identifier: MIT */
#include "geometry/ply_header.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/input_file.h"
#include "base/text.h"

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
    return fail(e, ERROR_INPUT, "%s:%d: %s%s%s: it is damaged, or not a PLY file: export it again, or as OBJ", h->path,
                h->line, what, h->count ? ": " : "", h->count ? quoted(shown, h->words[0]) : "");
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
        return damaged(h, c == EOF ? "the file ends within its header" : "the header has a line that is too long", e);
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
    return h->has_format ? 0 : damaged(h, "it has no format of PLY", e);
}

/* Adds the elements before to the bytes that are needed. false: no file has so many. */
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
        return damaged(h, "it counts more elements than a file can have", e);
    h->elements = end && *end >= '0' && *end <= '9' ? strtoull(h->words[2], &end, 10) : 0;
    h->least = 0;
    h->has_element = true;
    return end && !*end && end != h->words[2] ? 0 : damaged(h, "it has no name and count", e);
}

/* "property TYPE NAME", "property list TYPE TYPE NAME". Of a list, its length alone must be there; numbers of a text have a
 * digit and what ends them. */
static int take_property(struct header *h, struct error *e)
{
    const bool is_list = h->count > 1 && !strcmp(h->words[1], "list");
    const uint64_t bytes = h->count < 2 ? 0 : size_of(h->words[is_list && h->count > 2 ? 2 : 1]);
    if (!h->has_element || !bytes || h->count < (is_list ? 5 : 3) || (is_list && !size_of(h->words[3])))
        return damaged(h, "it has no type and name, or is of no element", e);
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
    return !strcmp(word, "property") ? take_property(h, e) : damaged(h, "it is no line of a header", e);
}

static int check(struct header *h, struct error *e)
{
    struct stat status;
    bool ended = false;
    if (read_line(h, e))
        return -1;
    if (h->count != 1 || strcmp(h->words[0], "ply") != 0)
        return damaged(h, "the file does not begin with `ply`", e);
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
        return damaged(h, "it counts more elements than a file can have", e);
    if (h->needed <= left)
        return 0;
    return fail(e, ERROR_INPUT,
                "%s: its header counts elements of at least %" PRIu64 " bytes, and %" PRIu64
                " follow: it is damaged or cut off: export it again, or as OBJ",
                h->path, h->needed, left);
}

int ply_header_check(const char *path, struct error *e)
{
    struct header h = {.path = path, .file = input_file_stream(path, e)};
    if (!h.file)
        return -1;
    const int status = check(&h, e);
    fclose(h.file);
    return status;
}
