/* SPDX-License-Identifier: MIT */
#include "io/sofa/hrtf.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "io/sofa/hrtf_distances.h"
#include "io/sofa/places.h"
#include "io/sofa/units.h"
#include "io/sofa/write.h"

/* Which ear of an HRTF is the left one: by its responses. */

/* By how much the ear that counts as the left one is louder and earlier than the other for a source on the left: the
 * mean over directions on the left, less that over those on the right, over 2. */
struct hrtf_sides {
    double level, time; /* dB, s */
};

static const double ASIDE = 0.3;               /* of the direction along y: less is neither left nor right */
static const double ONSET = 0.2;               /* of the peak: arrival */
static const double LEVEL = 1.0, TIME = 50e-6; /* dB, s: less does not tell */

struct ear {
    double energy, arrival; /* arrival in samples */
};

static struct ear ear_of(const struct hrtf *h, size_t direction, size_t ear)
{
    const double *response = h->responses + (2 * direction + ear) * h->taps;
    struct ear of = {0.0, 0.0};
    double peak = 0.0;
    size_t first = 0;
    for (size_t n = 0; n < h->taps; n++) {
        of.energy += response[n] * response[n];
        peak = fmax(peak, fabs(response[n]));
    }
    while (first < h->taps && fabs(response[first]) < ONSET * peak)
        first++;
    of.arrival = (double)first + h->delay[direction][ear];
    return of;
}

static struct hrtf_sides hrtf_compare_sides(const struct hrtf *h)
{
    double level[2] = {0.0, 0.0}, time[2] = {0.0, 0.0}; /* sums over directions on the left and on the right */
    size_t count[2] = {0, 0};
    for (size_t m = 0; m < h->directions; m++) {
        const struct ear left = ear_of(h, m, 0), right = ear_of(h, m, 1);
        const size_t side = h->direction[m][1] < 0.0;
        if (!(fabs(h->direction[m][1]) > ASIDE && left.energy > 0.0 && right.energy > 0.0))
            continue;
        level[side] += 10.0 * log10(left.energy / right.energy);
        time[side] += (right.arrival - left.arrival) / h->rate;
        count[side]++;
    }
    struct hrtf_sides sides = {0.0, 0.0};
    for (int side = 0; side < 2; side++)
        if (count[side]) {
            sides.level += (side ? -0.5 : 0.5) * level[side] / (double)count[side];
            sides.time += (side ? -0.5 : 0.5) * time[side] / (double)count[side];
        }
    return sides;
}

static bool hrtf_sides_are_exchanged(const struct hrtf_sides *sides)
{
    const bool against = sides->level < -LEVEL || sides->time<-TIME, with = sides->level> LEVEL || sides->time > TIME;
    return against && !with;
}

static void hrtf_exchange_ears(struct hrtf *h)
{
    for (size_t m = 0; m < h->directions; m++) {
        double *left = h->responses + 2 * m * h->taps, *right = left + h->taps;
        const double delay = h->delay[m][0];
        h->delay[m][0] = h->delay[m][1];
        h->delay[m][1] = delay;
        for (size_t n = 0; n < h->taps; n++) {
            const double sample = left[n];
            left[n] = right[n];
            right[n] = sample;
        }
    }
}

enum { TAPS_MAX = 65536, DIRECTIONS_MIN = 16, DELAY_MAX = 65536 };

/* State while the document is interpreted. */
struct source {
    const struct sofa_document *document;
    const char *path;
    const struct sofa_variable *responses;
    int left;             /* which of the two receivers: 0 or 1 */
    bool placed;          /* by their positions */
    size_t *measurements; /* [directions] that are used */
};

static int find_responses(struct source *s, struct error *e)
{
    const struct sofa_variable *v = s->responses = sofa_variable(s->document, "Data.IR");
    if (!v)
        return fail(e, ERROR_INPUT, "%s: has no Data.IR", s->path);
    if (v->rank != 3 || v->extent[1] != 2)
        return fail(e, ERROR_INPUT, "%s: wrong shape; Data.IR must be [measurements][2 ears][taps]", s->path);
    if (v->extent[0] < DIRECTIONS_MIN || v->extent[2] > TAPS_MAX)
        return fail(e, ERROR_INPUT,
                    "%s: has %zu directions of %zu taps; at least %d directions and at most %d taps are supported",
                    s->path, v->extent[0], v->extent[2], DIRECTIONS_MIN, TAPS_MAX);
    return 0;
}

