/* SPDX-License-Identifier: MIT */
/* Two ears: filters for the HRTF of MIT's KEMAR from Debian's libmysofa1, compared with the file
 * itself; the response of a head in a room to a source in free field at the distance of the HRTF;
 * and turns of the field.
 *
 * An order N cannot follow an HRTF above N c/(2π 87.5 mm), where only its magnitude is fitted,
 * within some dB. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/nan_max.h"
#include "dsp/ears/ear_filters.h"
#include "io/sofa/library.h"
#include "render/render.h"
#include "validate/space/checks.h"
#include "validate/space/rig.h"

enum { ORDER = 3, BINS = 28, CASES = 3 };

static char kemar[] = "/usr/share/libmysofa/MIT_KEMAR_normal_pinna.sofa";
static const double lowest = 100.0, step = 50.0; /* Hz, of bins */

typedef double ear_spectra[2][BINS][2]; /* [left, right][bin][re, im] */

/* Σ samples[n] e^{-jω(n + delay)/rate} */
static void spectrum_at(double value[2], const double *samples, size_t count, double rate, double delay,
                        double frequency)
{
    value[0] = value[1] = 0.0;
    for (size_t n = 0; n < count; n++) {
        const double angle = 2.0 * M_PI * frequency / rate * ((double)n + delay);
        value[0] += samples[n] * cos(angle);
        value[1] -= samples[n] * sin(angle);
    }
}

static void spectra_of_file(ear_spectra s, const struct hrtf *h, size_t direction)
{
    for (size_t ear = 0; ear < 2; ear++)
        for (int k = 0; k < BINS; k++)
            spectrum_at(s[ear][k], h->responses + (2 * direction + ear) * h->taps, h->taps, h->rate,
                        h->delay[direction][ear], lowest + step * k);
}

static void spectra_of_filters(ear_spectra s, const struct ear_filters *f, const double direction[3])
{
    for (size_t ear = 0; ear < 2; ear++)
        for (int k = 0; k < BINS; k++)
            ear_filters_response(s[ear][k], f, ear, direction, lowest + step * k);
}

/* s: delay of the right ear relative to the left, at the maximum of the cross-correlation of the
 * bins. */
static double time_difference(const ear_spectra s, int bins)
{
    double best = -INFINITY, at = NAN;
    for (int i = -1000; i <= 1000; i++) {
        double sum = 0.0;
        for (int k = 0; k < bins; k++) {
            const double angle = 2.0 * M_PI * (lowest + step * k) * 1e-6 * i, *l = s[0][k], *r = s[1][k];
            sum += (l[0] * r[0] + l[1] * r[1]) * cos(angle) - (l[0] * r[1] - l[1] * r[0]) * sin(angle);
        }
        if (sum > best) {
            best = sum;
            at = 1e-6 * i;
        }
    }
    return at;
}

static int check_filters(struct report *r, const struct hrtf *h, double rate, struct error *e)
{
    struct ear_filters f;
    double worst = 0.0, left = INFINITY, right = INFINITY;
    int count = 0;
    if (ear_filters_make(&f, h, ORDER, rate, kemar, e))
        return -1;
    for (size_t m = 0; m < h->directions; m++) {
        ear_spectra of_file, of_filters;
        if (fabs(h->direction[m][2]) > 1e-6)
            continue;
        spectra_of_file(of_file, h, m);
        spectra_of_filters(of_filters, &f, h->direction[m]);
        const double is = time_difference((const double(*)[BINS][2])of_filters, BINS);
        worst = nan_max(worst, fabs(is - time_difference((const double(*)[BINS][2])of_file, BINS)));
        if (h->direction[m][1] > 0.9)
            left = fmin(left, is);
        if (h->direction[m][1] < -0.9)
            right = fmin(right, -is);
        count++;
    }
    ear_filters_free(&f);
    report_bound(r, "ears", 1e6 * worst, 30.0,
                 "order %d at %g Hz: error of the ITD relative to the file, %d horizontal directions, us", ORDER, rate,
                 count);
    report_bound(r, "ears", -1e6 * left, -500.0,
                 "    source at +y, which must lead at the left ear: minus its lead, us");
    report_bound(r, "ears", -1e6 * right, -500.0,
                 "    source at -y, which must lead at the right ear: minus its lead, us");
    return 0;
}

