/* SPDX-License-Identifier: MIT */
#include "geometry/voxels/solid_runs.h"

#include <string.h>

#include "base/stop.h"

/* A run of more than this many times the extent of the solid along another axis lies along the partition. */
enum { LONGEST = 3, PROBES = 4 };

static bool passes(const struct solid_runs *s, const struct face_run *face)
{
    return face && s->passes[face->code];
}

static bool is_air(struct solid_runs *s, const size_t at[3])
{
    s->looked++;
    return voxel_set_is_air(s->set, at[0], at[1], at[2]);
}

/* Solid voxels from `at` on in one direction, itself not included, up to `most` + 1; more than `most` also if they end
 * at the edge of the set. */
static size_t solid_beyond(struct solid_runs *s, const size_t at[3], int axis, size_t direction, size_t most)
{
    size_t v[3] = {at[0], at[1], at[2]};
    for (size_t count = 0; count <= most; count++) {
        v[axis] += direction;
        if (v[axis] >= voxel_set_count(s->set, axis)) /* also after wrapping below 0 */
            return most + 1;
        if (is_air(s, v))
            return count;
    }
    return most + 1;
}

/* Whether the solid through a voxel along an axis has air at both ends and at most `most` voxels; *from: its first. */
static bool is_short(struct solid_runs *s, const size_t at[3], int axis, size_t most, size_t *from)
{
    const size_t below = solid_beyond(s, at, axis, (size_t)-1, most - 1);
    if (below + 1 > most)
        return false;
    *from = at[axis] - below;
    return below + 1 + solid_beyond(s, at, axis, 1, most - 1 - below) <= most;
}

static void touch(const struct solid_runs *s, size_t z0, size_t z1)
{
    for (size_t z = z0; z <= z1 && z < s->planes; z++)
        s->touched[z] = true;
}

/* Whether the solid along an axis is short at a probe of a run. */
static bool is_short_beside(struct solid_runs *s, const struct solid_run *run, int axis, size_t most, size_t *from)
{
    const size_t probes[PROBES] = {1, run->length, (run->length + 1) / 2, run->length / 2 + 1};
    for (int i = 0; i < PROBES; i++) {
        size_t at[3] = {run->lower[0], run->lower[1], run->lower[2]};
        at[run->axis] += probes[i];
        if (is_short(s, at, axis, most, from))
            return true;
    }
    return false;
}

static bool lies_along(struct solid_runs *s, const struct solid_run *run)
{
    const size_t most = (run->length - 1) / LONGEST; /* LONGEST times as many is less than the length */
    size_t from = 0;
    for (int axis = 0; axis < 2 && most; axis++)
        if (axis != run->axis && is_short_beside(s, run, axis, most, &from))
            return true;
    if (!most || run->axis == 2 || !is_short_beside(s, run, 2, most, &from))
        return false;
    if (s->touched)
        touch(s, from - 1, from + most + 1);
    return true;
}

/* Judges a run of which all but the faces is known. */
static bool is_partition(struct solid_runs *s, struct solid_run *run)
{
    const int side = 2 * run->axis;
    run->faces[0] = voxel_set_face(s->set, run->lower[0], run->lower[1], run->lower[2], side + 1);
    run->faces[1] = voxel_set_face(s->set, run->upper[0], run->upper[1], run->upper[2], side);
    if (!passes(s, run->faces[0]) || !passes(s, run->faces[1]) || lies_along(s, run))
        return false;
    if (s->touched && run->axis == 2)
        touch(s, run->lower[2], run->upper[2]);
    return true;
}

bool solid_run_behind(struct solid_run *run, struct solid_runs *s, const size_t at[3], int side)
{
    const int axis = side / 2;
    const size_t most = voxel_set_count(s->set, axis);
    if (!passes(s, voxel_set_face(s->set, at[0], at[1], at[2], side)))
        return false;
    const size_t solid = solid_beyond(s, at, axis, side % 2 ? 1 : (size_t)-1, most);
    if (solid > most)
        return false;
    *run = (struct solid_run){.length = solid, .axis = axis};
    memcpy(run->lower, at, sizeof run->lower);
    memcpy(run->upper, at, sizeof run->upper);
    if (side % 2)
        run->upper[axis] += solid + 1;
    else
        run->lower[axis] -= solid + 1;
    return is_partition(s, run);
}

/* The runs of solid voxels between the runs of air of a row. */
static int visit_along_x(struct solid_runs *s, const struct voxel_row *row, size_t y, size_t z, solid_run_visit *visit,
                         void *context, struct error *e)
{
    for (size_t i = 0; i + 1 < row->air_count; i++) {
        struct solid_run run = {.lower = {row->air[i].end - 1, y, z},
                                .upper = {row->air[i + 1].start, y, z},
                                .length = row->air[i + 1].start - row->air[i].end};
        if (is_partition(s, &run) && visit(context, &run, e))
            return -1;
    }
    return 0;
}

/* From the upper faces of a row along another axis. */
static int visit_across(struct solid_runs *s, const struct voxel_row *row, int axis, size_t y, size_t z,
                        solid_run_visit *visit, void *context, struct error *e)
{
    const int side = 2 * axis + 1;
    for (size_t i = 0; i < row->face_count[side]; i++) {
        const struct face_run *face = &row->faces[side][i];
        for (size_t x = face->start; x < face->start + face->length && passes(s, face); x++) {
            struct solid_run run;
            if (solid_run_behind(&run, s, (const size_t[3]){x, y, z}, side) && visit(context, &run, e))
                return -1;
        }
    }
    return 0;
}

int solid_runs_visit(struct solid_runs *s, solid_run_visit *visit, void *context, struct error *e)
{
    for (size_t z = 0; z < voxel_set_count(s->set, 2); z++)
        for (size_t y = 0; y < voxel_set_count(s->set, 1); y++) {
            const struct voxel_row row = voxel_set_row(s->set, y, z);
            if (stop_check(e) || visit_along_x(s, &row, y, z, visit, context, e) ||
                visit_across(s, &row, 1, y, z, visit, context, e) || visit_across(s, &row, 2, y, z, visit, context, e))
                return -1;
        }
    return 0;
}
