/* SPDX-License-Identifier: MIT */
#include "solver/parts/voxel_slabs.h"

#include <stdlib.h>
#include <string.h>

#include "base/transport/gather.h"
#include "solver/parts/part_voxels.h"
#include "solver/parts/surface_packet.h"

/* Part 0 receives the rows within this distance of a seed, in voxels: twice the reach of a
 * stencil of points. */
enum { NEAR = 16 };

struct voxel_slabs {
    struct voxel_planes own;
    size_t *ends;    /* [parts]: end of the planes of each part */
    uint64_t *air;   /* [planes]: number of air voxels */
    uint64_t *faces; /* [planes][CELL_CODES]: faces between air and everything else */
    uint64_t checksum;
    struct voxel_set *taken; /* layers of the last cut */
    struct layer_span *cut;  /* [parts]: spans of the last cut; NULL: none yet */
};

void voxel_slabs_free(struct voxel_slabs *s)
{
    if (!s)
        return;
    voxel_set_free(s->own.set);
    voxel_set_free(s->taken);
    free(s->ends);
    free(s->air);
    free(s->faces);
    free(s->cut);
    free(s);
}

uint64_t voxel_slabs_air(const struct voxel_slabs *s, size_t z)
{
    return z < s->own.count[2] ? s->air[z] : 0;
}

const uint64_t *voxel_slabs_faces(const struct voxel_slabs *s, size_t z)
{
    return z < s->own.count[2] ? s->faces + z * CELL_CODES : NULL;
}

uint64_t voxel_slabs_all_air(const struct voxel_slabs *s)
{
    uint64_t air = 0;
    for (size_t z = 0; z < s->own.count[2]; z++)
        air += s->air[z];
    return air;
}

uint64_t voxel_slabs_checksum(const struct voxel_slabs *s)
{
    return s->checksum;
}

static int no_memory(struct error *e)
{
    return fail(e, ERROR_MEMORY, "out of memory");
}

/* ---- making */

/* The air and the faces of planes and the checksum are sums, to which each part adds its share.
 * So are the ends: a part adds its planes to its own end and all later ones. */
static int share_figures(struct voxel_slabs *s, struct transport *t, struct error *e)
{
    const size_t planes = s->own.count[2], parts = (size_t)t->count, own = voxel_set_count(s->own.set, 2);
    const size_t count = planes + parts + 1;
    uint64_t *figures = calloc(count, sizeof *figures);
    s->ends = calloc(parts, sizeof *s->ends);
    s->air = calloc(planes + 1, sizeof *s->air);
    s->faces = calloc((planes + 1) * CELL_CODES, sizeof *s->faces);
    int status = figures && s->ends && s->air && s->faces ? 0 : no_memory(e);
    for (size_t z = 0; z < own && !status; z++) {
        figures[s->own.first + z] = voxel_set_plane_air(s->own.set, z);
        voxel_set_plane_faces(s->faces + (s->own.first + z) * CELL_CODES, s->own.set, z);
    }
    for (size_t part = (size_t)t->part; part < parts && !status; part++)
        figures[planes + part] = own;
    if (!status)
        figures[count - 1] = voxel_set_checksum(s->own.set, s->own.first);
    status = gather_agree(t, status, e) || gather_sums(t, figures, count, e) ||
                     gather_sums(t, s->faces, planes * CELL_CODES, e)
                 ? -1
                 : 0;
    for (size_t z = 0; z < planes && !status; z++)
        s->air[z] = figures[z];
    for (size_t part = 0; part < parts && !status; part++)
        s->ends[part] = (size_t)figures[planes + part];
    s->checksum = status ? 0 : figures[count - 1];
    free(figures);
    return status;
}

static bool is_near(const struct voxel_report *report, size_t source_voxel_count, size_t y, size_t z)
{
    for (size_t i = 0; i < source_voxel_count; i++) {
        const size_t *at = report->source_voxels[i];
        if (y + NEAR >= at[1] && y <= at[1] + NEAR && z + NEAR >= at[2] && z <= at[2] + NEAR)
            return true;
    }
    return false;
}

