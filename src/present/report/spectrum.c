/* SPDX-License-Identifier: MIT */
#include "present/report/spectrum.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "dsp/fourier.h"

enum { LONGEST = 1 << 22 }; /* frames; the rest of a longer response is ignored */

static size_t power_of_two(double min)
{
    size_t length = 16;
    while ((double)length < min)
        length *= 2;
    return length;
}

void spectrum_free(struct spectrum *s)
{
    if (!s)
        return;
    free(s->power);
    memset(s, 0, sizeof *s);
}

int spectrum_make(struct spectrum *s, const double *samples, size_t frames, double rate, struct error *e)
{
    struct fourier f = {0};
    memset(s, 0, sizeof *s);
    if (frames > LONGEST)
        frames = LONGEST;
    const size_t length = power_of_two(2.0 * (double)frames);
    double *re = calloc(length, sizeof *re), *im = calloc(length, sizeof *im);
    s->count = length / 2 + 1;
    s->step = rate / (double)length;
    s->power = malloc(s->count * sizeof *s->power);
    int status = re && im && s->power ? fourier_make(&f, length, e) : fail(e, ERROR_MEMORY, "out of memory");
    if (!status) {
        memcpy(re, samples, frames * sizeof *re);
        fourier_forward(&f, re, im);
        for (size_t k = 0; k < s->count && !stop_requested_at(k); k++) {
            const size_t at = fourier_index(&f, k);
            s->power[k] = re[at] * re[at] + im[at] * im[at];
        }
        status = stop_check(e);
    }
    if (status)
        spectrum_free(s);
    fourier_free(&f);
    free(re);
    free(im);
    return status;
}

double spectrum_smooth(const struct spectrum *s, double f, double part)
{
    const double edge = exp2(0.5 * part);
    double sum = 0.0, number = 0.0;
    const size_t first = (size_t)ceil(f / edge / s->step);
    for (size_t k = first; k < s->count && (double)k * s->step <= f * edge; k++) {
        sum += s->power[k];
        number += 1.0;
    }
    return sum / number;
}

/* Inserts a mode by its frequency and keeps the `max` lowest. */
static void insert(struct mode *modes, size_t *count, size_t max, const struct mode *new)
{
    size_t at = *count < max ? (*count)++ : max - 1;
    for (; at > 0 && modes[at - 1].frequency > new->frequency; at--)
        modes[at] = modes[at - 1];
    modes[at] = *new;
}

static bool is_full_below(const struct mode *modes, size_t count, size_t max, double frequency)
{
    return count == max && !(frequency < modes[max - 1].frequency);
}

size_t box_modes(struct mode *modes, size_t max, const double size[3], double c)
{
    size_t count = 0;
    if (max == 0 || !(c > 0.0) || !(size[0] > 0.0 && size[1] > 0.0 && size[2] > 0.0))
        return 0;
    /* Frequencies rise with each index, so the first mode that does not fit ends its loop. */
    for (int x = 0;; x++) {
        const double fx = 0.5 * c * x / size[0];
        if (is_full_below(modes, count, max, fx))
            return count;
        for (int y = 0;; y++) {
            const double fy = 0.5 * c * y / size[1];
            if (is_full_below(modes, count, max, hypot(fx, fy)))
                break;
            for (int z = 0;; z++) {
                const struct mode mode = {{x, y, z},
                                          hypot(hypot(fx, fy), 0.5 * c * z / size[2]),
                                          (enum mode_kind)((x > 0) + (y > 0) + (z > 0) - 1)};
                if (is_full_below(modes, count, max, mode.frequency))
                    break;
                if (x + y + z > 0)
                    insert(modes, &count, max, &mode);
            }
        }
    }
}

const char *not_a_box(const struct room *room, double volume, double box_volume)
{
    for (size_t w = 0; w < FACES; w++)
        if (boundary_kind_of(&room->materials[room->walls[w]])->fixed)
            return "the room has pressure-release walls, so its modes differ from those of a rigid box";
    if (!(volume >= 0.9 * box_volume))
        return "the air fills less than nine tenths of the bounding box, so the modes of a box do not apply";
    return NULL;
}
