/* SPDX-License-Identifier: MIT */
/* Lossy boxes compared with their exact complex modes: frequency, T60 and order of all modes below 0.8 of the range that
 * carry more than -40 dB at any place. */
#include <math.h>
#include <stdlib.h>

#include "base/nan_max.h"
#include "base/text.h"
#include "dsp/modes/damped.h"
#include "render/modes/room_modes.h"
#include "validate/isotropic19/robin_box.h"
#include "validate/modes/checks.h"

enum { BOXES = 2, FULL_BOXES = 6, ORDERS = 12 };
static const double FREQUENCY = 1e-3, T60 = 0.03, CARRIED = -40.0; /* shares; dB */

/* A box with walls of a real impedance across each axis. */
struct lossy {
    double size[3], impedance[3]; /* m */
    double to;                    /* Hz */
};

static int read_box(struct room **room, const struct lossy *b, struct error *e)
{
    char *text = text_format(
        "room: { size = [%.6f, %.6f, %.6f]; walls: { x_min = \"a\"; x_max = \"a\"; y_min = \"b\"; y_max = \"b\";"
        " z_min = \"c\"; z_max = \"c\"; }; };\n"
        "materials: { a: { impedance = %.6f; }; b: { impedance = %.6f; }; c: { impedance = %.6f; }; };\n"
        "air: { losses = false; }; grid: { max_frequency = 500.0; }; time: { duration = 1.0; };\n"
        "sources = ( { name = \"S\"; position = [%.6f, %.6f, %.6f]; } );\n"
        "receivers = ( { name = \"R\"; position = [%.6f, %.6f, %.6f]; } );\n",
        b->size[0], b->size[1], b->size[2], b->impedance[0], b->impedance[1], b->impedance[2], 0.23 * b->size[0],
        0.31 * b->size[1], 0.42 * b->size[2], 0.63 * b->size[0], 0.57 * b->size[1], 0.48 * b->size[2]);
    const int status = text ? room_read_text(room, "box", text, NULL, 0, e) : fail(e, ERROR_MEMORY, "out of memory");
    free(text);
    return status;
}

struct worst {
    double frequency, t60; /* shares */
    size_t exact, missing, misnamed;
};

/* Whether another exact mode lies so close that either may be the nearest. */
static const struct room_mode *nearest(const struct room_modes *r, double frequency, double t60)
{
    const struct room_mode *best = NULL;
    double least = INFINITY;
    for (size_t i = 0; i < r->count; i++) {
        const double apart =
            hypot((r->modes[i].frequency / frequency - 1.0) / FREQUENCY, (r->modes[i].t60 / t60 - 1.0) / T60);
        if (apart < least) {
            least = apart;
            best = &r->modes[i];
        }
    }
    return best;
}

/* The level of the mode found within 1 Hz, or of none: then a mode is missing. */
static void compare(struct worst *w, const struct room_modes *r, const size_t order[3], double complex k, double speed)
{
    const double frequency = creal(k) * speed / (2.0 * M_PI), t60 = 3.0 * M_LN10 / (fabs(cimag(k)) * speed);
    const struct room_mode *mode = nearest(r, frequency, t60);
    w->exact++;
    if (!mode || fabs(mode->frequency - frequency) > 1.0) {
        w->missing++;
        return;
    }
    if (!(mode->level > CARRIED))
        return;
    w->frequency = nan_max(w->frequency, fabs(mode->frequency / frequency - 1.0));
    w->t60 = nan_max(w->t60, fabs(mode->t60 / t60 - 1.0));
    for (int axis = 0; axis < 3 && mode->has_order; axis++)
        if ((size_t)mode->order[axis] != order[axis]) {
            w->misnamed++;
            break;
        }
}

