/* SPDX-License-Identifier: MIT */
#include "room/grid/grid_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "room/grid/room_surface.h"

enum { STEPS = 140, ENOUGH_CELLS = 3 };

static const double ALONG = 0.1;       /* of the area has to be along the axes */
static const double PARALLEL = 1e-6;   /* off an axis, of a normal */
static const double SAME_PLACE = 1e-4; /* of the coarsest spacing: one plane */

/* A face, or several in one plane. */
struct plane {
    double at, area; /* m, m² */
};

struct planes {
    struct plane *list[3]; /* [count], by axis */
    size_t count[3];
    double area; /* of the whole surface */
};

static void planes_free(struct planes *p)
{
    for (int axis = 0; axis < 3; axis++)
        free(p->list[axis]);
}

static void add_triangle(struct planes *p, const struct surface_triangle *t)
{
    double normal[3];
    for (int k = 0; k < 3; k++) {
        const int u = (k + 1) % 3, v = (k + 2) % 3;
        normal[k] = 0.5 * ((t->corner[1][u] - t->corner[0][u]) * (t->corner[2][v] - t->corner[0][v]) -
                           (t->corner[1][v] - t->corner[0][v]) * (t->corner[2][u] - t->corner[0][u]));
    }
    const double area = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    p->area += area;
    for (int axis = 0; axis < 3; axis++)
        if (area > 0.0 && fabs(normal[axis]) >= (1.0 - PARALLEL) * area)
            p->list[axis][p->count[axis]++] = (struct plane){t->corner[0][axis], area};
}

static void add_box(struct planes *p, const struct surface_solid *s)
{
    for (int axis = 0; axis < 3; axis++) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        const double area = (s->to[u] - s->from[u]) * (s->to[v] - s->from[v]);
        p->area += 2.0 * area;
        p->list[axis][p->count[axis]++] = (struct plane){s->from[axis], area};
        p->list[axis][p->count[axis]++] = (struct plane){s->to[axis], area};
    }
}

static int by_place(const void *a, const void *b)
{
    const struct plane *x = a, *y = b;
    return x->at != y->at ? (x->at > y->at) - (x->at < y->at) : (x->area > y->area) - (x->area < y->area);
}

/* Faces of one plane become one. */
static void merge(struct planes *p, int axis, double same)
{
    struct plane *list = p->list[axis];
    size_t kept = 0;
    qsort(list, p->count[axis], sizeof *list, by_place);
    for (size_t i = 0; i < p->count[axis]; i++) {
        if (kept && list[i].at - list[kept - 1].at <= same)
            list[kept - 1].area += list[i].area;
        else
            list[kept++] = list[i];
    }
    p->count[axis] = kept;
}

static int planes_make(struct planes *p, const struct room *room, double coarsest, struct error *e)
{
    struct room_surface s = {.materials = NULL};
    int status = room_surface_draw(&s, room, room->size, e);
    *p = (struct planes){.area = 0.0};
    for (int axis = 0; axis < 3 && !status; axis++) {
        const size_t most = s.surface.triangle_count + 2 * s.surface.solid_count + 1;
        p->list[axis] = malloc(most * sizeof *p->list[axis]);
        if (!p->list[axis])
            status = fail(e, ERROR_MEMORY, "%s: out of memory", room->path);
    }
    for (size_t i = 0; i < s.surface.triangle_count && !status; i++)
        add_triangle(p, &s.triangles[i]);
    for (size_t i = 0; i < s.surface.solid_count && !status; i++)
        if (s.solids[i].shape == SOLID_BOX)
            add_box(p, &s.solids[i]);
    for (int axis = 0; axis < 3 && !status; axis++)
        merge(p, axis, SAME_PLACE * coarsest);
    room_surface_free(&s);
    return status;
}

/* A plane of the lattice along an axis. */
static double offset_of(const struct planes *p, int axis, double spacing)
{
    double re = 0.0, im = 0.0;
    for (size_t i = 0; i < p->count[axis]; i++) {
        const double angle = 2.0 * M_PI * fmod(p->list[axis][i].at, spacing) / spacing;
        re += p->list[axis][i].area * cos(angle);
        im += p->list[axis][i].area * sin(angle);
    }
    return spacing * atan2(im, re) / (2.0 * M_PI);
}

/* Σ A d², m⁴. */
static double misplaced(const struct grid_fit *fit, const struct planes *p)
{
    double sum = 0.0;
    for (int axis = 0; axis < 3; axis++)
        for (size_t i = 0; i < p->count[axis]; i++) {
            const double cells = (p->list[axis][i].at - fit->offset[axis]) / fit->spacing;
            const double off = fit->spacing * (cells - round(cells));
            sum += p->list[axis][i].area * off * off;
        }
    return sum;
}

/* A spacing is taken for a gain that is more than rounding, the coarsest first. */
static int try_spacing(struct grid_fit *best, double *least, const struct planes *p, double spacing, bool box,
                       struct error *e)
{
    struct grid_fit fit = {.spacing = spacing};
    for (int axis = 0; axis < 3 && !box; axis++)
        fit.offset[axis] = offset_of(p, axis, spacing);
    const double found = misplaced(&fit, p);
    if (found < *least - 1e-12 * p->area * spacing * spacing) {
        *least = found;
        *best = fit;
    }
    return stop_check(e);
}

static int search(struct grid_fit *best, const struct room *room, const struct planes *p, double coarsest,
                  struct error *e)
{
    const bool box = room_form(room) == ROOM_BOX;
    const double shortest = fmin(room->size[0], fmin(room->size[1], room->size[2]));
    const double finest = fmax(GRID_FIT_FINEST, 1.0 - ENOUGH_CELLS * coarsest / shortest) * coarsest;
    double least = INFINITY;
    int status = 0;
    for (int i = 0; i <= STEPS && !status; i++)
        status = try_spacing(best, &least, p, coarsest + (finest - coarsest) * i / STEPS, box, e);
    for (int axis = 0; axis < 3; axis++) { /* whole numbers of cells from wall to wall */
        double cells = ceil(room->size[axis] / coarsest * (1.0 - 1e-9));
        for (int i = 0; i < STEPS && room->size[axis] / cells >= finest && !status; i++, cells++)
            status = try_spacing(best, &least, p, room->size[axis] / cells, box, e);
    }
    return status;
}

int grid_fit_make(struct grid_fit *fit, const struct room *room, double coarsest, struct error *e)
{
    struct planes p;
    double along = 0.0;
    int status = planes_make(&p, room, coarsest, e);
    *fit = (struct grid_fit){coarsest, {room->lower[0], room->lower[1], room->lower[2]}};
    for (int axis = 0; axis < 3 && !status; axis++)
        for (size_t i = 0; i < p.count[axis]; i++)
            along += p.list[axis][i].area;
    if (!status && along >= ALONG * p.area && along > 0.0)
        status = search(fit, room, &p, coarsest, e);
    planes_free(&p);
    return status;
}
