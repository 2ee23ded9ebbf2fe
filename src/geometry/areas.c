#include "geometry/areas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "geometry/cut_links.h"

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
    return !parallel(r, own[i], shown);
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
        return fail(e, ERROR_MEMORY, "not enough memory for the areas of %zu triangles", r->snapped.count);
    return r->snapped.count ? cut_links_visit(r, count_link, &counting, e) : 0;
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
        for (size_t z = 0; z < r->count[2]; z++)
            for (size_t y = 0; y < r->count[1] && !failed && !stop_requested(); y++) {
                failed = row_faces_find(&faces, r, y, z) != 0;
                for (size_t i = 0; i < faces.count && !failed; i++)
                    if (faces.runs[i].seen.element < r->snapped.count)
                        count_one(&a->triangles[faces.runs[i].seen.element].faces[faces.runs[i].side / 2],
                                  faces.runs[i].length);
            }
        row_faces_free(&faces);
    }
    return failed ? fail(e, ERROR_MEMORY, "not enough memory for the faces of a row of voxels") : stop_check(e);
}

/* Rounds factor |n_a| to units, at most two away, so that sum |n_a| share_a is as close to factor as it can be. */
static void round_shares(uint8_t share[3], const double normal[3], double factor)
{
    enum { CHOICES = 4 };
    double best = INFINITY;
    for (int choice = 0; choice < CHOICES * CHOICES * CHOICES; choice++) {
        const int moves[3] = {choice % CHOICES, choice / CHOICES % CHOICES, choice / CHOICES / CHOICES};
        uint8_t rounded[3];
        double sum = 0.0, moved = 0.0;
        for (int k = 0; k < 3; k++) {
            const double exact = fmin(factor * fabs(normal[k]), 1.0) * FACE_AREA_UNITS;
            const double units = fmin(fmax(floor(exact) - 1.0 + moves[k], 0.0), FACE_AREA_UNITS);
            rounded[k] = (uint8_t)units;
            sum += fabs(normal[k]) * units / FACE_AREA_UNITS;
            moved += fabs(units - exact);
        }
        const double off = fabs(sum - factor) + 1e-4 * moved;
        if (off < best) {
            best = off;
            memcpy(share, rounded, sizeof rounded);
        }
    }
}

/* Sums over the triangles of a material, in faces of voxels times |n_a|; solids may share the material. */
struct sums {
    double crossings, sides, buried, faces;
    double area; /* m² */
};

static void share_triangles(struct areas *a, const struct room_cuts *r, struct voxel_report *report,
                            const struct sums *sums)
{
    const double face = r->lattice->spacing * r->lattice->spacing;
    for (size_t i = 0; i < r->snapped.count; i++) {
        const struct snapped_triangle *t = &r->snapped.triangles[i];
        const struct sums *s = &sums[t->material];
        struct material_areas *m = &report->materials[t->material];
        round_shares(a->triangles[i].share, t->normal, m->rescaled ? m->wet / (s->faces * face) : 1.0);
    }
}

int areas_share(struct areas *a, const struct room_cuts *r, struct voxel_report *report, struct error *e)
{
    const double face = r->lattice->spacing * r->lattice->spacing;
    struct sums *sums = calloc(report->material_count + 1, sizeof *sums);
    if (!sums)
        return fail(e, ERROR_MEMORY, "not enough memory for the areas of %zu materials", report->material_count);
    if (count_faces(a, r, e)) {
        free(sums);
        return -1;
    }
    for (size_t i = 0; i < r->snapped.count; i++) {
        const struct snapped_triangle *t = &r->snapped.triangles[i];
        const struct triangle_counts *c = &a->triangles[i];
        report->materials[t->material].mesh += t->area;
        sums[t->material].area += t->area;
        for (int k = 0; k < 3; k++) {
            sums[t->material].crossings += c->crossings[k] * fabs(t->normal[k]);
            sums[t->material].sides += c->sides[k] * fabs(t->normal[k]);
            sums[t->material].buried += c->buried[k] * fabs(t->normal[k]);
            sums[t->material].faces += c->faces[k] * fabs(t->normal[k]);
        }
    }
    for (size_t i = 0; i < report->material_count; i++) {
        struct material_areas *m = &report->materials[i];
        const struct sums *s = &sums[i];
        if (!(s->crossings > 0.0))
            continue;
        /* crossings sample the mesh: parts of its area are those of the crossings */
        m->wet = s->area * s->sides / s->crossings;
        m->buried = s->area * s->buried / s->crossings;
        const double factor = m->wet / (s->faces * face);
        m->rescaled = m->buried <= 0.01 * s->area && factor >= 0.9 && factor <= 1.1;
    }
    share_triangles(a, r, report, sums);
    free(sums);
    return 0;
}

unsigned areas_units(const struct areas *a, const struct room_cuts *r, const struct seen_run *run)
{
    if (run->seen.element == ELEMENT_NONE)
        return 0;
    if (run->seen.element < r->snapped.count)
        return a->triangles[run->seen.element].share[run->side / 2];
    return (unsigned)lround(run->seen.component * FACE_AREA_UNITS);
}

void areas_free(struct areas *a)
{
    free(a->triangles);
    memset(a, 0, sizeof *a);
}
