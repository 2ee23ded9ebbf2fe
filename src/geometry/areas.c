/* SPDX-License-Identifier: MIT */
#include "geometry/areas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "base/transport/gather.h"
#include "geometry/area_rounding.h"
#include "geometry/cut_links.h"
#include "geometry/model_size.h"

/* Larger scaling would hide an error in the areas of a material; most shares stay below
 * FACE_AREA_MAX. */
static const double FACTOR_MIN = 0.5, FACTOR_MAX = 1.9;

struct counting {
    struct areas *areas;
    const struct room_cuts *room;
};

static void count_one(uint32_t *counter, uint32_t more)
{
#pragma omp atomic
    *counter += more;
}

static bool parallel(const struct room_cuts *r, crossing a, crossing b)
{
    if (crossing_element(a) >= r->snapped.count || crossing_element(b) >= r->snapped.count)
        return true; /* a thin solid hides what is behind it */
    const double *n = r->snapped.triangles[crossing_element(a)].normal;
    const double *m = r->snapped.triangles[crossing_element(b)].normal;
    return fabs(n[0] * m[0] + n[1] * m[1] + n[2] * m[2]) > 0.9;
}

/* If two triangles of opposite sides cross a link at the same point, the one that faces its lower
 * end comes first. */
static void order_sides(const struct room_cuts *r, int axis, crossing *own, size_t count)
{
    const int up = 2 * axis + 1; /* from the lower end */
    for (size_t i = 0; i + 1 < count; i++)
        for (size_t k = i + 1; k < count && crossing_place(own[k]) == crossing_place(own[i]); k++)
            if (!cuts_faces(r, own[i], up) && cuts_faces(r, own[k], up)) {
                const crossing first = own[i];
                own[i] = own[k];
                own[k] = first;
            }
}

/* The sides in air of crossing i of a link's own ones. The first and the last are seen from the ends; others, which are
 * not, are hidden if they are parallel to these, and else belong to an edge, of which the link meets both surfaces. */
static uint32_t sides_in_air(const struct room_cuts *r, const struct cut_link *link, const crossing *own, size_t count,
                             size_t i)
{
    const bool lower = link->air[0], upper = link->air[1];
    const uint32_t seen = (uint32_t)(lower && i == 0) + (uint32_t)(upper && i + 1 == count);
    if (seen || (!lower && !upper))
        return seen;
    const crossing shown = lower ? own[0] : own[count - 1];
    return cuts_faces(r, own[i], 2 * link->axis + lower) && !parallel(r, own[i], shown);
}

static void count_link(void *context, const struct cut_link *link)
{
    enum { MOST = 64 };
    const struct counting *c = context;
    crossing own[MOST];
    size_t count = 0;
    for (size_t i = 0; i < link->count && count < MOST; i++)
        if (!crossing_is_seal(link->cuts[i]))
            own[count++] = link->cuts[i];
    order_sides(c->room, link->axis, own, count);
    model_size_add(c->areas, c->room, link);
    for (size_t i = 0; i < count; i++) {
        if (crossing_element(own[i]) >= c->room->snapped.count)
            continue;
        struct triangle_counts *t = &c->areas->triangles[crossing_element(own[i])];
        const uint32_t sides = sides_in_air(c->room, link, own, count, i);
        count_one(&t->crossings[link->axis], 1);
        if (sides)
            count_one(&t->sides[link->axis], sides);
        else
            count_one(&t->buried[link->axis], 1);
    }
}

int areas_open(struct areas *a, const struct room_cuts *r, struct error *e)
{
    struct counting counting = {a, r};
    a->triangles = calloc(r->snapped.count + 1, sizeof *a->triangles);
    if (!a->triangles)
        return fail(e, ERROR_MEMORY, "out of memory");
    a->voxels = regions_voxels(&r->air, r->own[0], r->own[1]);
    return r->snapped.count ? cut_links_visit(r, r->own[0], r->own[1], count_link, &counting, e) : 0;
}

static int count_faces(struct areas *a, const struct room_cuts *r, struct error *e)
{
    int failed = 0;
    if (r->snapped.count == 0)
        return 0;
#pragma omp parallel num_threads(r->threads) reduction(| : failed)
    {
        struct row_faces faces = {.count = 0};
#pragma omp for schedule(dynamic, 1)
        for (size_t z = r->own[0]; z < r->own[1]; z++)
            for (size_t y = 0; y < r->count[1] && !failed && !stop_requested(); y++) {
                failed = row_faces_find(&faces, r, y, z) != 0;
                for (size_t i = 0; i < faces.count && !failed; i++)
                    if (faces.runs[i].seen.element < r->snapped.count)
                        count_one(&a->triangles[faces.runs[i].seen.element].faces[faces.runs[i].side / 2],
                                  faces.runs[i].length);
            }
        row_faces_free(&faces);
    }
    return failed ? fail(e, ERROR_MEMORY, "out of memory") : stop_check(e);
}

