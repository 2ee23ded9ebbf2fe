/* SPDX-License-Identifier: MIT */
/* A model in OBJ, what prepares it for a room, and its names against patterns: the lines of the second piece. */
#include "geometry/mesh_materials.h"
#include "geometry/mesh_read.h"

#include <stdlib.h>
#include <string.h>

#include "harness.h"

enum { PATTERNS = 16 };

static void match(const struct mesh *m, char *lines)
{
    const char *patterns[PATTERNS];
    char *rest = NULL;
    struct mesh_naming n = {.patterns = patterns, .library = patterns, .where = "room.cfg"};
    for (char *line = strtok_r(lines, "\n", &rest); line && n.pattern_count < PATTERNS;
         line = strtok_r(NULL, "\n", &rest))
        patterns[n.pattern_count++] = line;
    n.library_count = n.pattern_count;
    size_t *pattern_of = calloc(m->material_count + 1, sizeof *pattern_of);
    struct error e;
    mesh_match_materials(m, &n, pattern_of, NULL, &e);
    free(pattern_of);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct mesh_options options = {.unit = MESH_UNIT_M};
    const uint8_t *piece = data;
    size_t model_bytes = 0, pattern_bytes = 0;
    const uint8_t *model = harness_piece(&piece, &size, &model_bytes);
    const uint8_t *patterns = harness_piece(&piece, &size, &pattern_bytes);
    struct mesh m;
    struct error e;
    if (mesh_read(&m, harness_write("model.obj", model ? (const char *)model : "", model_bytes), &options, &e))
        return 0;
    if (patterns) {
        char *lines = harness_text(patterns, pattern_bytes);
        match(&m, lines);
        free(lines);
    }
    mesh_free(&m);
    return 0;
}
