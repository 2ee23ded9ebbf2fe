/* SPDX-License-Identifier: MIT */
/* Orders of the modes of a box. */
#include <math.h>

#include "render/modes/room_modes.h"

static const double FIT = 0.8;      /* least correlation of a shape */
static const double REACH = 0.12;   /* of the frequency: how far walls may detune a mode */
static const double REACH_HZ = 3.0; /* Hz */

/* |Σ A φ| / (|A| |φ|) over the places, with φ = Π cos(π m x / L) of rigid walls. */
static double correlation(const struct room_modes *r, const struct found_mode *mode, const int order[3])
{
    const double *size = r->model->grid.size;
    double complex sum = 0.0;
    double squares[2] = {0.0, 0.0};
    for (size_t p = 0; p < r->place_count; p++) {
        double shape = 1.0;
        for (int axis = 0; axis < 3; axis++)
            shape *= cos(M_PI * order[axis] * r->positions[p][axis] / size[axis]);
        sum += mode->amplitudes[p] * shape;
        squares[0] += creal(mode->amplitudes[p] * conj(mode->amplitudes[p]));
        squares[1] += shape * shape;
    }
    return cabs(sum) / sqrt(squares[0] * squares[1]);
}

static double rigid_frequency(const struct room_modes *r, const int order[3], const double size[3])
{
    double sum = 0.0;
    for (int axis = 0; axis < 3; axis++)
        sum += pow(order[axis] / size[axis], 2.0);
    return 0.5 * r->model->grid.sound_speed * sqrt(sum);
}

static void name_one(struct room_modes *r, struct room_mode *mode, const struct found_mode *found)
{
    const double reach = REACH * mode->frequency + REACH_HZ, top = mode->frequency + reach;
    const double *size = r->model->grid.size, c = r->model->grid.sound_speed;
    double best = FIT;
    int order[3];
    for (order[0] = 0; order[0] <= 2.0 * top * size[0] / c; order[0]++)
        for (order[1] = 0; order[1] <= 2.0 * top * size[1] / c; order[1]++)
            for (order[2] = 0; order[2] <= 2.0 * top * size[2] / c; order[2]++) {
                if (!(fabs(rigid_frequency(r, order, size) - mode->frequency) <= reach) ||
                    order[0] + order[1] + order[2] == 0)
                    continue;
                const double fit = correlation(r, found, order);
                if (!(fit > best))
                    continue;
                best = fit;
                mode->has_order = true;
                for (int axis = 0; axis < 3; axis++)
                    mode->order[axis] = order[axis];
            }
}

void room_modes_name(struct room_modes *r, const struct found_mode *found)
{
    if (room_form(r->model->room) != ROOM_BOX || r->model->room->object_count)
        return;
    for (size_t i = 0; i < r->count; i++) {
        struct room_mode *mode = &r->modes[i];
        name_one(r, mode, &found[i]);
        if (mode->has_order) /* as if the grid met the sizes of the room */
            mode->frequency *= rigid_frequency(r, mode->order, r->grid_room.size) /
                               rigid_frequency(r, mode->order, r->model->grid.size);
    }
}