/* Over all slabs. */
static int sum_counts(struct areas *a, const struct room_cuts *r, struct error *e)
{
    enum { COUNTERS = sizeof(struct triangle_counts) / sizeof(uint32_t) - 1, KINDS = COUNTERS / 3 };
    uint64_t *sums = r->transport ? malloc((COUNTERS * r->snapped.count + 1) * sizeof *sums) : NULL;
    if (!r->transport)
        return 0;
    int status = sums ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (int store = 0; store < 2 && !status; store++) {
        for (size_t i = 0; i < r->snapped.count; i++) {
            struct triangle_counts *t = &a->triangles[i];
            uint32_t *const kinds[KINDS] = {t->crossings, t->sides, t->buried, t->faces};
            for (size_t k = 0; k < COUNTERS; k++)
                if (store)
                    kinds[k / 3][k % 3] = (uint32_t)sums[COUNTERS * i + k];
                else
                    sums[COUNTERS * i + k] = kinds[k / 3][k % 3];
        }
        if (!store)
            status =
                gather_agree(r->transport, status, e) || gather_sums(r->transport, sums, COUNTERS * r->snapped.count, e)
                    ? -1
                    : 0;
    }
    free(sums);
    return status;
}

/* A split takes faces from the lowest slabs first. Returns the remainder for this slab. faces:
 * number of its own. */
static int share_splits(struct areas *a, const struct room_cuts *r, uint32_t (*faces)[3], size_t materials,
                        struct error *e)
{
    uint32_t *own = r->transport ? calloc(materials + 1, sizeof *own) : NULL;
    struct gathered all = {.bytes = NULL};
    if (!r->transport)
        return 0;
    int status = own ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < materials && !status; i++)
        own[i] = a->splits[i].left ? faces[a->splits[i].triangle][a->splits[i].axis] : 0;
    status = gather_agree(r->transport, status, e) || gather_all(&all, r->transport, own, materials * sizeof *own, e)
                 ? -1
                 : 0;
    for (int part = 0; part < r->transport->part && !status; part++) {
        memcpy(own, all.bytes + (size_t)part * materials * sizeof *own, materials * sizeof *own);
        for (size_t i = 0; i < materials; i++)
            a->splits[i].left -= own[i] < a->splits[i].left ? own[i] : a->splits[i].left;
    }
    gathered_free(&all);
    free(own);
    return status;
}

/* Sums over the triangles of a material, in faces of voxels times |n_a|; solids may share the material. */
struct sums {
    double crossings, sides, buried, faces;
    double area;   /* m² */
    double turned; /* m² of sides that look away from all air, which are in none of the others */
};

static bool is_turned_away(const struct snapped_triangle *t, const struct triangle_counts *c)
{
    return t->facing && c->crossings[0] + c->crossings[1] + c->crossings[2] > 0 &&
           c->sides[0] + c->sides[1] + c->sides[2] == 0;
}

static void sum_materials(struct sums *sums, const struct areas *a, const struct snapped *snapped)
{
    for (size_t i = 0; i < snapped->count; i++) {
        const struct snapped_triangle *t = &snapped->triangles[i];
        const struct triangle_counts *c = &a->triangles[i];
        struct sums *of = &sums[t->material];
        if (is_turned_away(t, c)) {
            of->turned += t->area;
            continue;
        }
        of->area += t->area;
        for (int k = 0; k < 3; k++) {
            of->crossings += c->crossings[k] * fabs(t->normal[k]);
            of->sides += c->sides[k] * fabs(t->normal[k]);
            of->buried += c->buried[k] * fabs(t->normal[k]);
            of->faces += c->faces[k] * fabs(t->normal[k]);
        }
    }
}

static void share(struct areas *a, const struct room_cuts *r, const struct sums *sums, struct voxel_report *report)
{
    const double face = r->lattice->spacing * r->lattice->spacing;
    for (size_t i = 0; i < r->snapped.count; i++)
        report->materials[r->snapped.triangles[i].material].mesh += r->snapped.triangles[i].area;
    for (size_t i = 0; i < report->material_count; i++) {
        struct material_areas *m = &report->materials[i];
        const struct sums *s = &sums[i];
        m->buried = s->turned;
        if (!(s->crossings > 0.0))
            continue;
        /* crossings sample the mesh: parts of its area are those of the crossings */
        m->wet = s->area * s->sides / s->crossings;
        const double buried = s->area * s->buried / s->crossings;
        m->buried += buried;
        const double factor = m->wet / (s->faces * face);
        m->rescaled = buried <= 0.01 * s->area && factor >= FACTOR_MIN && factor <= FACTOR_MAX;
    }
    for (size_t from = 0, end; from < r->snapped.count; from = end) {
        const uint32_t material = r->snapped.triangles[from].material;
        const struct material_areas *m = &report->materials[material];
        for (end = from + 1; end < r->snapped.count && r->snapped.triangles[end].material == material;)
            end++;
        area_rounding_apply(a, &r->snapped, from, end, m->rescaled ? m->wet / (sums[material].faces * face) : 1.0);
    }
}

