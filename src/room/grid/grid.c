/* SPDX-License-Identifier: MIT */
#include "room/grid/grid.h"

#include <math.h>
#include <string.h>

#include "base/acoustics/conventions.h"
#include "room/grid/air.h"
#include "room/grid/grid_fit.h"
#include "solver/schemes/isotropic19/isotropic19.h"
#include "solver/schemes/leapfrog/leapfrog.h"

uint64_t grid_points(const struct grid *g)
{
    return (uint64_t)g->points[0] * g->points[1] * g->points[2];
}

static const char *where(const struct room *room, const struct origin *origin, char text[512])
{
    return origin_text(origin, room->path, text, 512);
}

/* Sets the spacing and lattice, and the rate or spacing that follows from the other. If
 * max_frequency is set, the spacing is the coarsest that carries the band, or slightly finer. */
static int set_spacing(struct grid *g, const struct room *room, struct grid_fit *fit, struct error *e)
{
    const double courant = sqrt(g->courant_squared), rate = room->grid.rate;
    const double coarsest = rate > 0.0 ? g->sound_speed / (courant * rate)
                                       : g->sound_speed / (room->grid.max_frequency * g->points_per_wavelength);
    *fit = (struct grid_fit){.spacing = coarsest};
    for (int axis = 0; axis < 3; axis++)
        fit->offset[axis] = room->lower[axis];
    if (!room->sized_by_points && !(rate > 0.0) && grid_fit_make(fit, room, coarsest, e))
        return -1;
    g->spacing = fit->spacing;
    g->rate = rate > 0.0 ? rate : g->sound_speed / (courant * g->spacing);
    return 0;
}

/* The rate that determines the valid band: if max_frequency is set, that of the coarsest spacing. */
static double rate_of_band(const struct grid *g, const struct room *room)
{
    return room->grid.rate > 0.0 ? g->rate
                                 : room->grid.max_frequency * g->points_per_wavelength / sqrt(g->courant_squared);
}

static int set_7_point(struct grid *g, const struct room *room, struct grid_fit *fit, struct error *e)
{
    if (set_spacing(g, room, fit, e))
        return -1;
    g->valid_frequency =
        rate_of_band(g, room) * cartesian7_valid_frequency(g->courant_squared, room->output.dispersion);
    return 0;
}

/* A single τ cannot follow ISO 9613-1 in all bands. It is matched in the highest octave of the
 * valid band, at most 4 kHz, where absorption matters most. The default grid is the same with and
 * without absorption. */
static int set_air(struct grid *g, const struct room *room, struct grid_fit *fit, struct error *e)
{
    struct error reason;
    enum { MATCHED_MAX = 6 /* 4 kHz */ };
    const struct air_conditions air = air_conditions(room);
    size_t band = 0;
    while (band < MATCHED_MAX && octave_band_centre[band + 1] <= g->valid_frequency)
        band++;
    g->matched = octave_band_centre[band];
    const double time = air_viscothermal_time(g->matched, &air, g->sound_speed);
    if (cartesian7_viscosity(room->grid.courant, time * g->rate, &g->courant_squared, &g->viscosity, &reason))
        return fail(e, ERROR_INPUT, "%s: air: %s", room->path, reason.message);
    return set_7_point(g, room, fit, e);
}

/* Refuses values below the minimum of the 7-point scheme, which the key allows for the 19-point
 * scheme. */
static int check_points_per_wavelength(const struct grid *g, const struct room *room, struct error *e)
{
    const double least = 5.2;
    char text[512];
    if (!(room->grid.max_frequency > 0.0) || g->points_per_wavelength >= least)
        return 0;
    return fail(e, ERROR_INPUT,
                "%s: grid.points_per_wavelength: %g is too low, as the 7-point scheme needs at least %g and is used "
                "because %s; remove the key",
                where(room, &room->grid.points_per_wavelength_origin, text), g->points_per_wavelength, least,
                g->scheme_reason);
}

static int make_7_point(struct grid *g, const struct room *room, struct grid_fit *fit, struct error *e)
{
    char text[512];
    struct error reason;
    if (cartesian7_courant_squared(room->grid.courant, &g->courant_squared, &reason))
        return fail(e, ERROR_INPUT, "%s: grid.courant: %s", where(room, &room->grid.origin, text), reason.message);
    g->points_per_wavelength =
        room->grid.points_per_wavelength > 0.0 ? room->grid.points_per_wavelength : GRID_POINTS_PER_WAVELENGTH;
    if (check_points_per_wavelength(g, room, e))
        return -1;
    if (set_7_point(g, room, fit, e))
        return -1;
    return (room->air.losses || room->grid.courant == 0.0) && room->air.pressure > 0.0 ? set_air(g, room, fit, e) : 0;
}