/* The receiver with the greater y is the left ear; without positions, the first one. */
static int find_ears(struct source *s, struct error *e)
{
    struct sofa_places ears;
    double at[2][3];
    if (!sofa_variable(s->document, "ReceiverPosition"))
        return 0;
    if (sofa_places(&ears, s->document, "ReceiverPosition", 2, s->path, e))
        return -1;
    sofa_place(at[0], &ears, 0);
    sofa_place(at[1], &ears, 1);
    s->left = at[1][1] > at[0][1];
    s->placed = at[1][1] != at[0][1];
    return 0;
}

static int read_rate(struct hrtf *h, const struct source *s, struct error *e)
{
    static const enum sofa_quantity frequency = SOFA_FREQUENCY;
    const struct sofa_variable *v = sofa_variable(s->document, "Data.SamplingRate");
    const size_t count = v ? sofa_variable_size(v) : 0;
    double factor = 0.0;
    if (v && sofa_units(&factor, &frequency, 1, v, 0.0, s->path, e))
        return -1;
    h->rate = v ? factor * v->values[0] : 0.0;
    for (size_t i = 1; i < count; i++)
        if (!(v->values[i] == v->values[0]))
            return fail(e, ERROR_INPUT, "%s: the responses have different sampling rates", s->path);
    return h->rate >= 1000.0 && h->rate <= 1e6
               ? 0
               : fail(e, ERROR_INPUT, "%s: Data.SamplingRate is %g Hz; it must be 1000 to 1000000 Hz", s->path,
                      h->rate);
}

/* Directions and distances of the sources of all measurements. */
static int read_places(struct hrtf *h, double *radius, const struct source *s, struct error *e)
{
    struct sofa_places sources, listener;
    struct sofa_axes axes;
    const size_t count = h->directions;
    if (sofa_places(&sources, s->document, "SourcePosition", count, s->path, e) ||
        sofa_places(&listener, s->document, "ListenerPosition", count, s->path, e) ||
        sofa_axes(&axes, s->document, "ListenerView", "ListenerUp", count, s->path, e))
        return -1;
    for (size_t i = 0; i < count; i++) {
        double place[3], head[3];
        sofa_place(place, &sources, i);
        sofa_place(head, &listener, i);
        for (int k = 0; k < 3; k++)
            place[k] -= head[k];
        if (sofa_seen(h->direction[i], &axes, i, place, s->path, e))
            return -1;
        radius[i] = sqrt(place[0] * place[0] + place[1] * place[1] + place[2] * place[2]);
        for (int k = 0; k < 3; k++)
            h->direction[i][k] /= radius[i];
        if (!(radius[i] >= 0.01))
            return fail(e, ERROR_INPUT, "%s: the source of measurement %zu is inside the head", s->path, i + 1);
    }
    return 0;
}

static int read_directions(struct hrtf *h, const struct source *s, double distance, struct error *e)
{
    double *radius = malloc(h->directions * sizeof *radius);
    const int status = !radius ? fail(e, ERROR_MEMORY, "%s: out of memory", s->path)
                       : read_places(h, radius, s, e)
                           ? -1
                           : hrtf_keep_distance(s->measurements, h, radius, distance, DIRECTIONS_MIN, s->path, e);
    free(radius);
    return status;
}

/* [1 or measurements][2 ears]; none: 0. */
static int read_delays(struct hrtf *h, const struct source *s, struct error *e)
{
    static const enum sofa_quantity quantity = SOFA_DELAY;
    const struct sofa_variable *v = sofa_variable(s->document, "Data.Delay");
    double factor;
    if (!v)
        return 0;
    if (sofa_units(&factor, &quantity, 1, v, h->rate, s->path, e))
        return -1;
    if (v->rank != 2 || v->extent[1] != 2 || (v->extent[0] != 1 && v->extent[0] != s->responses->extent[0]))
        return fail(e, ERROR_INPUT, "%s: wrong shape; Data.Delay must be [1 or measurements][2 ears]", s->path);
    for (size_t i = 0; i < h->directions; i++)
        for (int ear = 0; ear < 2; ear++) {
            const size_t row = v->extent[0] == 1 ? 0 : s->measurements[i];
            const double delay = factor * v->values[2 * row + (size_t)(ear ^ s->left)];
            if (!(delay >= 0.0 && delay <= DELAY_MAX))
                return fail(e, ERROR_INPUT, "%s: a delay of measurement %zu is outside 0 to %d samples", s->path,
                            s->measurements[i] + 1, DELAY_MAX);
            h->delay[i][ear] = delay;
        }
    return 0;
}

