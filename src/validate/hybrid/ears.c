/* SPDX-License-Identifier: MIT */
/* Two ears above the crossover: the direct sound by the HRTF of its direction. The first head is
 * a sphere with two ears, whose exact response is known, heard through an HRTF sampled at some
 * directions; the second is MIT's KEMAR from Debian's libmysofa1. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/nan_max.h"
#include "io/sofa/hrtf.h"
#include "io/sofa/library.h"
#include "render/render.h"
#include "validate/hybrid/checks.h"
#include "validate/space/rig.h"

enum { HEADS = SPACE_RECEIVERS, DIRECTIONS = 700, TAPS = 256, FREQUENCIES = 80 };
static const double side = 6.5, seconds = 0.0135, rate = 48000.0; /* m; s: before reflections arrive; Hz */
static const double highest = 16000.0,
                    faint = 20.0; /* Hz; dB below the loudest: limit that excludes notches of an ear */

static char kemar[] = "/usr/share/libmysofa/MIT_KEMAR_normal_pinna.sofa";

/* ---- a sphere with two ears */

static const double radius = 0.0875, speed = 343.0, sphere_rate = 44100.0, behind = 40.0; /* m, m/s, Hz, samples */

/* Delays around a sphere and a shelf of levels (Brown, Duda 1998, "A structural model for binaural sound
 * synthesis"). */
static double complex sphere_ear(size_t ear, const double direction[3], double frequency)
{
    const double cosine = fmin(fmax(ear ? -direction[1] : direction[1], -1.0), 1.0), angle = acos(cosine);
    const double later = angle < 0.5 * M_PI ? -radius * cosine : radius * (angle - 0.5 * M_PI);
    const double shelf = 1.05 + 0.95 * cos(angle * 180.0 / 150.0), place = M_PI * frequency * radius / speed;
    const double delay = behind / sphere_rate + later / speed;
    return (1.0 + I * shelf * place) / (1.0 + I * place) * cexp(-2.0 * I * M_PI * frequency * delay);
}

/* Its responses, from 0 to half the rate. */
static int sphere_make(struct hrtf *h, struct error *e)
{
    *h = (struct hrtf){.directions = DIRECTIONS,
                       .taps = TAPS,
                       .rate = sphere_rate,
                       .distance = 1.4,
                       .direction = calloc(DIRECTIONS, sizeof *h->direction),
                       .responses = calloc(DIRECTIONS * 2 * TAPS, sizeof *h->responses),
                       .delay = calloc(DIRECTIONS, sizeof *h->delay)};
    if (!h->direction || !h->responses || !h->delay)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t m = 0; m < DIRECTIONS; m++) {
        double *d = h->direction[m];
        d[2] = 1.0 - (2.0 * (double)m + 1.0) / DIRECTIONS;
        d[0] = sqrt(1.0 - d[2] * d[2]) * cos((double)m * M_PI * (3.0 - sqrt(5.0)));
        d[1] = sqrt(1.0 - d[2] * d[2]) * sin((double)m * M_PI * (3.0 - sqrt(5.0)));
        for (size_t ear = 0; ear < 2; ear++) {
            double *response = h->responses + (2 * m + ear) * TAPS;
            for (int k = 0; k <= TAPS / 2; k++) {
                const double complex value = sphere_ear(ear, d, k * sphere_rate / TAPS);
                const double complex step = cexp(2.0 * I * M_PI * k / TAPS);
                double complex turn = k && k < TAPS / 2 ? 2.0 : 1.0;
                for (int n = 0; n < TAPS; n++, turn *= step)
                    response[n] += creal(value * turn) / TAPS;
            }
        }
    }
    return 0;
}

/* ---- heard */

/* Exact response of one ear of a head to a plane wave within this many seconds. */
typedef double complex ear_of(const void *context, size_t ear, const double direction[3], double frequency,
                              double within);

static double complex ear_of_sphere(const void *context, size_t ear, const double direction[3], double frequency,
                                    double within)
{
    (void)context;
    (void)within;
    return sphere_ear(ear, direction, frequency);
}