/* Packs the rows near the source voxels, each preceded by its number. */
static void pack_near(struct packet *w, const struct voxel_slabs *s, const struct voxel_report *report,
                      size_t source_voxel_count)
{
    for (size_t z = 0; z < voxel_set_count(s->own.set, 2); z++)
        for (size_t y = 0; y < s->own.count[1]; y++)
            if (is_near(report, source_voxel_count, y, s->own.first + z)) {
                const struct voxel_row row = voxel_set_row(s->own.set, y, z);
                packet_put_size(w, y + s->own.count[1] * (s->own.first + z));
                part_voxels_pack_row(&row, w);
            }
}

static int build_near(struct voxel_set **near, const struct voxel_slabs *s, struct packet *w, struct error *e)
{
    const bool whole[2] = {false, false};
    struct row_copy copy = {.count = 0};
    struct voxel_set_builder *b;
    size_t next = 0;
    int status = voxel_set_open(&b, s->own.count, e);
    while (!status && w->at < w->count) {
        struct voxel_row row;
        for (const size_t at = packet_get_size(w); next < at && !status; next++)
            status = voxel_set_append(b, NULL, 0, NULL, 0, e);
        status = status || part_voxels_unpack_row(&row, w, e) || part_voxels_append(b, &copy, &row, whole, e) ? -1 : 0;
        next++;
    }
    free(copy.faces);
    if (status)
        voxel_set_abandon(b);
    else
        *near = voxel_set_close(b);
    return status;
}

static int share_near(struct voxel_set **near, const struct voxel_slabs *s, const struct voxel_report *report,
                      size_t source_voxel_count, struct transport *t, struct error *e)
{
    struct packet mine = {.bytes = NULL};
    struct gathered all = {.bytes = NULL};
    pack_near(&mine, s, report, source_voxel_count);
    int status =
        gather_agree(t, mine.failed ? no_memory(e) : 0, e) || gather_first(&all, t, mine.bytes, mine.count, e) ? -1 : 0;
    if (!status && t->part == 0)
        status = build_near(near, s, &(struct packet){.bytes = all.bytes, .count = all.count}, e);
    gathered_free(&all);
    packet_free(&mine);
    return gather_agree(t, status, e);
}

int voxel_slabs_make(struct voxel_slabs **out, struct voxel_set **near, struct voxel_report *report,
                     const struct voxel_task *task, struct transport *t, struct error *e)
{
    struct voxel_slabs *s = calloc(1, sizeof *s);
    *out = NULL;
    *near = NULL;
    *report = (struct voxel_report){.material_count = 0};
    int status = gather_agree(t, s ? 0 : no_memory(e), e);
    if (!status)
        status = voxelize_planes(&s->own, report, &task->surface, &task->lattice, task->source_voxels,
                                 task->source_voxel_count, &task->options, t, e) ||
                         share_figures(s, t, e) || share_near(near, s, report, task->source_voxel_count, t, e)
                     ? -1
                     : 0;
    if (status) {
        voxel_set_free(*near);
        *near = NULL;
        voxel_slabs_free(s);
        return -1;
    }
    *out = s;
    return 0;
}

/* ---- taking */

static struct layer_span made_by(const struct voxel_slabs *s, int part)
{
    return (struct layer_span){part ? s->ends[part - 1] : 0, s->ends[part]};
}

static struct layer_span common(const struct layer_span *a, const struct layer_span *b)
{
    const struct layer_span both = {a->from > b->from ? a->from : b->from, a->end < b->end ? a->end : b->end};
    return both.from < both.end ? both : (struct layer_span){0, 0};
}

/* Packs the layers that this part has made and another part, or itself, takes. */
static void pack_for(struct packet *w, const struct voxel_slabs *s, const struct layer_span *wanted, int own)
{
    const struct layer_span made = made_by(s, own), both = common(&made, wanted);
    for (size_t z = both.from; z < both.end; z++)
        for (size_t y = 0; y < s->own.count[1]; y++) {
            const struct voxel_row row = voxel_set_row(s->own.set, y, z - s->own.first);
            part_voxels_pack_row(&row, w);
        }
}

