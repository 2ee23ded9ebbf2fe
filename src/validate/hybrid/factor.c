/* SPDX-License-Identifier: MIT */
/* Each reflection up to order 3 in boxes by the factors of its walls, compared with the exact
 * image: 500 Hz to 2 kHz, by the smallest cosine at a wall. The bounds are 0.5 dB and half a
 * sample at 48 kHz for reflections above a tenth of the incident pressure, and a hundredth of
 * that pressure otherwise. The errors of the plane-wave factor are printed for comparison. */
#include <math.h>
#include <string.h>

#include "base/nan_max.h"
#include "base/stop.h"
#include "render/hybrid/path_walls.h"
#include "validate/hybrid/checks.h"
#include "validate/hybrid/exact_image.h"
#include "validate/hybrid/trend_room.h"

enum { ORDER = 3, FREQUENCIES = 7, PAIRS = 6, COSINES = 4 };
static const double speed = 343.2, rate = 48000.0, spacing = 250.0; /* m/s, Hz, Hz */
static const double cosines[COSINES + 1] = {1.0, 0.4, 0.2, 0.1, 0.0};

struct factor_errors {
    double squares, plane_squares; /* sums over the errors relative to the incident pressure */
    double level, delay, weak;     /* largest: dB, samples, relative to the incident pressure */
    size_t count;
};

/* Relative to the incident wave. */
struct reflection {
    double complex exact[FREQUENCIES], factors[FREQUENCIES], plane[FREQUENCIES];
};

static void reflect(struct reflection *to, const struct image_path *path, enum wall_set set)
{
    for (int f = 0; f < FREQUENCIES; f++) {
        const double omega = 2.0 * M_PI * (500.0 + spacing * f), k = omega / speed;
        double complex y[FACES];
        wall_set_at(y, set, omega);
        to->exact[f] = exact_image(path, y, k) * 4.0 * M_PI * path->distance * cexp(I * k * path->distance);
        double complex all[PATH_WALLS_MAX];
        to->plane[f] = 1.0;
        for (uint32_t w = 0; w < path->wall_count; w++) {
            const struct path_wall *wall = &path->walls[w];
            const double complex own = y[wall->material], plane = (wall->cosine - own) / (wall->cosine + own);
            all[w] = own;
            for (uint32_t n = 0; n < wall->count; n++)
                to->plane[f] *= plane;
        }
        to->factors[f] = path_walls_factor(path, all, k * path->distance);
    }
}

static void judge(struct factor_errors *errors, const struct reflection *of)
{
    double complex product = 0.0;
    double exact = 0.0, factors = 0.0, squares = 0.0;
    for (int f = 0; f < FREQUENCIES; f++) {
        const double error = cabs(of->factors[f] - of->exact[f]);
        exact += pow(cabs(of->exact[f]), 2.0) / FREQUENCIES;
        factors += pow(cabs(of->factors[f]), 2.0) / FREQUENCIES;
        squares += error * error / FREQUENCIES;
        errors->plane_squares += pow(cabs(of->plane[f] - of->exact[f]), 2.0) / FREQUENCIES;
    }
    errors->count++;
    errors->squares += squares;
    if (!(exact > 0.01)) {
        errors->weak = nan_max(errors->weak, sqrt(squares));
        return;
    }
    errors->level = nan_max(errors->level, fabs(10.0 * log10(factors / exact)));
    /* slope of the phase of factors/exact, from the mean of neighbouring products */
    for (int f = 0; f + 1 < FREQUENCIES; f++)
        product += of->factors[f + 1] * conj(of->exact[f + 1]) * conj(of->factors[f] * conj(of->exact[f]));
    errors->delay = nan_max(errors->delay, fabs(carg(product)) / (2.0 * M_PI * spacing) * rate);
}

/* A room, and a corridor from end to end, where sound grazes its walls. */
enum { BOXES = 2 };
static const struct image_box boxes[BOXES] = {{{4.0, 3.0, 2.5}, {0, 1, 2, 3, 4, 5}},
                                              {{20.0, 3.0, 2.5}, {0, 1, 2, 3, 4, 5}}};

static int add_pair(struct factor_errors errors[COSINES], const struct image_box *box, enum wall_set set,
                    struct random *random, struct error *e)
{
    double places[2][3];
    struct image_paths paths = {0};
    for (int i = 0; i < 2; i++)
        for (int axis = 0; axis < 3; axis++)
            places[i][axis] = 0.3 + (box->size[axis] - 0.6) * random_unit(random);
    if (box == &boxes[1]) {
        places[0][0] *= 0.1;
        places[1][0] = box->size[0] - 0.2 * places[1][0];
    }
    if (box_images_find(&paths, box, places[0], places[1], ORDER, INFINITY, e))
        return -1;
    for (size_t p = 0; p < paths.count && !stop_requested(); p++) {
        const struct image_path *path = &paths.list[p];
        struct reflection reflection;
        double cosine = 1.0;
        bool panel = false;
        int class = 0;
        for (uint32_t w = 0; w < path->wall_count; w++) {
            cosine = fmin(cosine, path->walls[w].cosine);
            panel = panel || path->walls[w].material == FACE_Z_MAX;
        }
        if (!path->order || (set == WALLS_PANEL && !panel))
            continue;
        while (class + 1 < COSINES && cosine < cosines[class + 1])
            class ++;
        reflect(&reflection, path, set);
        judge(&errors[class], &reflection);
    }
    image_paths_free(&paths);
    return stop_check(e);
}

static void tell(struct report *r, const struct factor_errors *errors, enum wall_set set, int class)
{
    const double count = (double)errors->count;
    if (!errors->count)
        return;
    report_bound(r, "factor", sqrt(errors->squares / count), 0.003,
                 "%s, cos %.1f to %.1f, %zu reflections: rms error relative to the incident pressure",
                 wall_set_names[set], cosines[class + 1], cosines[class], errors->count);
    report_figure(r, "factor", sqrt(errors->plane_squares / count), "    rms error of the plane-wave factor");
    report_bound(r, "factor", errors->level, 0.5, "    reflections above 0.1: largest error of the level, dB");
    report_bound(r, "factor", errors->delay, 0.5,
                 "    reflections above 0.1: largest error of the delay, samples at 48 kHz");
    report_bound(r, "factor", errors->weak, 0.01,
                 "    reflections below 0.1: largest rms error relative to the incident pressure");
}

int check_band_factor(struct validation *v, struct report *r, struct error *e)
{
    for (int set = 0; set < WALL_SETS; set++) {
        struct factor_errors errors[COSINES];
        memset(errors, 0, sizeof errors);
        for (int pair = 0; pair < (v->cases ? v->cases : PAIRS); pair++)
            if (add_pair(errors, &boxes[pair % BOXES], (enum wall_set)set, &v->random, e))
                return -1;
        for (int class = 0; class < COSINES; class ++)
            tell(r, &errors[class], (enum wall_set)set, class);
    }
    return 0;
}
