/* SPDX-License-Identifier: MIT */
#include "render/early_reflections.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "render/early_part.h"
#include "render/views.h"

const double early_reflections_window = 0.1;

/* The octaves of the level, and a band of filters that contains them. */
enum { FIRST_OCTAVE = 1, LAST_OCTAVE = 6 };
static const struct early_part octaves = {.rate = 16000.0, .low = 88.0, .top = {6000.0, 7500.0}};

/* What the level of a path needs. */
struct levels {
    struct path_sound sound;
    struct source_view view;
    struct path_source source;
    double complex *spectrum; /* [sound.bins] */
};

static int levels_make(struct levels *l, const struct image_room *images, const struct model *m, size_t source,
                       struct error *e)
{
    if (early_part_sound_make(&l->sound, &octaves, images, m, e) || source_view_make(&l->view, source, m, &l->sound, e))
        return -1;
    l->source = (struct path_source){source_view_multiply, &l->view, 1.0};
    l->spectrum = malloc(l->sound.bins * sizeof *l->spectrum);
    return l->spectrum ? 0 : fail(e, ERROR_MEMORY, "out of memory");
}

static void levels_free(struct levels *l)
{
    free(l->spectrum);
    source_view_free(&l->view);
    path_sound_free(&l->sound);
}

/* Of pink noise. */
static double energy_of(struct levels *l, const struct image_path *path)
{
    double sum = 0.0;
    path_spectrum(l->spectrum, &l->sound, path, &l->source);
    for (int octave = FIRST_OCTAVE; octave <= LAST_OCTAVE; octave++) {
        const double low = octave_band_centre[octave] * M_SQRT1_2, high = octave_band_centre[octave] * M_SQRT2;
        double energy = 0.0;
        size_t count = 0;
        for (size_t k = 0; k < l->sound.bins; k++) {
            if (!(l->sound.frequency[k] >= low && l->sound.frequency[k] < high))
                continue;
            const double re = creal(l->spectrum[k]), im = cimag(l->spectrum[k]);
            energy += re * re + im * im;
            count++;
        }
        sum += energy / (double)count;
    }
    return sum;
}

/* As if nothing blocked it. */
static struct image_path direct_path(const struct image_room *images, const double source[3], const double receiver[3])
{
    struct image_path path = {.order = 0};
    double square = 0.0;
    for (int k = 0; k < 3; k++)
        square += (source[k] - receiver[k]) * (source[k] - receiver[k]);
    path.distance = sqrt(square);
    for (int k = 0; k < 3; k++) {
        path.arrival[k] = path.distance > 0.0 ? (source[k] - receiver[k]) / path.distance : k == 0;
        path.departure[k] = -path.arrival[k];
    }
    path.distance = fmax(path.distance, images->nearest);
    return path;
}

static int add_reflection(struct early_reflections *r, const struct image_path *path, const struct image_room *images,
                          const double source[3], const double receiver[3], struct error *e)
{
    struct early_reflection *one = &r->list[r->count++];
    *one = (struct early_reflection){.time = path->distance / images->sound_speed - r->arrival,
                                     .order = path->order,
                                     .points = malloc((path->order + 2) * sizeof *one->points),
                                     .materials = malloc(path->order * sizeof *one->materials)};
    if (!one->points || !one->materials)
        return fail(e, ERROR_MEMORY, "out of memory");
    image_room_points(one->points, one->materials, images, path, source, receiver);
    return 0;
}

static int list_paths(struct early_reflections *r, const struct image_paths *paths, struct levels *levels,
                      const struct image_room *images, const double source[3], const double receiver[3],
                      struct error *e)
{
    const struct image_path direct = direct_path(images, source, receiver);
    const double own = energy_of(levels, &direct);
    r->blocked = true;
    r->list = calloc(EARLY_REFLECTIONS_MOST, sizeof *r->list);
    if (!r->list)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < paths->count; i++) {
        const struct image_path *path = &paths->list[i];
        if (!path->order) {
            r->blocked = false;
            continue;
        }
        if (r->found++ >= EARLY_REFLECTIONS_MOST)
            continue;
        if (stop_check(e) || add_reflection(r, path, images, source, receiver, e))
            return -1;
        r->list[r->count - 1].level = own > 0.0 ? 10.0 * log10(energy_of(levels, path) / own) : NAN;
    }
    return 0;
}

int early_reflections_find(struct early_reflections *r, const struct image_room *images, const struct model *m,
                           size_t source, size_t receiver, struct error *e)
{
    const double *from = m->sources[room_first_drive(m->room, source)].position;
    const double *at = m->receivers[room_first_tap(m->room, receiver)].position;
    struct mirror_sequences sequences = {.list = NULL};
    struct image_paths paths = {.list = NULL};
    struct levels levels = {.spectrum = NULL};
    r->distance = direct_path(images, from, at).distance;
    r->arrival = r->distance / images->sound_speed;
    const double longest = (r->arrival + early_reflections_window) * images->sound_speed;
    const int status = image_room_sequences(&sequences, images, from, e) ||
                       image_room_paths(&paths, images, &sequences, from, at, longest, e) ||
                       levels_make(&levels, images, m, source, e) ||
                       list_paths(r, &paths, &levels, images, from, at, e);
    levels_free(&levels);
    image_paths_free(&paths);
    mirror_sequences_free(&sequences);
    return status ? -1 : 0;
}

void early_reflections_free(struct early_reflections *r)
{
    for (size_t i = 0; i < r->count; i++) {
        free(r->list[i].points);
        free(r->list[i].materials);
    }
    free(r->list);
    memset(r, 0, sizeof *r);
}