/* Appends the layers in the intersection of both spans from a packet. */
static int append_layers(struct voxel_set_builder *b, const struct voxel_slabs *s, const struct layer_span *both,
                         const struct layer_span *wanted, struct packet *w, struct error *e)
{
    struct row_copy copy = {.count = 0};
    int status = 0;
    for (size_t z = both->from; z < both->end; z++) {
        const bool cut[2] = {z == wanted->from && z > 0, z + 1 == wanted->end && wanted->end < s->own.count[2]};
        for (size_t y = 0; y < s->own.count[1] && !status; y++) {
            struct voxel_row row;
            status = part_voxels_unpack_row(&row, w, e) || part_voxels_append(b, &copy, &row, cut, e) ? -1 : 0;
        }
    }
    free(copy.faces);
    return status;
}

/* Receives in the order of parts, which is that of layers. */
static int receive_layers(struct voxel_set_builder *b, const struct voxel_slabs *s, const struct layer_span *wanted,
                          struct packet *own, struct transport *t, struct error *e)
{
    int status = 0;
    for (int part = 0; part < t->count && !status; part++) {
        const struct layer_span made = made_by(s, part), both = common(&made, wanted);
        struct bytes received = {.at = NULL};
        if (both.from == both.end)
            continue;
        if (part == t->part) {
            status = append_layers(b, s, &both, wanted, own, e);
            continue;
        }
        status = gather_receive(&received, t, part, e);
        if (!status)
            status =
                append_layers(b, s, &both, wanted, &(struct packet){.bytes = received.at, .count = received.count}, e);
        free(received.at);
    }
    return status;
}

/* All parts send before any waits. */
static int exchange_layers(struct voxel_set_builder *b, const struct voxel_slabs *s, const struct layer_span *spans,
                           struct transport *t, struct error *e)
{
    struct packet *sent = calloc((size_t)t->count, sizeof *sent);
    struct bytes *bytes = calloc((size_t)t->count, sizeof *bytes);
    int status = sent && bytes ? 0 : no_memory(e);
    for (int part = 0; part < t->count && !status; part++) {
        pack_for(&sent[part], s, &spans[part], t->part);
        bytes[part] = (struct bytes){sent[part].bytes, sent[part].count};
        status = sent[part].failed ? no_memory(e) : 0;
    }
    status = gather_agree(t, status, e);
    if (!status) {
        for (int part = 0; part < t->count && !status; part++)
            if (part != t->part && bytes[part].count)
                status = gather_send(t, part, &bytes[part], e);
        status =
            status || receive_layers(b, s, &spans[t->part], &sent[t->part], t, e) || transport_flush(t, e) ? -1 : 0;
        if (status) /* others may be waiting for data that will not arrive */
            status = transport_give_up(t, e);
    }
    for (int part = 0; part < t->count && sent; part++)
        packet_free(&sent[part]);
    free(sent);
    free(bytes);
    return status;
}

static int take(struct voxel_slabs *s, const struct layer_span *spans, struct transport *t, struct error *e)
{
    const struct layer_span *wanted = &spans[t->part];
    const size_t count[3] = {s->own.count[0], s->own.count[1], wanted->end - wanted->from};
    struct voxel_set_builder *b = NULL;
    voxel_set_free(s->taken);
    s->taken = NULL;
    free(s->cut);
    s->cut = malloc((size_t)t->count * sizeof *s->cut);
    int status = s->cut ? voxel_set_open(&b, count, e) : no_memory(e);
    status = gather_agree(t, status, e) || exchange_layers(b, s, spans, t, e) ? -1 : 0;
    if (!status) {
        s->taken = voxel_set_close(b);
        memcpy(s->cut, spans, (size_t)t->count * sizeof *s->cut);
        return 0;
    }
    voxel_set_abandon(b);
    free(s->cut);
    s->cut = NULL;
    return -1;
}

int voxel_slabs_take(const struct voxel_set **set, struct voxel_slabs *s, const struct layer_span *spans,
                     struct transport *t, int status, struct error *e)
{
    if (gather_agree(t, status, e))
        return -1;
    if (!s->cut || memcmp(s->cut, spans, (size_t)t->count * sizeof *spans)) /* the same decision in all parts */
        status = take(s, spans, t, e);
    *set = s->taken;
    return status;
}
