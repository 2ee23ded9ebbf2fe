/* SPDX-License-Identifier: MIT */
#include "room/grid/receivers.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "room/grid/field_placement.h"

/* Places the taps of one receiver: placed[receiver_taps(r)]. `seed`: index of its first place among the voxels'
 * source voxels. */
typedef int placer(struct placed *placed, struct model *m, const struct receiver *r, size_t seed, struct error *e);

static struct placement placement_of(const struct receiver *r, const struct model *m, size_t place, size_t seed)
{
    return (struct placement){
        "receiver",  r->name, &r->origin, receiver_place(r, place), room_voxels_seed(&m->voxels, seed + place),
        .scale = 1.0};
}

/* Pressure at each position. */
static int place_omni(struct placed *placed, struct model *m, const struct receiver *r, size_t seed, struct error *e)
{
    for (size_t i = 0; i < receiver_place_count(r); i++) {
        const struct placement p = placement_of(r, m, i, seed);
        if (placement_make(&placed[i], m, &p, e))
            return -1;
    }
    return 0;
}

static int take_channel(struct placed *placed, const struct receiver *r, const struct field_cloud *cloud,
                        const double *coefficients, int order, struct error *e)
{
    memcpy(placed->position, r->position, sizeof placed->position);
    return field_cloud_channel(&placed->channel, cloud, coefficients, order, 1.0, false, e);
}

/* The cloud of a receiver that needs order 1. */
static int make_directed(struct field_cloud **cloud, struct model *m, const struct receiver *r, size_t seed,
                         struct error *e)
{
    char what[64];
    const struct placement p = placement_of(r, m, 0, seed);
    snprintf(what, sizeof what, "type = \"%s\"", receiver_type_names[r->kind]);
    if (field_cloud_make(cloud, m, &p, 1, what, e))
        return -1;
    if (!field_cloud_check_order(*cloud, m, &p, what, e))
        return 0;
    field_cloud_free(*cloud);
    *cloud = NULL;
    return -1;
}

/* The gradient of the pressure over s/c along an axis of the receiver: (X, Y, Z) · u in ACN order. */
static void along_axis(double coefficients[4], const struct receiver *r, int axis)
{
    const struct turn turn = turn_of(r->orientation[0], r->orientation[1], r->orientation[2]);
    coefficients[0] = 0.0;
    coefficients[1] = turn.row[1][axis];
    coefficients[2] = turn.row[2][axis];
    coefficients[3] = turn.row[0][axis];
}

/* Pressure, and order 1 along the axis of the pattern. */
static int place_pattern(struct placed *placed, struct model *m, const struct receiver *r, size_t seed, struct error *e)
{
    static const double pressure[4] = {1.0, 0.0, 0.0, 0.0};
    struct field_cloud *cloud;
    double axis[4];
    if (make_directed(&cloud, m, r, seed, e))
        return -1;
    along_axis(axis, r, 0);
    const int status =
        take_channel(&placed[0], r, cloud, pressure, 0, e) || take_channel(&placed[1], r, cloud, axis, 1, e);
    field_cloud_free(cloud);
    return status ? -1 : 0;
}

/* Order 1 along x, y and z of the receiver. */
static int place_velocity(struct placed *placed, struct model *m, const struct receiver *r, size_t seed,
                          struct error *e)
{
    struct field_cloud *cloud = NULL;
    int status = make_directed(&cloud, m, r, seed, e);
    for (int axis = 0; axis < 3 && !status; axis++) {
        double coefficients[4];
        along_axis(coefficients, r, axis);
        status = take_channel(&placed[axis], r, cloud, coefficients, 1, e);
    }
    field_cloud_free(cloud);
    return status ? -1 : 0;
}

static int warn_of_order(struct model *m, const struct receiver *r, const struct field_cloud *cloud, struct error *e)
{
    const double half = m->grid.stencil == STENCIL_19_POINT ? 0.0 : 0.5;
    if (cloud->stencil.order >= (int)r->order)
        return 0;
    return lines_add(&m->warnings, &m->warning_count, e,
                     "receiver %s is %.3g m from a wall, which lowers its order from %zu to %d and leaves higher "
                     "channels silent; keep %.3g m of distance, or use a finer grid",
                     r->name, cloud->wall, r->order, cloud->stencil.order, (FIELD_WALL_FULL + half) * m->grid.spacing);
}

/* The harmonics in the axes of the receiver: those of the field, rotated back by its orientation. */
static int place_field(struct placed *placed, struct model *m, const struct receiver *r, size_t seed, struct error *e)
{
    const struct placement p = placement_of(r, m, 0, seed);
    const struct turn turn = turn_of(r->orientation[0], r->orientation[1], r->orientation[2]), back = turn_back(&turn);
    struct field_cloud *cloud;
    struct field_turn field;
    if (field_cloud_make(&cloud, m, &p, (int)r->order,
                         r->kind == RECEIVER_BINAURAL ? "type = \"binaural\"" : "type = \"ambisonic\"", e))
        return -1;
    field_turn_make(&field, (int)r->order, &back);
    int status = warn_of_order(m, r, cloud, e);
    for (size_t c = 0; c < receiver_taps(r) && !status; c++) {
        const int n = harmonics_order_of(c);
        double coefficients[FIELD_CHANNELS_MAX] = {0.0};
        for (int k = 0; k <= 2 * n; k++)
            coefficients[n * n + k] = field.block[n][c - (size_t)(n * n)][k];
        status = take_channel(&placed[c], r, cloud, coefficients, n, e);
    }
    field_cloud_free(cloud);
    return status ? -1 : 0;
}

static placer *placer_of(const struct receiver *r)
{
    switch (receiver_records(r)) {
    case RECORDS_PRESSURE:
        return place_omni;
    case RECORDS_PATTERN:
        return place_pattern;
    case RECORDS_VELOCITY:
        return place_velocity;
    case RECORDS_HARMONICS:
        break;
    }
    return place_field;
}

struct placement receiver_placement(const struct model *m, size_t receiver, size_t place)
{
    size_t seed = m->room->source_count;
    for (size_t i = 0; i < receiver; i++)
        seed += receiver_place_count(&m->room->receivers[i]);
    return placement_of(&m->room->receivers[receiver], m, place, seed);
}

int receivers_place(struct model *m, struct error *e)
{
    struct placed *placed = m->receivers;
    size_t seed = m->room->source_count;
    for (size_t i = 0; i < m->room->receiver_count; i++) {
        const struct receiver *r = &m->room->receivers[i];
        if (placer_of(r)(placed, m, r, seed, e))
            return -1;
        placed += receiver_taps(r);
        seed += receiver_place_count(r);
    }
    return 0;
}