/* Four quarter turns of random fields about z, and about an oblique axis. */
static void check_turns(struct validation *v, struct report *r)
{
    double worst = 0.0;
    const double turns[2][3] = {{90.0, 0.0, 0.0}, {0.0, 90.0, 0.0}};
    for (int i = 0; i < 2; i++) {
        double field[HARMONICS_MAX], now[HARMONICS_MAX], next[HARMONICS_MAX];
        struct field_turn turned;
        const struct turn turn = turn_of(turns[i][0], turns[i][1], turns[i][2]);
        field_turn_make(&turned, HARMONICS_ORDER_MAX, &turn);
        for (size_t c = 0; c < HARMONICS_MAX; c++)
            field[c] = now[c] = 2.0 * random_unit(&v->random) - 1.0;
        for (int quarter = 0; quarter < 4; quarter++) {
            field_turn_apply(next, &turned, now);
            memcpy(now, next, sizeof now);
        }
        for (size_t c = 0; c < HARMONICS_MAX; c++)
            worst = nan_max(worst, fabs(now[c] - field[c]));
    }
    report_bound(r, "ears", worst, 1e-13,
                 "four turns of 90 degrees in yaw and pitch restore the field, order %d: relative error",
                 (int)HARMONICS_ORDER_MAX);
}

/* A direction of the file, and the angle by which the head is turned to the left. */
struct hearing {
    size_t direction;
    double yaw;
};

/* First a source at +y of a head that looks along x, then in front of one that looks along y;
 * then any, at the height of the ears. */
static struct hearing draw_hearing(const struct hrtf *h, int index, struct random *r)
{
    static const double wanted[2][3] = {{0.0, 1.0, 0.0}, {1.0, 0.0, 0.0}};
    struct hearing found = {0, index < 2 ? 90.0 * index : 360.0 * random_unit(r) - 180.0};
    double best = -INFINITY, any[3];
    space_direction(any, r);
    any[2] = 0.0;
    for (size_t m = 0; m < h->directions; m++) {
        const double *d = h->direction[m], *to = index < 2 ? wanted[index] : any;
        const double cosine = d[0] * to[0] + d[1] * to[1] + d[2] * to[2];
        if (cosine > best) {
            best = cosine;
            found.direction = m;
        }
    }
    return found;
}

/* The two ears relative to the pressure at the head's centre, until reflections arrive, and
 * those of the file. */
static int hear(ear_spectra heard, int *bins, struct validation *v, int scheme, const struct hrtf *h,
                const struct hearing *hearing, struct error *e)
{
    static const double side = 8.0, duration = 0.021; /* m; s: until 17 ms after the arrival at the head */
    struct space_box b;
    struct rendering rendering;
    const struct turn turn = turn_of(hearing->yaw, 0.0, 0.0);
    double there[3];
    space_box_init(&b, (double[]){side, side, side}, 1.0);
    b.room.grid.scheme = scheme ? GRID_SCHEME_19_POINT : GRID_SCHEME_7_POINT;
    b.room.grid.max_frequency = scheme ? 1550.0 : 900.0;
    b.room.grid.precision = PRECISION_SINGLE;
    b.room.output.rate = 48000.0;
    b.room.duration = duration;
    b.room.receiver_count = 2;
    b.receivers[0] = (struct receiver){.name = "pressure", .kind = RECEIVER_OMNI};
    b.receivers[1] = (struct receiver){.name = "ears", .kind = RECEIVER_BINAURAL, .order = ORDER, .hrtf = kemar};
    b.receivers[1].ears = *h;
    b.receivers[1].orientation[0] = hearing->yaw;
    turn_apply(there, &turn, h->direction[hearing->direction]);
    for (int axis = 0; axis < 3; axis++) {
        const double at = 0.5 * side + 0.1 * random_unit(&v->random);
        b.receivers[0].position[axis] = b.receivers[1].position[axis] = at;
        b.source.position[axis] = at + h->distance * there[axis];
    }
    if (space_box_make(&b, e))
        return -1;
    *bins = (int)((0.95 * b.model->grid.valid_frequency - lowest) / step) + 1;
    *bins = *bins < BINS ? *bins : BINS;
    if (render_sources(&rendering, b.model, 0, 1, &v->choice, NULL, e)) {
        space_box_free(&b);
        return -1;
    }
    const struct response *p = &rendering.response;
    for (size_t ear = 0; ear < 2; ear++)
        for (int k = 0; k < *bins; k++) {
            double of[2], w[2], *value = heard[ear][k];
            spectrum_at(of, p->samples + (1 + ear) * p->frames, p->frames, p->rate, 0.0, lowest + step * k);
            spectrum_at(w, p->samples, p->frames, p->rate, 0.0, lowest + step * k);
            const double square = w[0] * w[0] + w[1] * w[1];
            value[0] = (of[0] * w[0] + of[1] * w[1]) / square;
            value[1] = (of[1] * w[0] - of[0] * w[1]) / square;
        }
    rendering_free(&rendering);
    space_box_free(&b);
    return 0;
}