/* ---- coinciding faces */

/* Sums the area of one material that another covers. */
struct covering {
    struct covered_area found;
    double area, sides, crossings;
};

static struct covering *covering_of(struct covering *list, size_t *count, const struct snapped_triangle *t)
{
    const struct covered_area wanted = {t->material, t->below, t->facing != 0, 0.0};
    for (size_t i = 0; i < *count; i++)
        if (list[i].found.top == wanted.top && list[i].found.below == wanted.below &&
            list[i].found.by_front == wanted.by_front)
            return &list[i];
    list[*count] = (struct covering){.found = wanted};
    return &list[(*count)++];
}

static int list_covered(struct voxel_report *report, const struct areas *a, const struct room_cuts *r, struct error *e)
{
    const size_t most = 2 * report->material_count * report->material_count;
    size_t covers = 0, count = 0;
    for (size_t i = 0; i < r->snapped.count; i++)
        covers += r->snapped.triangles[i].below != r->snapped.triangles[i].material;
    struct covering *list = calloc((covers < most ? covers : most) + 1, sizeof *list);
    report->covered = calloc((covers < most ? covers : most) + 1, sizeof *report->covered);
    if (!list || !report->covered) {
        free(list);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < r->snapped.count && covers; i++) {
        const struct snapped_triangle *t = &r->snapped.triangles[i];
        const struct triangle_counts *c = &a->triangles[i];
        if (t->below == t->material)
            continue;
        struct covering *of = covering_of(list, &count, t);
        of->area += t->area * t->covering;
        for (int k = 0; k < 3; k++) {
            of->sides += c->sides[k] * fabs(t->normal[k]) * t->covering;
            of->crossings += c->crossings[k] * fabs(t->normal[k]) * t->covering;
        }
    }
    for (size_t i = 0; i < count; i++) {
        struct covered_area *found = &report->covered[report->covered_count];
        *found = list[i].found;
        found->area = list[i].crossings > 0.0 ? list[i].area * fmin(list[i].sides / list[i].crossings, 1.0) : 0.0;
        report->covered_count += found->area > 0.0;
    }
    free(list);
    return 0;
}

int areas_share(struct areas *a, const struct room_cuts *r, struct voxel_report *report, struct error *e)
{
    struct sums *sums = calloc(report->material_count + 1, sizeof *sums);
    uint32_t(*faces)[3] = calloc(r->snapped.count + 1, sizeof *faces); /* of the slab's own */
    a->splits = calloc(report->material_count + 1, sizeof *a->splits);
    int status = sums && faces && a->splits ? count_faces(a, r, e) : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < r->snapped.count && !status; i++)
        memcpy(faces[i], a->triangles[i].faces, sizeof faces[i]);
    status = gather_agree(r->transport, status, e) || sum_counts(a, r, e) ? -1 : 0;
    if (!status) {
        sum_materials(sums, a, &r->snapped);
        share(a, r, sums, report);
        status = gather_agree(r->transport, list_covered(report, a, r, e), e);
    }
    if (!status) {
        status = model_size_find(report, a, r, e) || share_splits(a, r, faces, report->material_count, e);
    }
    free(sums);
    free(faces);
    return status;
}

int areas_of_run(struct share_run parts[2], struct areas *a, const struct room_cuts *r, const struct seen_run *run)
{
    const struct seen *seen = &run->seen;
    parts[0] = (struct share_run){run->length, 0};
    if (seen->element == ELEMENT_NONE)
        return 1;
    if (seen->element >= r->snapped.count) {
        parts[0].units = (unsigned)lround(seen->component * FACE_AREA_UNITS);
        return 1;
    }
    struct share_split *split = &a->splits[r->snapped.triangles[seen->element].material];
    parts[0].units = a->triangles[seen->element].share[run->side / 2];
    if (!split->left || split->triangle != seen->element || split->axis != run->side / 2)
        return 1;
    const unsigned plain = parts[0].units;
    parts[0].units = (unsigned)((int)plain + split->sign);
    if (split->left >= run->length) {
        split->left -= run->length;
        return 1;
    }
    parts[1] = (struct share_run){run->length - split->left, plain};
    parts[0].length = split->left;
    split->left = 0;
    return 2;
}

void areas_free(struct areas *a)
{
    free(a->triangles);
    free(a->splits);
    memset(a, 0, sizeof *a);
}
