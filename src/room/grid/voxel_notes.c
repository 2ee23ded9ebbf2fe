/* SPDX-License-Identifier: MIT */
#include "room/grid/voxel_notes.h"

#include <math.h>
#include <stdio.h>

#include "base/file.h"
#include "base/text.h"
#include "geometry/mesh_read.h"

static const double ROUNDED = 0.01;  /* of the volume: less is not reported */
static const double COVERED = 0.005; /* m²: less is rounding */

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static int note_closed(struct model *m, struct error *e)
{
    const uint64_t closed = m->voxels.report.closed_voxels;
    if (!closed)
        return 0;
    return lines_add(&m->notes, &m->note_count, e,
                     "%llu cell%s of air that touched others only along an edge or at a corner %s made solid (%.3g m3)",
                     (unsigned long long)closed, plural(closed), closed == 1 ? "is" : "are",
                     (double)closed * pow(m->grid.spacing, 3.0));
}

static int note_sheets(struct model *m, struct error *e)
{
    const struct voxel_report *r = &m->voxels.report;
    if (!r->sheet_voxels)
        return 0;
    return lines_add(
        &m->notes, &m->note_count, e,
        "thin sheets become one cell thick and take %llu cell%s of air (%.3g m3), for example at (%.2f, %.2f, %.2f) m",
        (unsigned long long)r->sheet_voxels, plural(r->sheet_voxels),
        (double)r->sheet_voxels * pow(m->grid.spacing, 3.0), r->sheet_place[0], r->sheet_place[1], r->sheet_place[2]);
}

/* Reports only the material with the most gaps. */
static int note_gaps(struct model *m, struct error *e)
{
    const struct voxel_report *r = &m->voxels.report;
    size_t most = 0;
    for (size_t i = 0; i < r->material_count; i++)
        most = r->materials[i].gaps > r->materials[most].gaps ? i : most;
    const struct material_areas *a = r->material_count ? &r->materials[most] : NULL;
    if (!a || !a->gaps)
        return 0;
    return lines_add(&m->notes, &m->note_count, e,
                     "%llu cell%s of air lie in gaps one cell wide between surfaces, one of them %s, for example at "
                     "(%.2f, %.2f, %.2f) m; use a finer grid to resolve these gaps",
                     (unsigned long long)a->gaps, plural(a->gaps), m->room->materials[most].name, a->gap_place[0],
                     a->gap_place[1], a->gap_place[2]);
}

/* Where both sides face the air, as on a sheet, each material acts on its own side and none is
 * covered. */
static double covered_of(const struct voxel_report *r, size_t index)
{
    const struct covered_area *c = &r->covered[index];
    double area = c->area;
    for (size_t i = 0; i < r->covered_count && c->by_front; i++)
        if (r->covered[i].by_front && r->covered[i].top == c->below && r->covered[i].below == c->top)
            area -= r->covered[i].area;
    return area;
}

static int note_covered(struct model *m, struct error *e)
{
    const struct voxel_report *r = &m->voxels.report;
    for (size_t i = 0; i < r->covered_count; i++) {
        const struct covered_area *c = &r->covered[i];
        const double area = covered_of(r, i);
        if (area < COVERED)
            continue;
        const char *top = m->room->materials[c->top].name, *below = m->room->materials[c->below].name;
        if (lines_add(&m->notes, &m->note_count, e,
                      "faces of two materials coincide: %.4g m2 count as %s, %s, instead of %s", area, top,
                      c->by_front ? "whose front faces the air" : "which comes later in the model", below))
            return -1;
    }
    return 0;
}

static int note_dropped(struct model *m, struct error *e)
{
    const struct voxel_report *r = &m->voxels.report;
    if (!r->degenerate && !r->duplicates)
        return 0;
    return lines_add(&m->notes, &m->note_count, e, "%zu degenerate and %zu duplicate triangles are ignored",
                     r->degenerate, r->duplicates);
}

/* Skipped for meshes, in which the insides of closed parts are closed off, too. */
static int note_closed_off(struct model *m, struct error *e)
{
    if (!(m->space.closed_off > 0.0) || m->voxels.has_mesh)
        return 0;
    return lines_add(&m->notes, &m->note_count, e,
                     "%.3g m3 of air is closed off from the sources and excluded from volume and areas",
                     m->space.closed_off);
}

/* Skipped for boxes, whose rounded size is reported. */
static int note_volume(struct model *m, struct error *e)
{
    const struct grid *g = &m->grid;
    const double by_model = m->space.model_volume, off = m->space.volume / by_model - 1.0;
    if (room_form(m->room) == ROOM_BOX || !(fabs(off) > ROUNDED))
        return 0;
    return lines_add(&m->notes, &m->note_count, e,
                     "the grid rounds the walls to whole cells of %.4g m: the room has %.4g m3 instead of %.4g m3 "
                     "(%+.2g %%), and its size is off by %+.2g, %+.2g, %+.2g m; use a finer grid to reduce this",
                     g->spacing, m->space.volume, by_model, 100.0 * off, g->rounding[0], g->rounding[1],
                     g->rounding[2]);
}

int voxel_notes(struct model *m, struct error *e)
{
    return note_volume(m, e) || note_closed(m, e) || note_sheets(m, e) || note_gaps(m, e) || note_covered(m, e) ||
                   note_dropped(m, e) || note_closed_off(m, e)
               ? -1
               : 0;
}

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
    return lines_add(&m->notes, &m->note_count, e, "the room measures %.4g x %.4g x %.4g m; are these metres%s",
                     room->size[0], room->size[1], room->size[2], units);
}

static int note_wide_cells(struct model *m, struct error *e)
{
    const struct grid *g = &m->grid;
    if (m->room->sized_by_points || !(g->spacing > WIDE))
        return 0;
    return lines_add(&m->notes, &m->note_count, e,
                     "grid cells are %.3g m wide, and the response is valid up to %.3g Hz only; set grid.max_frequency "
                     "or grid.rate in Hz, not kHz",
                     g->spacing, g->valid_frequency);
}

/* The height of a room is usually its smallest extent. */
static int note_axis(struct model *m, struct error *e)
{
    const struct room *room = m->room;
    const double *size = room->size;
    if (room_form(room) != ROOM_MESH || room->geometry.up != MESH_UP_FILE || !room->geometry.file ||
        !mesh_format_is_bare(room->geometry.file) || !(size[1] >= SMALL && size[1] < 0.75 * fmin(size[0], size[2])))
        return 0;
    return lines_add(
        &m->notes, &m->note_count, e,
        "%s is lowest along y (%.3g x %.3g x %.3g m); set up = \"y\" if y points up in it, or up = \"z\" if not",
        path_name(room->geometry.file), size[0], size[1], size[2]);
}

int size_notes(struct model *m, struct error *e)
{
    return note_large(m, e) || note_wide_cells(m, e) || note_axis(m, e) ? -1 : 0;
}