static int read_responses(struct hrtf *h, const struct source *s, struct error *e)
{
    double energy = 0.0;
    for (size_t i = 0; i < h->directions; i++)
        for (size_t ear = 0; ear < 2; ear++) {
            const size_t row = 2 * s->measurements[i] + (ear ^ (size_t)s->left);
            const double *from = s->responses->values + row * h->taps;
            double *to = h->responses + (2 * i + ear) * h->taps;
            for (size_t n = 0; n < h->taps; n++) {
                if (!(fabs(from[n]) <= 1e6))
                    return fail(e, ERROR_INPUT, "%s: a sample of measurement %zu is not finite or exceeds a million",
                                s->path, s->measurements[i] + 1);
                to[n] = from[n];
                energy += from[n] * from[n];
            }
        }
    return energy > 0.0 ? 0 : fail(e, ERROR_INPUT, "%s: the responses are silent", s->path);
}

/* If positions and responses disagree, the responses are right: files of several years have the ears swapped. */
static int settle_ears(struct hrtf *h, const struct source *s, struct error *e)
{
    struct hrtf_sides sides = hrtf_compare_sides(h);
    const int taken = s->left ? 1 : 2; /* if the ears are swapped */
    if (!hrtf_sides_are_exchanged(&sides))
        return 0;
    hrtf_exchange_ears(h);
    return lines_add(&h->warnings, &h->warning_count, e,
                     "%s: %s, but sources on the left are %.1f dB louder and %.2f ms earlier in receiver %d, which is "
                     "used as the left ear",
                     s->path,
                     s->placed ? s->left ? "ReceiverPosition places the right ear first"
                                         : "ReceiverPosition places the left ear first"
                               : "ReceiverPosition does not distinguish left from right",
                     -sides.level, -1e3 * sides.time, taken);
}

static int understand(struct hrtf *h, const struct source *s, double distance, struct error *e)
{
    if (!s->measurements || !h->direction || !h->delay || !h->responses)
        return fail(e, ERROR_MEMORY, "%s: out of memory", s->path);
    return read_directions(h, s, distance, e) || read_delays(h, s, e) || read_responses(h, s, e) || settle_ears(h, s, e)
               ? -1
               : 0;
}

int hrtf_of(struct hrtf *h, const struct sofa_document *d, const char *path, double distance, struct error *e)
{
    struct source s = {.document = d, .path = path};
    memset(h, 0, sizeof *h);
    if (sofa_need_text(s.document, s.path, "Conventions", "SOFA", e) ||
        sofa_need_text(s.document, s.path, "SOFAConventions", "SimpleFreeFieldHRIR", e) ||
        sofa_need_text(s.document, s.path, "DataType", "FIR", e) || find_responses(&s, e) || find_ears(&s, e) ||
        read_rate(h, &s, e))
        return -1;
    h->directions = s.responses->extent[0];
    h->taps = s.responses->extent[2];
    h->direction = calloc(h->directions, sizeof *h->direction);
    h->delay = calloc(h->directions, sizeof *h->delay);
    h->responses = calloc(2 * h->directions * h->taps, sizeof *h->responses);
    s.measurements = calloc(h->directions, sizeof *s.measurements);
    const int status = understand(h, &s, distance, e);
    free(s.measurements);
    if (status)
        hrtf_free(h);
    return status;
}

int hrtf_read(struct hrtf *h, const char *path, double distance, struct error *e)
{
    struct sofa_document d;
    memset(h, 0, sizeof *h);
    if (sofa_read(&d, path, e))
        return -1;
    const int status = hrtf_of(h, &d, path, distance, e);
    sofa_document_free(&d);
    return status;
}

void hrtf_free(struct hrtf *h)
{
    free(h->direction);
    free(h->delay);
    free(h->responses);
    lines_free(h->notes, h->note_count);
    lines_free(h->warnings, h->warning_count);
    memset(h, 0, sizeof *h);
}
