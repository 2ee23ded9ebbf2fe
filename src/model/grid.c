#include "model/grid.h"

#include <math.h>
#include <string.h>

#include "acoustics/bands.h"
#include "model/air.h"
#include "schemes/leapfrog/leapfrog.h"

uint64_t grid_points(const struct grid *g)
{
    return (uint64_t)g->points[0] * g->points[1] * g->points[2];
}

static const char *where(const struct room *room, const struct origin *origin, char text[512])
{
    return origin_text(origin, room->path, text, 512);
}

/* Rate and spacing, one of which is given. */
static void set_spacing(struct grid *g, const struct room *room)
{
    const double courant = sqrt(g->courant_squared);
    if (room->grid.rate > 0.0) {
        g->rate = room->grid.rate;
        g->spacing = g->sound_speed / (courant * g->rate);
    } else {
        g->spacing = g->sound_speed / (room->grid.max_frequency * room->grid.points_per_wavelength);
        g->rate = g->sound_speed / (courant * g->spacing);
    }
    g->valid_frequency = g->rate * leapfrog_valid_frequency(g->courant_squared, room->output.dispersion);
}

/* One τ cannot follow ISO 9613-1 in all bands: it is matched in the highest octave of the valid band, at most that of 4
 * kHz, where absorption matters most. The default grid is the same with and without absorption. */
static int set_air(struct grid *g, const struct room *room, struct error *e)
{
    enum { MATCHED_MAX = 6 /* 4 kHz */ };
    const struct air_conditions air = air_conditions(room);
    size_t band = 0;
    while (band < MATCHED_MAX && octave_band_centre[band + 1] <= g->valid_frequency)
        band++;
    g->matched = octave_band_centre[band];
    const double time = air_viscothermal_time(g->matched, &air, g->sound_speed);
    if (leapfrog_viscosity(room->grid.courant, time * g->rate, &g->courant_squared, &g->viscosity, e))
        return -1;
    set_spacing(g, room);
    return 0;
}

int grid_make(struct grid *g, const struct room *room, struct error *e)
{
    char text[512];
    struct error reason;
    memset(g, 0, sizeof *g);
    if (leapfrog_courant_squared(room->grid.courant, &g->courant_squared, &reason))
        return fail(e, ERROR_INPUT, "%s: grid.courant: %s", where(room, &room->grid.origin, text), reason.message);
    g->sound_speed = sound_speed(room->air.temperature);
    set_spacing(g, room);
    if ((room->air.losses || room->grid.courant == 0.0) && room->air.pressure > 0.0 && set_air(g, room, &reason))
        return fail(e, ERROR_INPUT, "%s: air: %s", room->path, reason.message);
    double total = 1.0;
    for (int axis = 0; axis < 3; axis++) {
        double points = room->sized_by_points ? (double)room->points[axis] : round(room->size[axis] / g->spacing);
        if (!(points >= 1.0))
            return fail(e, ERROR_INPUT,
                        "%s: room.size: %g m along %c is less than half of the grid spacing of %.4g m: raise grid.rate",
                        where(room, &room->size_origin, text), room->size[axis], "xyz"[axis], g -> spacing);
        total *= points;
        if (!(total <= 1e13))
            return fail(e, ERROR_INPUT, "%s: room.size: the grid would have more than 1e13 points: lower grid.rate",
                        where(room, &room->size_origin, text));
        g->voxels[axis] = g->points[axis] = (size_t)points;
        g->size[axis] = points * g->spacing;
        g->rounding[axis] = room->sized_by_points ? 0.0 : g->size[axis] - room->size[axis];
    }
    return 0;
}
