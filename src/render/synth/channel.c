/* SPDX-License-Identifier: MIT */
/* Drives and taps: the entries of the state of a voice that a force or a displacement at a place of it reaches. */
#include <math.h>
#include <stdlib.h>

#include "render/synth/ensemble.h"

static void surface_entries(struct channel *c, const struct voice *v, const double place[2])
{
    uint32_t node[4];
    double weight[4];
    surface_place(node, weight, v->surface, &v->grid, &v->plan, place);
    for (int i = 0; i < 4; i++)
        if (weight[i] != 0.0)
            c->entries[c->count++] = (struct channel_entry){node[i], weight[i], v->array, 1};
}

/* p = ρ/4π d(Σ ū)/dt at 1 m, for wavelengths that are long compared with the instrument. */
static void wind_entries(struct channel *c, const struct voice *v, double place)
{
    const struct wind *w = &v->wind->wind;
    if (place == 0.0)
        c->entries[c->count++] = (struct channel_entry){WIND_MOUTHPIECE, 1.0, v->array, 1};
    for (size_t i = 0; i < w->opening_count && place != 0.0; i++)
        c->entries[c->count++] =
            (struct channel_entry){WIND_FLOWS + i, w->bore.grid.density / (4.0 * M_PI), v->array, 1};
}

/* ωk/sin ωk: the velocity of a mode over the central difference of its displacement. */
static double velocity_factor(const struct voice *v, size_t mode, double k)
{
    const double angle = 2.0 * M_PI * v->modes.frequency[v->first_mode + mode] * k;
    return angle > 0.0 ? angle / sin(angle) : 1.0;
}

int ensemble_channel(struct channel *c, const struct ensemble *s, size_t voice, const double place[2],
                     enum channel_use use, struct error *e)
{
    const struct voice *v = &s->voices[voice];
    *c = (struct channel){calloc(v->line.modes + OPENINGS_MAX + 5, sizeof *c->entries), 0};
    if (!c->entries)
        return fail(e, ERROR_MEMORY, "out of memory");
    if (v->wind)
        wind_entries(c, v, place[0]);
    if (v->surface)
        surface_entries(c, v, place);
    const size_t transverse = voice_transverse_modes(v);
    for (size_t m = 0; m < v->torsion.count && use == CHANNEL_SURFACE; m++)
        c->entries[c->count++] =
            (struct channel_entry){transverse + m, line_shape(&v->torsion, m, place[0]), v->array, 1};
    for (size_t m = 0; m < transverse; m++) {
        const double shape = line_shape(&v->modes, v->first_mode + m, place[0]);
        const double factor = use == CHANNEL_VELOCITY ? velocity_factor(v, m, s->bodies.time_step) : 1.0;
        c->entries[c->count++] = (struct channel_entry){m, factor * shape, v->array, 1};
    }
    /* a moving end displaces the whole line */
    const struct connection *connection = &v->line.connection;
    const double end = connection->kind == CONNECTION_END || connection->kind == CONNECTION_BRIDGE
                           ? line_end_shape(&v->modes.line, place[0])
                           : 0.0;
    if (connection->kind == CONNECTION_BRIDGE)
        c->entries[c->count++] = (struct channel_entry){v->line.modes, end, v->array, 1};
    for (int i = 0; i < CONNECTION_NODES_MAX && connection->kind == CONNECTION_END; i++)
        if (connection->weight[i] != 0.0)
            c->entries[c->count++] = (struct channel_entry){connection->node[i], end * connection->weight[i],
                                                            s->voices[v->body_voice].array, 1};
    return 0;
}