/* The nearest direction of the file. */
static double complex ear_of_file(const void *context, size_t ear, const double direction[3], double frequency,
                                  double within)
{
    const struct hrtf *h = context;
    size_t nearest = 0;
    double best = -INFINITY;
    double complex sum = 0.0;
    for (size_t m = 0; m < h->directions; m++) {
        const double *d = h->direction[m], cosine = d[0] * direction[0] + d[1] * direction[1] + d[2] * direction[2];
        nearest = cosine > best ? m : nearest;
        best = fmax(best, cosine);
    }
    for (size_t n = 0; n < h->taps && (double)n + h->delay[nearest][ear] < within * h->rate; n++)
        sum += h->responses[(2 * nearest + ear) * h->taps + n] *
               cexp(-2.0 * I * M_PI * frequency / h->rate * ((double)n + h->delay[nearest][ear]));
    return sum;
}

static double complex spectrum_of(const double *samples, size_t frames, double frequency)
{
    const double complex step = cexp(-2.0 * I * M_PI * frequency / rate);
    double complex sum = 0.0, turn = 1.0;
    for (size_t n = 0; n < frames; n++, turn *= step)
        sum += samples[n] * turn;
    return sum;
}

/* Largest errors over all heads and frequencies above the crossover, and over third octaves
 * across it. */
struct ear_errors {
    double level, difference, time, joined; /* dB of an ear, dB and s between the ears; dB of both ears' energy */
};

/* wanted [FREQUENCIES][ear], heard likewise */
static void compare(struct ear_errors *errors, double complex (*wanted)[2], double complex (*heard)[2],
                    const double *frequencies, double from)
{
    double loudest = 0.0;
    for (int f = 0; f < FREQUENCIES; f++)
        loudest = fmax(loudest, fmax(cabs(wanted[f][0]), cabs(wanted[f][1])));
    for (int f = 0; f < FREQUENCIES; f++) {
        const double complex ratio[2] = {heard[f][0] / wanted[f][0], heard[f][1] / wanted[f][1]};
        const double least = fmin(cabs(wanted[f][0]), cabs(wanted[f][1]));
        if (frequencies[f] < from || least < loudest * pow(10.0, -faint / 20.0))
            continue;
        for (int ear = 0; ear < 2; ear++)
            errors->level = nan_max(errors->level, fabs(20.0 * log10(cabs(ratio[ear]))));
        errors->difference = nan_max(errors->difference, fabs(20.0 * log10(cabs(ratio[0] / ratio[1]))));
        errors->time = nan_max(errors->time, fabs(carg(ratio[0] / ratio[1])) / (2.0 * M_PI * frequencies[f]));
    }
}

static double energy_error(double complex (*wanted)[2], double complex (*heard)[2], const double *frequencies,
                           double middle)
{
    double sum[2] = {0.0, 0.0};
    for (int f = 0; f < FREQUENCIES; f++)
        for (int ear = 0; ear < 2 && fabs(log2(frequencies[f] / middle)) <= 1.0 / 6.0; ear++) {
            sum[0] += pow(cabs(wanted[f][ear]), 2.0);
            sum[1] += pow(cabs(heard[f][ear]), 2.0);
        }
    return sum[0] > 0.0 ? fabs(10.0 * log10(sum[1] / sum[0])) : 0.0;
}

static void make_room(struct space_box *b, const struct hrtf *h, bool on_file, double edge, struct random *random)
{
    space_box_init(b, (double[]){side, side, side}, 1.0);
    b->room.grid.precision = PRECISION_SINGLE;
    b->room.grid.scheme = GRID_SCHEME_19_POINT;
    b->room.grid.max_frequency = edge;
    b->room.receiver_count = HEADS;
    b->room.duration = seconds;
    b->room.output.rate = rate;
    b->room.hybrid.full = true;
    b->room.hybrid.rays = 0;
    b->room.hybrid.order = 1;
    for (int axis = 0; axis < 3; axis++)
        b->source.position[axis] = 0.5 * side + 0.1 * random_unit(random);
    for (int i = 0; i < HEADS; i++) {
        struct receiver *r = &b->receivers[i];
        double direction[3], there[3];
        *r = (struct receiver){.name = "ears", .kind = RECEIVER_BINAURAL, .order = 3, .hrtf = kemar, .ears = *h};
        for (int k = 0; k < 3; k++)
            r->orientation[k] = 360.0 * random_unit(random) - 180.0;
        const struct turn turn = turn_of(r->orientation[0], r->orientation[1], r->orientation[2]);
        if (on_file)
            memcpy(direction, h->direction[random_between(random, 0, h->directions - 1)], sizeof direction);
        else
            space_direction(direction, random);
        turn_apply(there, &turn, direction);
        for (int axis = 0; axis < 3; axis++)
            r->position[axis] = b->source.position[axis] - h->distance * there[axis];
    }
}