/* Rate, spacing and valid band of the 19-point scheme, whose air is lossless. */
static int make_19_point(struct grid *g, const struct room *room, struct grid_fit *fit, struct error *e)
{
    const double asked = room->grid.points_per_wavelength, courant = sqrt(ISOTROPIC19_COURANT_SQUARED);
    const double unmapped = isotropic19_valid_frequency(room->output.dispersion);
    g->courant_squared = ISOTROPIC19_COURANT_SQUARED;
    g->points_per_wavelength = asked > 0.0 ? asked : g->mapped ? ISOTROPIC19_POINTS_PER_WAVELENGTH : courant / unmapped;
    if (set_spacing(g, room, fit, e))
        return -1;
    g->valid_frequency = rate_of_band(g, room) * (g->mapped ? courant / g->points_per_wavelength : unmapped);
    if (g->mapped && room->grid.max_frequency > 0.0)
        g->valid_frequency = room->grid.max_frequency;
    return 0;
}

/* The plane of the lattice at which the voxels begin along an axis. */
static double origin_along(const struct grid *g, const struct room *room, int axis, const struct grid_fit *fit)
{
    if (room->sized_by_points || room_form(room) == ROOM_BOX)
        return room->lower[axis];
    const double planes = floor((room->lower[axis] - fit->offset[axis]) / g->spacing + 1e-9);
    return fit->offset[axis] + planes * g->spacing;
}

/* Voxels along an axis, a whole number. Half a voxel is left out: with it, its centre would lie on the wall that was
 * asked for, where an object that reaches from wall to wall ends, and leave a gap. A room that is no box has as many as
 * hold it. */
static double voxels_along(const struct grid *g, const struct room *room, int axis)
{
    if (room->sized_by_points)
        return (double)room->points[axis] - (g->stencil == STENCIL_19_POINT ? 1.0 : 0.0);
    const double cells = (room->lower[axis] + room->size[axis] - g->origin[axis]) / g->spacing;
    if (room_form(room) != ROOM_BOX)
        return fmax(ceil(cells - 1e-9), 1.0);
    return cells < 1.0 ? round(cells) : ceil(cells - 0.5 - 1e-9);
}

static int refuse_thin(const struct grid *g, const struct room *room, int axis, struct error *e)
{
    char text[512];
    where(room, &room->size_origin, text);
    if (room->sized_by_points)
        return fail(e, ERROR_INPUT, "%s: room.points: %zu along %c is too few; the 19-point scheme needs at least 2",
                    text, room->points[axis], "xyz"[axis]);
    return fail(e, ERROR_INPUT, "%s: room.size: %g m along %c is less than half the grid spacing of %.4g m; raise %s",
                text, room->size[axis], "xyz"[axis], g -> spacing,
                room -> grid.max_frequency > 0.0 ? "grid.max_frequency" : "grid.rate");
}

static int set_points(struct grid *g, const struct room *room, const struct grid_fit *fit, struct error *e)
{
    char text[512];
    double total = 1.0;
    for (int axis = 0; axis < 3; axis++) {
        g->origin[axis] = origin_along(g, room, axis, fit);
        const double voxels = voxels_along(g, room, axis);
        const double points = voxels + (g->stencil == STENCIL_19_POINT ? 1.0 : 0.0);
        if (!(voxels >= 1.0))
            return refuse_thin(g, room, axis, e);
        total *= points;
        if (!(total <= GRID_POINTS_MAX))
            return fail(e, ERROR_INPUT, "%s: room.size: the grid would have more than 1e13 points; lower %s",
                        where(room, &room->size_origin, text),
                        room->grid.max_frequency > 0.0 ? "grid.max_frequency" : "grid.rate");
        g->voxels[axis] = (size_t)voxels;
        g->points[axis] = (size_t)points;
        g->size[axis] = voxels * g->spacing;
        if (!room->sized_by_points && fabs(g->size[axis] - room->size[axis]) <= 1e-9 * room->size[axis])
            g->size[axis] = room->size[axis]; /* but for rounding */
        if (!room->sized_by_points && room_form(room) == ROOM_BOX)
            g->rounding[axis] = g->size[axis] - room->size[axis];
    }
    return 0;
}

int grid_make_for(struct grid *g, const struct room *room, const struct grid_use *use, struct error *e)
{
    const struct grid_use responses = grid_use_responses(room);
    struct scheme_choice choice;
    struct grid_fit fit;
    memset(g, 0, sizeof *g);
    if (scheme_choose(&choice, room, use ? use : &responses, e))
        return -1;
    g->stencil = choice.stencil;
    g->mapped = choice.mapped;
    memcpy(g->scheme_reason, choice.reason, sizeof g->scheme_reason);
    g->sound_speed = sound_speed(room->air.temperature);
    if (g->stencil == STENCIL_19_POINT ? make_19_point(g, room, &fit, e) : make_7_point(g, room, &fit, e))
        return -1;
    return set_points(g, room, &fit, e);
}

int grid_make(struct grid *g, const struct room *room, struct error *e)
{
    return grid_make_for(g, room, NULL, e);
}

double grid_voxel_distance_squared(const double at[3], const long voxel[3])
{
    double sum = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double low = (double)voxel[axis], apart = fmax(0.0, fmax(low - at[axis], at[axis] - low - 1.0));
        sum += apart * apart;
    }
    return sum;
}
