/* SPDX-License-Identifier: MIT */
/* A membrane or plate of the room file as a voice: its grid, and the cells of the air that it moves. */
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "render/synth/air_coupling.h"
#include "render/synth/ensemble.h"
#include "render/synth/mode.h"

static const double PLATE_ERROR_MAX = 0.005; /* largest error of a plate's first ten modes: inaudible */

static int plan_surface(struct voice *v, const struct room *room, double k, struct error *e)
{
    static const enum surface_edge edges[] = {SURFACE_SUPPORTED, SURFACE_CLAMPED, SURFACE_FREE};
    const struct instrument *i = &room->instruments[v->instrument];
    struct surface_plan *p = &v->plan;
    const bool plate = i->type == INSTRUMENT_PLATE;
    *p = (struct surface_plan){.outline = i->outline == OUTLINE_CIRCLE ? SURFACE_CIRCLE : SURFACE_RECTANGLE,
                               .half = {i->radius, i->radius},
                               .edge = plate ? edges[i->ends] : SURFACE_SUPPORTED,
                               .density = plate ? i->density * i->thickness : i->surface_density,
                               .poisson = i->poisson,
                               .time_step = k,
                               .cells = i->cells};
    if (p->outline == SURFACE_RECTANGLE)
        for (int axis = 0; axis < 2; axis++)
            p->half[axis] = 0.5 * i->sides[axis];
    if (plate && p->outline == SURFACE_CIRCLE && p->edge == SURFACE_SUPPORTED)
        return instrument_refused(
            room, i, e, "a square grid cannot support the edge of a disc; set ends = \"clamped\" or \"free\"");
    if (plate) {
        p->bending = i->young * pow(i->thickness, 3.0) / (12.0 * (1.0 - i->poisson * i->poisson));
    } else {
        const double pitch = v->pitch > 0.0 ? v->pitch : i->pitch;
        p->tension = i->tension;
        if (pitch > 0.0) { /* the lowest mode is proportional to the root of the tension */
            p->tension = 1.0;
            const double at_one = membrane_pitch(p);
            p->tension = pitch * pitch / (at_one * at_one);
        }
    }
    struct line_decay decay;
    struct error why;
    if (decay_from_times(&decay, p->tension / p->density, p->bending / p->density, i->decay_at, i->decay, &why))
        return instrument_refused(room, i, e, why.message);
    p->sigma0 = decay.sigma0;
    p->sigma1 = decay.sigma1;
    return 0;
}

static int describe_surface(struct ensemble *s, const struct voice *v, const struct room *room, const struct model *m,
                            struct error *e)
{
    const struct instrument *i = &room->instruments[v->instrument];
    const bool circle = v->plan.outline == SURFACE_CIRCLE, plate = v->plan.bending > 0.0;
    const char *along = circle ? "radius" : "longer side";
    const size_t good = circle ? 16 : 32; /* of a membrane */
    char modes[64] = "";
    if (plate)
        snprintf(modes, sizeof modes, ", its first ten modes within %.2g %%", 100.0 * v->grid.worst);
    if (lines_add(&s->notes, &s->note_count, e,
                  "%s: %zu cells of %.3g mm along its %s, lowest mode %.5g Hz in vacuo%s%s", i->name, v->grid.cells,
                  1e3 * v->grid.spacing[v->plan.half[1] > v->plan.half[0]], along, v->lowest, modes,
                  m ? "" : ", without air"))
        return -1;
    if (plate && !(v->grid.worst <= PLATE_ERROR_MAX) &&
        lines_add(&s->warnings, &s->warning_count, e,
                  "%s: %zu cells along its %s are too coarse%s: the lowest mode is exact, but the first ten are off by "
                  "up to %.2g %%; at %.6g steps per second %zu cells are stable",
                  i->name, v->grid.cells, along,
                  v->grid.cells == v->grid.cells_max ? ", although no more are stable" : "", 100.0 * v->grid.worst,
                  1.0 / v->plan.time_step, v->grid.cells_max))
        return -1;
    if (!plate && v->grid.cells < good &&
        lines_add(
            &s->warnings, &s->warning_count, e,
            "%s: %zu cells along its %s are too coarse%s: the lowest mode is exact, but the overtones are off by about "
            "%.2g %% of their distance from it; %zu cells suffice, and at %.6g steps per second %zu are stable",
            i->name, v->grid.cells, along, v->grid.cells == v->grid.cells_max ? ", although no more are stable" : "",
            100.0 * 0.14 / (double)v->grid.cells, good, 1.0 / v->plan.time_step, v->grid.cells_max))
        return -1;
    if (m && i->shell > 0.0 &&
        lines_add(&s->notes, &s->note_count, e, "%s: its shell is %.3g m deep on the grid, %.0f cells", i->name,
                  round(i->shell / m->grid.spacing) * m->grid.spacing, round(i->shell / m->grid.spacing)))
        return -1;
    if (m && v->surface->cells < 12 &&
        lines_add(
            &s->warnings, &s->warning_count, e,
            "%s moves only %zu cells of the air's grid (%.3g m each), and its level is inaccurate; raise grid.rate",
            i->name, v->surface->cells, m->grid.spacing))
        return -1;
    return 0;
}

int voice_surface_make(struct ensemble *s, struct voice *v, const struct room *room, const struct model *m, double k,
                       struct error *e)
{
    const struct instrument *i = &room->instruments[v->instrument];
    const struct surface_site site = {.centre = {i->position[0], i->position[1], i->position[2]},
                                      .normal = (int)i->normal,
                                      .shell = i->shell,
                                      .closed = i->bottom == SHELL_CLOSED};
    struct error why;
    char where[512];
    if (plan_surface(v, room, k, e))
        return -1;
    int status =
        surface_make(&v->surface, &v->grid, &v->plan, i->name, &why) ||
        (m && surface_couple_air(v->surface, &v->grid, &v->plan, &site, m, &s->cuts, &v->plane, i->name, &why));
    if (status)
        return fail(e, why.code, "%s: %.900s", origin_text(&i->origin, room->path, where, sizeof where), why.message);
    v->lowest = v->grid.lowest;
    return describe_surface(s, v, room, m, e);
}
