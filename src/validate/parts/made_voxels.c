/* SPDX-License-Identifier: MIT */
/* Voxels made by parts, each with a slab of planes, compared with those of the whole room: every
 * row, the areas of walls, the errors for rooms that cannot be made, and p, p⁻ and taps of steps
 * in them, bit for bit. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/parts/lead_voxels.h"
#include "validate/geometry/slab_room.h"
#include "validate/parts/cut_run.h"
#include "validate/parts/host_parts.h"

struct tally {
    size_t made, failed, stepped;
    uint64_t wrong;  /* rooms whose voxels differ, plus values that differ in steps */
    char first[160]; /* the difference in the first of them */
};

static void differ(struct tally *t, uint64_t wrong, const char *what)
{
    if (wrong && !t->wrong)
        snprintf(t->first, sizeof t->first, "; first in room %zu: %s", t->made + t->failed, what);
    t->wrong += wrong;
}

/* As in part 0 of a render: rows near the source voxels. */
static bool is_near_same(const struct voxel_set *near, const struct voxel_set *whole, const struct voxel_report *report,
                         size_t source_voxel_count)
{
    bool same = true;
    for (size_t i = 0; i < source_voxel_count; i++)
        for (size_t k = 0; k < 81; k++) {
            const size_t y = report->source_voxels[i][1] + k % 9 - 4,
                         z = report->source_voxels[i][2] + k / 9 - 4; /* wraps: no row */
            const struct voxel_row one = voxel_set_row(near, y, z), other = voxel_set_row(whole, y, z);
            same = same && one.air_count == other.air_count &&
                   (!one.air_count || !memcmp(one.air, other.air, one.air_count * sizeof *one.air));
            for (int side = 0; side < FACES; side++)
                same = same && one.face_count[side] == other.face_count[side];
        }
    return same;
}

/* Compares the results of the parts if all succeeded; the checksum covers every run and face. */
static void compare_voxels(struct tally *t, const struct voxel_slabs *slabs, const struct voxel_set *near,
                           const struct voxel_report *report, const struct slab_outcome *whole,
                           const struct slab_room *room)
{
    const struct voxel_set *set = whole->made.set;
    bool same_air = voxel_slabs_all_air(slabs) == voxel_set_air(set);
    bool same_faces = true;
    for (size_t z = 0; z < voxel_set_count(set, 2); z++) {
        uint64_t faces[CELL_CODES] = {0};
        voxel_set_plane_faces(faces, set, z);
        same_air = same_air && voxel_slabs_air(slabs, z) == voxel_set_plane_air(set, z);
        same_faces = same_faces && !memcmp(faces, voxel_slabs_faces(slabs, z), sizeof faces);
    }
    differ(t, !same_air, "the air of a plane");
    differ(t, !same_faces, "the faces of a plane");
    differ(t, voxel_slabs_checksum(slabs) != voxel_set_checksum(set, 0), "the voxels");
    differ(t, !is_near_same(near, set, report, room->source_voxel_count), "the voxels near sources");
    differ(t,
           memcmp(report->materials, whole->report.materials, report->material_count * sizeof *report->materials) != 0,
           "the areas of walls");
    differ(t, report->model_volume != whole->report.model_volume, "the volume of the model");
}