/* Errors of the response, rms over both ears and the bins: level in dB, phase in degrees,
 * difference relative to the level. */
struct hearing_errors {
    double level, phase, difference;
};

static struct hearing_errors compare(const ear_spectra heard, const ear_spectra exact, int bins)
{
    struct hearing_errors errors = {0.0, 0.0, 0.0};
    double all = 0.0;
    for (size_t ear = 0; ear < 2; ear++)
        for (int k = 0; k < bins; k++) {
            const double *is = heard[ear][k], *wanted = exact[ear][k];
            const double db = 20.0 * log10(hypot(is[0], is[1]) / hypot(wanted[0], wanted[1]));
            const double turned =
                atan2(is[1] * wanted[0] - is[0] * wanted[1], is[0] * wanted[0] + is[1] * wanted[1]) * 180.0 / M_PI;
            errors.level += db * db / (2.0 * bins);
            errors.phase += turned * turned / (2.0 * bins);
            errors.difference += pow(is[0] - wanted[0], 2.0) + pow(is[1] - wanted[1], 2.0);
            all += wanted[0] * wanted[0] + wanted[1] * wanted[1];
        }
    errors.level = sqrt(errors.level);
    errors.phase = sqrt(errors.phase);
    errors.difference = 10.0 * log10(errors.difference / all);
    return errors;
}

static int check_hearing(struct validation *v, struct report *r, int scheme, const struct hrtf *h, struct error *e)
{
    struct ear_filters f;
    struct hearing_errors file = {0.0, 0.0, 0.0}, filters = {0.0, 0.0, -INFINITY};
    double late = 0.0, lead = NAN;
    int bins = 0, status = ear_filters_make(&f, h, ORDER, h->rate, kemar, e);
    for (int i = 0; i < CASES && !status; i++) {
        ear_spectra heard, of_file, of_filters;
        const struct hearing hearing = draw_hearing(h, i, &v->random);
        if ((status = hear(heard, &bins, v, scheme, h, &hearing, e)))
            break;
        spectra_of_file(of_file, h, hearing.direction);
        spectra_of_filters(of_filters, &f, h->direction[hearing.direction]);
        const struct hearing_errors a =
            compare((const double(*)[BINS][2])heard, (const double(*)[BINS][2])of_file, bins);
        const struct hearing_errors b =
            compare((const double(*)[BINS][2])heard, (const double(*)[BINS][2])of_filters, bins);
        const double is = time_difference((const double(*)[BINS][2])heard, bins);
        file.level = nan_max(file.level, a.level);
        file.phase = nan_max(file.phase, a.phase);
        filters.difference = nan_max(filters.difference, b.difference);
        late = nan_max(late, fabs(is - time_difference((const double(*)[BINS][2])of_file, bins)));
        lead = i ? lead : is;
    }
    ear_filters_free(&f);
    if (status)
        return -1;
    report_bound(r, "ears", file.level, 2.0,
                 "%s: a head in free field compared with the file, %g to %g Hz: largest rms error of the level in %d "
                 "directions, dB",
                 space_scheme_of(scheme).name, lowest, lowest + step * (bins - 1), CASES);
    report_bound(r, "ears", file.phase, 25.0, "    error of the phase, degrees");
    report_bound(r, "ears", filters.difference, -28.0, "    error relative to plane waves through its filters, dB");
    report_bound(r, "ears", 1e6 * late, 30.0, "    error of the ITD relative to the file, us");
    report_bound(r, "ears", -1e6 * lead, -500.0,
                 "    source at +y, which must lead at the left ear: minus its lead, us");
    return 0;
}

int check_space_ears(struct validation *v, struct report *r, struct error *e)
{
    struct hrtf h;
    check_turns(v, r);
    if (sofa_library.unavailable() || access(kemar, R_OK)) {
        report_skip(r, "ears",
                    sofa_library.unavailable()
                        ? sofa_library.unavailable()
                        : "the HRTF of KEMAR is not in /usr/share/libmysofa; install libmysofa1");
        return 0;
    }
    if (hrtf_read(&h, kemar, HRTF_DISTANCE, e))
        return -1;
    int status = check_filters(r, &h, 44100.0, e) || check_filters(r, &h, 48000.0, e) ? -1 : 0;
    for (int scheme = 0; scheme < SPACE_SCHEMES && !status; scheme++)
        status = check_hearing(v, r, scheme, &h, e);
    hrtf_free(&h);
    return status;
}
