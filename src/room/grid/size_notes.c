/* SPDX-License-Identifier: MIT */
#include "room/grid/size_notes.h"

#include <math.h>
#include <stdio.h>

#include "base/file.h"
#include "base/text.h"
#include "geometry/mesh_read.h"

static const double LARGE = 100.0, WIDE = 1.0; /* m: of a room, of a cell */
static const double SMALL = 2.0;               /* m: no other unit is offered that makes the room smaller */

static double largest(const double size[3])
{
    return fmax(size[0], fmax(size[1], size[2]));
}

/* "? In cm it would be 5 x 4 x 2.6 m, in .."; for models "? With unit = "cm" it would be .."; "?" where none fits. */
static void other_units(char *text, size_t size, const double extent[3], bool mesh)
{
    size_t used = (size_t)snprintf(text, size, "?");
    for (int u = MESH_UNIT_M + 1; u < MESH_UNIT_COUNT && used < size; u++) {
        const double scale = mesh_unit_metres[u];
        if (scale * largest(extent) > LARGE || scale * largest(extent) < SMALL)
            continue;
        used += (size_t)snprintf(
            text + used, size - used, "%s%s%s%s it would be %.4g x %.4g x %.4g m", used == 1 ? " " : ", ",
            mesh        ? used == 1 ? "With unit = \"" : "with unit = \""
            : used == 1 ? "In "
                        : "in ",
            mesh_unit_names[u], mesh ? "\"" : "", scale * extent[0], scale * extent[1], scale * extent[2]);
    }
}

static int note_large(struct model *m, struct error *e)
{
    const struct room *room = m->room;
    const bool mesh = room_form(room) == ROOM_MESH;
    char units[256];
    if (room->sized_by_points || (mesh && room->geometry.unit > MESH_UNIT_M) || !(largest(room->size) > LARGE))
        return 0;
    other_units(units, sizeof units, room->size, mesh);
    return lines_add(&m->notes, &m->note_count, e, "the room measures %.4g x %.4g x %.4g m: are these metres%s",
                     room->size[0], room->size[1], room->size[2], units);
}

static int note_wide_cells(struct model *m, struct error *e)
{
    const struct grid *g = &m->grid;
    if (m->room->sized_by_points || !(g->spacing > WIDE))
        return 0;
    return lines_add(
        &m->notes, &m->note_count, e,
        "cells of the grid are %.3g m wide: are grid.max_frequency and grid.rate in Hz? It is valid to %.3g "
        "Hz",
        g->spacing, g->valid_frequency);
}

/* A room's height is mostly its least extent. */
static int note_axis(struct model *m, struct error *e)
{
    const struct room *room = m->room;
    const double *size = room->size;
    if (room_form(room) != ROOM_MESH || room->geometry.up != MESH_UP_FILE || !room->geometry.file ||
        !mesh_format_is_bare(room->geometry.file) || !(size[1] >= SMALL && size[1] < 0.75 * fmin(size[0], size[2])))
        return 0;
    return lines_add(&m->notes, &m->note_count, e,
                     "%s is lowest along y, %.3g x %.3g x %.3g m: if y is up in it, give up = \"y\"; up = \"z\" says "
                     "that it is not",
                     path_name(room->geometry.file), size[0], size[1], size[2]);
}

int size_notes(struct model *m, struct error *e)
{
    return note_large(m, e) || note_wide_cells(m, e) || note_axis(m, e) ? -1 : 0;
}