static int check_head(struct validation *v, struct report *r, const char *name, const struct hrtf *h, ear_of *exact,
                      double edge, double from, const double bounds[3], struct error *e)
{
    const double low = 0.5 * edge;
    struct space_box b;
    struct rendering rendering;
    struct ear_errors errors = {.level = 0.0};
    make_room(&b, h, exact == ear_of_file, edge, &v->random);
    if (space_box_make(&b, e))
        return -1;
    if (render_sources(&rendering, b.model, 0, 1, &v->choice, NULL, e)) {
        space_box_free(&b);
        return -1;
    }
    for (size_t i = 0; i < HEADS; i++) {
        const struct receiver *head = &b.receivers[i];
        const double *to = b.model->receivers[room_first_tap(&b.room, i)].position, *at = b.model->sources[0].position;
        const struct turn turn = turn_of(head->orientation[0], head->orientation[1], head->orientation[2]);
        const struct turn back = turn_back(&turn);
        const double distance = hypot(hypot(to[0] - at[0], to[1] - at[1]), to[2] - at[2]);
        double way[3], own[3], frequencies[FREQUENCIES];
        double complex wanted[FREQUENCIES][2], heard[FREQUENCIES][2];
        for (int axis = 0; axis < 3; axis++)
            way[axis] = (at[axis] - to[axis]) / distance;
        turn_apply(own, &back, way);
        for (int f = 0; f < FREQUENCIES; f++) {
            frequencies[f] = low * pow(highest / low, (double)f / (FREQUENCIES - 1));
            for (size_t ear = 0; ear < 2; ear++) {
                wanted[f][ear] = exact(h, ear, own, frequencies[f], seconds - distance / b.model->grid.sound_speed) /
                                 (4.0 * M_PI * distance) *
                                 cexp(-2.0 * I * M_PI * frequencies[f] * distance / b.model->grid.sound_speed);
                heard[f][ear] = spectrum_of(rendering.response.samples + (2 * i + ear) * rendering.response.frames,
                                            rendering.response.frames, frequencies[f]);
            }
        }
        compare(&errors, wanted, heard, frequencies, from);
        errors.joined = nan_max(errors.joined, energy_error(wanted, heard, frequencies, 0.85 * edge));
    }
    report_bound(
        r, "ears", errors.difference, bounds[0],
        "%s, crossover at %.0f Hz: direct sound from %.0f Hz to %.0f kHz, worst of %d directions: error of the ILD, dB",
        name, edge, from, highest / 1000.0, (int)HEADS);
    report_bound(r, "ears", 1e6 * errors.time, bounds[1], "    error of the ITD, us");
    report_bound(r, "ears", errors.level, bounds[0], "    error of the level at one ear, dB");
    report_bound(r, "ears", errors.joined, bounds[2],
                 "    error of the energy of both ears in the third octave of the crossover, dB");
    rendering_free(&rendering);
    space_box_free(&b);
    return 0;
}

int check_band_ears(struct validation *v, struct report *r, struct error *e)
{
    static const double exact[3] = {1.0, 15.0, 1.5}, above[3] = {1.0, 15.0, 3.0};
    struct hrtf h = {.direction = NULL};
    int status = sphere_make(&h, e);
    if (!status)
        status = check_head(v, r, "a sphere", &h, ear_of_sphere, 1000.0, 1000.0, exact, e) ||
                         check_head(v, r, "a sphere", &h, ear_of_sphere, 2500.0, 5000.0, above, e)
                     ? -1
                     : 0;
    hrtf_free(&h);
    if (status)
        return -1;
    if (sofa_library.unavailable() || access(kemar, R_OK)) {
        report_skip(r, "ears",
                    sofa_library.unavailable()
                        ? sofa_library.unavailable()
                        : "the HRTF of KEMAR is not in /usr/share/libmysofa; install libmysofa1");
        return 0;
    }
    if (hrtf_read(&h, kemar, HRTF_DISTANCE, e))
        return -1;
    status = check_head(v, r, "KEMAR", &h, ear_of_file, 1000.0, 1000.0, exact, e) ||
                     check_head(v, r, "KEMAR", &h, ear_of_file, 2500.0, 5000.0, above, e)
                 ? -1
                 : 0;
    hrtf_free(&h);
    return status;
}
