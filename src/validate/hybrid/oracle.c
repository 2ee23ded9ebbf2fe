/* SPDX-License-Identifier: MIT */
/* All images of a box compared with its exact field, at complex frequencies at which late images
 * have decayed: the exact images must add up to the field, and so must, approximately, spherical
 * waves times a factor for each wall. */
#include <math.h>

#include "base/nan_max.h"
#include "base/stop.h"
#include "render/hybrid/path_walls.h"
#include "validate/hybrid/checks.h"
#include "validate/hybrid/exact_image.h"
#include "validate/hybrid/lossy_field.h"
#include "validate/hybrid/trend_room.h"

enum { ORDER = 9, RECEIVERS = 2 };
static const double speed = 343.2, growth = 400.0, longest = 22.0, exact_within = 13.0; /* m/s, 1/s, m */
static const double frequencies[] = {300.0, 800.0, 1500.0};

static double complex by_factors(const struct image_path *path, const double complex *admittance, double complex k)
{
    double complex own[PATH_WALLS_MAX];
    for (uint32_t w = 0; w < path->wall_count; w++)
        own[w] = admittance[path->walls[w].material];
    return path_walls_factor(path, own, k * path->distance) * cexp(-I * k * path->distance) /
           (4.0 * M_PI * path->distance);
}

struct oracle_errors {
    double exact, factors; /* relative to the field */
};

static int compare(struct oracle_errors *errors, const struct lossy_field *field, const struct image_box *box,
                   const double source[3], const double receivers[RECEIVERS][3], struct error *e)
{
    double complex exact[RECEIVERS];
    int status = lossy_field_at(exact, field, source, receivers, RECEIVERS, e);
    for (int i = 0; i < RECEIVERS && !status; i++) {
        struct image_paths paths = {0};
        double complex sum = 0.0, factors = 0.0;
        status = box_images_find(&paths, box, source, receivers[i], ORDER, longest, e);
        for (size_t p = 0; p < paths.count && !stop_requested(); p++) {
            const double complex own = by_factors(&paths.list[p], field->admittance, field->k);
            factors += own;
            sum +=
                paths.list[p].distance < exact_within ? exact_image(&paths.list[p], field->admittance, field->k) : own;
        }
        errors->exact = nan_max(errors->exact, cabs(sum / exact[i] - 1.0));
        errors->factors = nan_max(errors->factors, cabs(factors / exact[i] - 1.0));
        image_paths_free(&paths);
    }
    return status;
}

int check_band_oracle(struct validation *v, struct report *r, struct error *e)
{
    (void)v;
    const struct image_box box = {{4.0, 3.0, 2.5}, {0, 1, 2, 3, 4, 5}};
    static const double source[3] = {1.1, 0.9, 1.3}, receivers[RECEIVERS][3] = {{2.9, 2.05, 0.8}, {3.3, 0.7, 1.9}};
    for (int set = 0; set < WALL_SETS; set++) {
        struct oracle_errors errors = {0.0, 0.0};
        for (size_t f = 0; f < sizeof frequencies / sizeof *frequencies; f++) {
            const double complex omega = 2.0 * M_PI * frequencies[f] - I * growth;
            struct lossy_field field = {.size = {box.size[0], box.size[1], box.size[2]}, .k = omega / speed};
            wall_set_at(field.admittance, (enum wall_set)set, omega);
            if (compare(&errors, &field, &box, source, receivers, e) || stop_check(e))
                return -1;
        }
        report_bound(r, "oracle", errors.exact, 1e-6, "%s: exact images compared with the modal field, relative error",
                     wall_set_names[set]);
        report_bound(r, "oracle", errors.factors, 0.01, "    images with the reflection factors of their walls");
    }
    return 0;
}
