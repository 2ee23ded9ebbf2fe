/* SPDX-License-Identifier: MIT */
/* Directivities of sources and the drives that represent them on the grid. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "io/sofa/directivity.h"
#include "room/reader.h"

/* Supercardioid: the greatest ratio of front to back at random incidence, (sqrt 3 - 1)/2; hypercardioid: the least
 * random incidence of order 1. */
const double directivity_pressure[] = {1.0, 0.5, 0.36602540378443865, 0.25, 0.0};
_Static_assert(sizeof directivity_pressure / sizeof *directivity_pressure == DIRECTIVITIES,
               "each pattern has its pressure");

/* By order, theory (57): cardioid ((1 + cos θ)/2)^N; supercardioid: the greatest ratio of power to the front half and
 * to the back (the eigenvector of ∫ P_n P_m over both); hypercardioid: the narrowest, (2n + 1)/(N + 1)²; figure of
 * eight cos^N θ. As Elko, "Differential microphone arrays", in Huang, Benesty, Audio Signal Processing, 2004. */
static const double patterns[DIRECTIVITIES][PATTERN_ORDER_MAX][PATTERN_ORDER_MAX + 1] = {
    [DIRECTIVITY_OMNI] = {{1.0}, {1.0}, {1.0}},
    [DIRECTIVITY_CARDIOID] = {{1.0 / 2, 1.0 / 2}, {1.0 / 3, 1.0 / 2, 1.0 / 6}, {1.0 / 4, 9.0 / 20, 1.0 / 4, 1.0 / 20}},
    [DIRECTIVITY_SUPERCARDIOID] = {{0.36602540378443865, 0.63397459621556135},
                                   {0.23616579262360612, 0.4686269665968861, 0.2952072407795079},
                                   {0.17679173987013633, 0.3840751756118518, 0.3166848951638531, 0.12244818935415876}},
    [DIRECTIVITY_HYPERCARDIOID] = {{1.0 / 4, 3.0 / 4},
                                   {1.0 / 9, 3.0 / 9, 5.0 / 9},
                                   {1.0 / 16, 3.0 / 16, 5.0 / 16, 7.0 / 16}},
    [DIRECTIVITY_FIGURE_OF_EIGHT] = {{0.0, 1.0}, {1.0 / 3, 0.0, 2.0 / 3}, {0.0, 3.0 / 5, 0.0, 2.0 / 5}},
};

int source_order(const struct source *s)
{
    if (s->directivity == DIRECTIVITY_OMNI)
        return 0;
    return s->order ? (int)s->order : s->directivity == DIRECTIVITY_FILE ? 3 : 1;
}

void source_pattern(double a[PATTERN_ORDER_MAX + 1], enum directivity directivity, int order)
{
    static const double none[PATTERN_ORDER_MAX + 1] = {1.0};
    memcpy(a, order ? patterns[directivity][order - 1] : none, sizeof none);
}

const char *source_pattern_name(const struct source *s)
{
    return s->directivity == DIRECTIVITY_FILE ? path_name(s->pattern) : directivity_names[s->directivity];
}

size_t source_drives(const struct source *s)
{
    return s->directivity == DIRECTIVITY_FILE ? s->radiation.used : (size_t)source_order(s) + 1;
}

size_t room_first_drive(const struct room *room, size_t source)
{
    size_t first = 0;
    for (size_t i = 0; i < source && i < room->source_count; i++)
        first += source_drives(&room->sources[i]);
    return first;
}

size_t room_drive_count(const struct room *room)
{
    return room_first_drive(room, room->source_count);
}

/* ---- directivities from files */

enum { LATTICE_LEAST = 400 };

/* Fits a directivity that the file states in harmonics, sampled in many directions. */
static int fit_harmonics(struct radiation *r, const struct directivity_data *d, int order, const char *path,
                         struct error *e)
{
    const size_t wanted = 4 * d->receivers, count = wanted > LATTICE_LEAST ? wanted : LATTICE_LEAST;
    double(*direction)[3] = calloc(count, sizeof *direction), *scratch = calloc(d->receivers, sizeof *scratch);
    double(*value)[2] = calloc(count * d->frequencies, sizeof *value);
    int status = direction && scratch && value ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    if (!status) {
        radiation_lattice(direction, count);
        for (size_t k = 0; k < d->frequencies; k++)
            radiation_sample(value + k * count, (const double(*)[3])direction, count,
                             (const double(*)[2])d->value + k * d->receivers, d->order, scratch);
        const struct radiation_samples samples = {
            count, d->frequencies, d->distance, (const double(*)[3])direction, d->frequency, (const double(*)[2])value};
        status = radiation_fit(r, &samples, order, path, e);
    }
    free(direction);
    free(scratch);
    free(value);
    return status;
}

static int fit_pattern(struct radiation *r, const struct directivity_data *d, int order, const char *path,
                       struct error *e)
{
    const struct radiation_samples samples = {d->receivers, d->frequencies,
                                              d->distance,  (const double(*)[3])d->direction,
                                              d->frequency, (const double(*)[2])d->value};
    return d->direction ? radiation_fit(r, &samples, order, path, e) : fit_harmonics(r, d, order, path, e);
}

int source_read_pattern(struct source *s, struct error *e)
{
    struct directivity_data data;
    if (directivity_read(&data, s->pattern, e))
        return -1;
    const int status = fit_pattern(&s->radiation, &data, source_order(s), s->pattern, e);
    directivity_free(&data);
    return status;
}

int source_make_pattern(struct reader *r, size_t index, struct source *s)
{
    struct error why;
    if (s->directivity == DIRECTIVITY_OMNI && s->order)
        return reader_refuse_at(r, &s->origin, "sources[%zu].order: an omni source has no order; remove it", index);
    if (s->directivity != DIRECTIVITY_FILE)
        return s->order <= PATTERN_ORDER_MAX
                   ? 0
                   : reader_refuse_at(r, &s->origin,
                                      "sources[%zu].order: %zu is too high for directivity = \"%s\"; use 1 to %d",
                                      index, s->order, directivity_names[s->directivity], (int)PATTERN_ORDER_MAX);
    if (!source_read_pattern(s, &why))
        return 0;
    if (why.code != ERROR_INPUT)
        return fail(r->error, why.code, "%s", why.message);
    return reader_refuse_at(
        r, &s->origin, "sources[%zu].directivity: %s%s", index, why.message,
        access(s->pattern, F_OK) ? "; loudspeaker.sofa and talker.sofa are supplied with aula and need no folder" : "");
}