static int compare_steps(struct tally *t, struct slab_outcome *whole, struct voxel_slabs *slabs,
                         const struct solver_options *c, enum air_stencil stencil, struct validation *v,
                         struct error *e)
{
    const struct random_room room = {
        .form = ROOM_OF_MESH, .room = {.set = whole->made.set, .report = whole->report, .lattice = {.spacing = 1.0}}};
    const struct solver_options one = {.engine = "cpu", .threads = 1};
    const enum precision precision = random_between(&v->random, 0, 1) ? PRECISION_DOUBLE : PRECISION_SINGLE;
    struct cut_run *b;
    if (cut_run_make(&b, &room, stencil, precision, &v->random, e))
        return -1;
    if (!b || b->run.problem.points[2] < (size_t)c->parts.count) {
        cut_run_free(b);
        return 0;
    }
    memset(b->run.leapfrog.transmission, 0, sizeof b->run.leapfrog.transmission); /* needs the voxels in one place */
    int status = cut_run_compute(b, &one, &b->expected, e);
    b->run.leapfrog.slabs = slabs;
    b->run.leapfrog.voxels = NULL;
    b->run.leapfrog.kept_rows = NULL;
    struct solver_plan r;
    for (int turn = 0; turn < 2 && !status; turn++) { /* the second time the layers are cached */
        status = solver_make_plan(&r, &b->run.problem, c, e) || cut_run_compute(b, c, &b->got, e);
        if (!status)
            differ(t, cut_run_wrong(b), "p, p⁻ or taps");
    }
    t->stepped++;
    cut_run_free(b);
    return status ? -1 : 0;
}

static int compare_made(struct tally *t, const struct slab_room *room, struct slab_outcome *whole,
                        const struct solver_options *c, enum air_stencil stencil, struct validation *v, struct error *e)
{
    const struct voxel_task task = {room->surface, room->lattice, room->source_voxels, room->source_voxel_count,
                                    room->options};
    struct voxel_slabs *slabs;
    struct voxel_set *near;
    struct voxel_report report;
    struct error why = {ERROR_NONE, ""};
    int status = lead_voxels(&slabs, &near, &report, &task, c->parts.transport, &why);
    if (!status != !whole->status || (status && strcmp(why.message, whole->error.message)))
        differ(t, 1, status ? why.message : "several parts succeed where one fails");
    else if (!status) {
        compare_voxels(t, slabs, near, &report, whole, room);
        if (voxel_set_air(whole->made.set) > 8)
            status = compare_steps(t, whole, slabs, c, stencil, v, e);
        t->made++;
    } else {
        t->failed++;
        status = 0;
    }
    voxel_set_free(near);
    voxel_slabs_free(slabs);
    voxel_report_free(&report);
    return status;
}

static int check_room(struct tally *t, struct slab_room *room, int index, struct validation *v, struct error *e)
{
    static const int counts[] = {2, 3, 5};
    const enum air_stencil stencil = index % 2 ? STENCIL_19_POINT : STENCIL_7_POINT;
    struct slab_outcome whole = {.status = 0};
    struct host_parts *parts = NULL;
    struct solver_options c = {.engine = "cpu", .threads = 1, .parts.transport = v->choice.parts.transport};
    int status = 0;
    slab_room_draw(room, &v->random);
    room->options.close_corners = stencil == STENCIL_19_POINT;
    if (!c.parts.transport) {
        if (host_parts_open(&parts, counts[index % 3], e)) {
            host_parts_close(parts, NULL);
            return -1;
        }
        c.parts.transport = host_parts_leader(parts);
    }
    c.parts.count = c.parts.transport->count;
    c.parts.halo = (int)random_between(&v->random, 0, 9);
    status = slab_room_make(&whole, room, 1, e) || compare_made(t, room, &whole, &c, stencil, v, e);
    slab_outcome_free(&whole);
    slab_room_free(room);
    return host_parts_close(parts, status ? NULL : e) || status ? -1 : 0;
}

int made_voxels_check(struct validation *v, struct report *r, int cases, struct error *e)
{
    struct tally t = {.made = 0};
    struct slab_room *room = calloc(1, sizeof *room);
    int status = room ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (int i = 0; i < cases && !status; i++)
        status = check_room(&t, room, i, v, e);
    free(room);
    if (!status)
        report_bound(r, "bits", (double)t.wrong, 0.0,
                     "cpu: voxels made in parts, each with its own planes: %zu random rooms, %zu refused, %zu stepped: "
                     "differences from one part%s",
                     t.made, t.failed, t.stepped, t.first);
    return status;
}