static void compare_all(struct worst *w, const struct room_modes *r, const struct lossy *b)
{
    struct robin_box exact = {.speed = r->model->grid.sound_speed};
    size_t order[3];
    for (int axis = 0; axis < 3; axis++) {
        exact.length[axis] = b->size[axis];
        exact.walls[axis].real = 1.0 / b->impedance[axis];
    }
    *w = (struct worst){.frequency = 0.0};
    for (order[0] = 0; order[0] < ORDERS; order[0]++)
        for (order[1] = 0; order[1] < ORDERS; order[1]++)
            for (order[2] = 0; order[2] < ORDERS; order[2]++) {
                double complex q[3];
                double rigid = 0.0;
                for (int axis = 0; axis < 3; axis++)
                    rigid += pow((double)order[axis] / b->size[axis], 2.0);
                rigid = 0.5 * exact.speed * sqrt(rigid);
                if (rigid > 0.0 && rigid <= 0.8 * b->to)
                    compare(w, r, order, robin_mode(&exact, order, q), exact.speed);
            }
}

static int check_box(const struct lossy *b, struct validation *v, struct report *report, struct error *e)
{
    struct room_modes found = {.count = 0};
    struct room *room = NULL;
    struct worst w;
    int status = read_box(&room, b, e) || room_modes_find(&found, room, b->to, &v->choice, NULL, e) ? -1 : 0;
    if (!status) {
        compare_all(&w, &found, b);
        report_bound(report, "boxes", w.frequency, FREQUENCY,
                     "%.3f x %.3f x %.3f m, %zu modes below %.0f Hz: worst frequency, share", b->size[0], b->size[1],
                     b->size[2], w.exact, 0.8 * b->to);
        report_bound(report, "boxes", w.t60, T60, "the same: worst T60, share");
        report_bound(report, "boxes", (double)w.missing, 0.0, "the same: modes without one within 1 Hz");
        report_bound(report, "boxes", (double)w.misnamed, 0.0, "the same: modes of another order");
        report_figure(report, "boxes", found.size_error, "the same: worst size, share");
    }
    room_modes_free(&found);
    room_free(room);
    return status;
}

int check_modes_boxes(struct validation *v, struct report *r, struct error *e)
{
    const int boxes = v->cases ? v->cases : v->full ? FULL_BOXES : BOXES;
    if (damped_unavailable()) {
        report_skip(r, "boxes", damped_unavailable());
        return 0;
    }
    for (int i = 0; i < boxes; i++) {
        struct lossy b = {.to = v->full ? 150.0 : 120.0};
        for (int axis = 0; axis < 3; axis++) {
            b.size[axis] =
                0.05 * (double)(axis == 2 ? random_between(&v->random, 44, 60) : random_between(&v->random, 60, 100));
            b.impedance[axis] = 30.0 + 60.0 * random_unit(&v->random);
        }
        if (check_box(&b, v, r, e))
            return -1;
    }
    return 0;
}

/* Two modes 0.997 Hz apart: (1,0,0) and (0,1,0) of a box of 4.2 m x 4.1 m, at c = 343.2 m/s. */
int check_modes_neighbours(struct validation *v, struct report *r, struct error *e)
{
    struct room_modes found = {.count = 0};
    struct room *room = NULL;
    const double lower = 40.857, apart = 0.9965;
    const struct lossy b = {.size = {4.2, 4.1, 2.5}, .impedance = {60.0, 60.0, 60.0}, .to = 70.0};
    if (damped_unavailable()) {
        report_skip(r, "neighbours", damped_unavailable());
        return 0;
    }
    const int status = read_box(&room, &b, e) || room_modes_find(&found, room, b.to, &v->choice, NULL, e) ? -1 : 0;
    size_t between = 0;
    double gap = NAN, shortest = INFINITY;
    for (size_t i = 0; i < found.count && !status; i++)
        if (fabs(found.modes[i].frequency - lower - 0.5) < 2.0) {
            gap = between++ ? found.modes[i].frequency - found.modes[i - 1].frequency : NAN;
            shortest = fmin(shortest, found.modes[i].t60);
        }
    if (!status) {
        report_bound(r, "neighbours", fabs((double)between - 2.0), 0.0, "modes near %.0f Hz other than 2", lower);
        report_bound(r, "neighbours", fabs(gap - apart), 0.02, "their distance of %.4f Hz: error, Hz (T60 %.2f s)",
                     apart, shortest);
    }
    room_modes_free(&found);
    room_free(room);
    return status;
}
