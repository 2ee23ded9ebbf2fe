#include "measure/metrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/energy_decay.h"
#include "measure/octave_bank.h"
#include "measure/speech.h"
#include "room/room.h"

static const double edge = M_SQRT2;        /* of an octave, from its centre */
static const double silence = 1e-20;       /* of the whole energy: less is rounding */
static const double most_noise = 0.1;      /* of a band's energy that may be taken off where no decay was found */
static const double ringing = 4.0;         /* periods of the centre: further than a band rings before an arrival */
static const double end_ringing = 9.5;     /* the same where something louder below the band breaks off */
static const double broad_ringing = 160.0; /* Hz: its lower edge rings like a band as wide as this */
static const double lowest_edge = 44.5;    /* Hz: the broad band begins where the lowest octave does */
static const double reference = 1.0 / (40.0 * M_PI); /* Pa at 10 m in free field from a source of unit strength */

const char *metrics_reason_text(enum metrics_reason reason)
{
    static const char *const words[] = {
#define X(name, text) text,
        METRICS_REASONS(X)
#undef X
    };
    return words[reason];
}

static double valid_high(const struct metrics_settings *s, double rate)
{
    return s->valid_high > 0.0 ? fmin(s->valid_high, 0.5 * rate) : 0.5 * rate;
}

static enum metrics_validity validity_of(double low, double high, double rate, const struct metrics_settings *s)
{
    const double top = valid_high(s, rate);
    if (high > 0.5 * rate || low >= top || high <= s->valid_low)
        return METRICS_OUTSIDE;
    return low >= s->valid_low && high <= top ? METRICS_VALID : METRICS_PARTLY;
}

static double bandwidth_of(const struct metrics_band *b)
{
    return fmin(b->high - b->low, b->centre > 0.0 ? INFINITY : broad_ringing);
}

static struct metrics_band blank_band(size_t index, double rate, const struct metrics_settings *s)
{
    const struct metrics_decay none = {NAN, NAN, NAN, METRICS_BEYOND, NAN};
    struct metrics_band b = {.edt = none, .t20 = none, .t30 = none, .reason = METRICS_BEYOND};
    b.curvature = b.c50 = b.c80 = b.d50 = b.ts = b.g = b.range = b.noise = b.cut = b.length = NAN;
    if (index == METRICS_BROAD) {
        b.low = fmax(s->valid_low, lowest_edge);
        b.high = valid_high(s, rate);
        b.validity = b.low < b.high ? METRICS_VALID : METRICS_OUTSIDE;
    } else {
        b.centre = octave_band_centre[index];
        b.low = b.centre / edge;
        b.high = b.centre * edge;
        b.validity = validity_of(b.low, b.high, rate, s);
    }
    b.shortest_edt = energy_decay_shortest_early(bandwidth_of(&b));
    b.shortest_late = energy_decay_shortest_late(bandwidth_of(&b));
    return b;
}

static struct band_edges edges_of(const struct metrics_band *b, double rate)
{
    return (struct band_edges){b->low, b->high < 0.5 * rate ? b->high : INFINITY, 0.0};
}

/* The first sample 20 dB below the peak (ISO 3382-1, annex A). A response that ends at a frequency rings before every
 * arrival at more than -20 dB; so it is looked at through a Gaussian, which does not, and which rises to -20 dB of its
 * peak a known time before it: exp(-(pi tilt t)^2) = 0.1. */
static double find_arrival(struct octave_bank *bank, double high, double rate, double *samples)
{
    const struct band_edges edges[2] = {{0.0, INFINITY, high / sqrt(M_LN10)}};
    double *out[2] = {samples, NULL}, energy[2], peak = 0.0, offset = 0.0;
    const size_t frames = bank->lead + bank->frames, tenth = bank->frames / 10;
    octave_bank_pair(bank, edges, out, energy);
    for (size_t n = frames - tenth; n < frames; n++) /* an edge at the bottom would ring before a boomy room's sound */
        offset += samples[n] / (double)tenth;
    for (size_t n = bank->lead; n < frames; n++)
        peak = fmax(peak, fabs(samples[n] - offset));
    const double threshold = 0.1 * peak, early = sqrt(M_LN10) / (M_PI * edges[0].tilt);
    size_t n = bank->lead; /* an offset begins with a step that is no sound */
    if (fabs(offset) > 0.1 * threshold)
        n = (size_t)fmin((double)n + ceil(2.0 * early * rate), (double)frames - 1.0);
    while (n + 1 < frames && !(fabs(samples[n] - offset) >= threshold))
        n++;
    const double before = fabs(samples[n - 1] - offset), here = fabs(samples[n] - offset);
    const double share = here > before ? fmin(fmax((threshold - before) / (here - before), 0.0), 1.0) : 1.0;
    const double sample = round((double)n - 1.0 + share - (double)bank->lead + early * rate);
    return fmin(fmax(sample, 0.0), (double)bank->frames - 1.0) / rate;
}

/* Centre of gravity of the energy from the arrival on. */
static double centre_time(const struct energy_decay *d)
{
    double moment = 0.0;
    for (size_t n = d->start; n < d->cut; n++)
        moment += (d->energy[n] - d->noise) * ((double)n - (double)d->arrival);
    if (d->fitted)
        moment += d->tail * ((double)d->cut - (double)d->arrival + 1.0 / expm1(d->per_sample));
    return moment / d->total / d->rate;
}

static double ratio_level(double one, double other)
{
    const double level = 10.0 * log10(one / other);
    return isfinite(level) ? level : NAN;
}

static const double most_tail = 0.1; /* share of the energy that may be extrapolated rather than measured */

/* Energies before and after 50 and 80 ms that are negative cannot be: the noise that was taken off is none. */
static bool is_impossible(const struct energy_decay *d)
{
    static const double rounding = 0.005; /* of the energy: what D50 is shown to */
    const double least = -rounding * d->total, after50 = energy_decay_after(d, 0.05),
                 after80 = energy_decay_after(d, 0.08);
    return !(d->total - after50 >= least && after50 - after80 >= least && after80 >= least);
}

static void measure_energies(struct metrics_band *b, const struct energy_decay *d, double filter_energy, double arrival,
                             const struct metrics_settings *s)
{
    const double after50 = energy_decay_after(d, 0.05), after80 = energy_decay_after(d, 0.08);
    const double scale = s->scale > 0.0 ? s->scale : 1.0;
    if (!(d->tail <= most_tail * d->total)) { /* what was not measured would decide */
        b->reason = energy_decay_lacks(d, -10.0 * log10(most_tail), &b->length);
        b->length += arrival;
        return;
    }
    b->c50 = ratio_level(d->total - after50, after50);
    b->c80 = ratio_level(d->total - after80, after80);
    b->d50 = fmin(fmax(1.0 - after50 / d->total, 0.0), 1.0);
    b->ts = centre_time(d);
    b->g = s->calibrated ? ratio_level(d->total * scale * scale, filter_energy * reference * reference) : NAN;
    b->reason = METRICS_NONE;
}

static struct metrics_decay time_between(const struct energy_decay *d, double from, double to, double arrival)
{
    struct metrics_decay decay = energy_decay_time(d, from, to);
    decay.length += arrival;
    return decay;
}

static void measure_times(struct metrics_band *b, const struct energy_decay *d, double arrival)
{
    b->edt = time_between(d, 0.0, -10.0, arrival);
    b->t20 = time_between(d, -5.0, -25.0, arrival);
    b->t30 = time_between(d, -5.0, -35.0, arrival);
    b->curvature = 100.0 * (b->t30.time / b->t20.time - 1.0);
    b->range = energy_decay_range(d);
    b->noise = d->fitted && d->noisy ? 10.0 * log10(d->noise / -expm1(-d->per_sample) / d->total) : NAN;
    b->cut = ((double)d->cut - (double)d->arrival) / d->rate;
}

static void fill_curve(double *curve, const struct energy_decay *d, const struct metrics_settings *s)
{
    for (size_t i = 0; i < s->curve_points; i++) {
        const double time = (double)i * s->curve_step;
        if (time * d->rate < (double)(d->cut - d->arrival))
            curve[i] = ratio_level(energy_decay_after(d, time), d->total);
    }
}

static void set_reason(struct metrics_band *b, enum metrics_reason reason)
{
    b->edt.reason = b->t20.reason = b->t30.reason = b->reason = reason;
}

struct measurement {
    struct metrics *m;
    const struct metrics_settings *settings;
    struct octave_bank bank;
    double *signal[2]; /* [bank.lead + bank.frames] */
    double whole;      /* Σ of the record's squares */
};

/* signal: the band; it becomes its squares. */
static int measure_band(struct measurement *w, size_t index, double *signal, double filter_energy, struct error *e)
{
    struct metrics *m = w->m;
    struct metrics_band *b = &m->band[index];
    const double middle = b->low * edge;
    const size_t arrival = w->bank.lead + (size_t)lround(m->arrival * m->rate);
    const size_t before = (size_t)ceil(fmin(ringing / middle * m->rate, (double)w->bank.lead));
    const size_t frames = w->bank.lead + w->bank.frames, guard = (size_t)(end_ringing / middle * m->rate);
    struct energy_decay d = {.energy = signal, .start = arrival - before, .arrival = arrival};
    double sum = 0.0;
    for (size_t n = 0; n < frames; n++)
        sum += signal[n] *= signal[n];
    d.rate = m->rate;
    d.frames = frames - arrival > 4 * guard ? energy_decay_end(signal, frames, guard) : frames;
    d.bandwidth = bandwidth_of(b);
    d.noiseless = w->settings->noiseless;
    if (!(sum > silence * w->whole)) {
        set_reason(b, METRICS_SILENT);
        return 0;
    }
    if (energy_decay_fit(&d, e))
        return -1;
    if (!(d.total > 0.0) || (!d.fitted && d.noise * (double)(frames - d.start) > most_noise * d.total)) {
        set_reason(b, d.noiseless ? METRICS_SHORT : METRICS_SHAPE);
        goto done;
    }
    if (is_impossible(&d)) {
        set_reason(b, d.noiseless ? METRICS_SHORT : METRICS_UNLIKE);
        goto done;
    }
    measure_times(b, &d, m->arrival);
    measure_energies(b, &d, filter_energy, m->arrival, w->settings);
    if (w->settings->curves)
        fill_curve(w->settings->curves + index * w->settings->curve_points, &d, w->settings);
    if (index >= 1 && index <= SPEECH_BANDS) {
        speech_transfer(&d, m->transfer[index - 1]);
        m->mti[index - 1] = speech_band_index(m->transfer[index - 1]);
    }
done:
    energy_decay_free(&d);
    return 0;
}

static int measure_bands(struct measurement *w, struct error *e)
{
    size_t wanted[METRICS_BANDS], count = 0;
    for (size_t i = 0; i < METRICS_BANDS; i++)
        if (w->m->band[i].validity != METRICS_OUTSIDE)
            wanted[count++] = i;
    for (size_t i = 0; i < count; i += 2) {
        const bool pair = i + 1 < count;
        const struct band_edges edges[2] = {
            edges_of(&w->m->band[wanted[i]], w->m->rate),
            edges_of(&w->m->band[wanted[pair ? i + 1 : i]], w->m->rate),
        };
        double *out[2] = {w->signal[0], pair ? w->signal[1] : NULL}, energy[2];
        octave_bank_pair(&w->bank, edges, out, energy);
        for (size_t k = 0; k < (pair ? 2u : 1u); k++)
            if (measure_band(w, wanted[i + k], w->signal[k], energy[k], e))
                return -1;
    }
    return 0;
}

static void measure_speech(struct metrics *m)
{
    m->sti_reason = speech_reason(m, METRICS_MALE);
    m->sti = m->sti_reason ? NAN : speech_index(m->mti);
}

static int check_samples(struct measurement *w, const double *samples, size_t frames, struct error *e)
{
    for (size_t n = 0; n < frames; n++) {
        if (!isfinite(samples[n]))
            return fail(e, ERROR_INPUT, "sample %zu is not a finite number", n);
        w->m->peak = fmax(w->m->peak, fabs(samples[n]));
        w->whole += samples[n] * samples[n];
    }
    if (!frames)
        return fail(e, ERROR_INPUT, "there are no samples");
    if (!(w->whole > 0.0) || !isfinite(w->whole))
        return fail(e, ERROR_INPUT, w->m->peak > 0.0 ? "its level is out of range" : "it is silent");
    return 0;
}

int metrics_measure(struct metrics *m, const double *samples, size_t frames, double rate,
                    const struct metrics_settings *settings, struct error *e)
{
    struct measurement w = {.m = m, .settings = settings};
    int status = -1;
    *m = (struct metrics){.rate = rate, .sti = NAN};
    for (size_t k = 0; k < SPEECH_BANDS; k++) {
        m->mti[k] = NAN;
        for (size_t i = 0; i < SPEECH_MODULATIONS; i++)
            m->transfer[k][i] = NAN;
    }
    for (size_t i = 0; settings->curves && i < METRICS_BANDS * settings->curve_points; i++)
        settings->curves[i] = NAN;
    for (size_t i = 0; i < METRICS_BANDS; i++)
        m->band[i] = blank_band(i, rate, settings);
    if (check_samples(&w, samples, frames, e))
        return -1;
    if (m->band[METRICS_BROAD].validity == METRICS_OUTSIDE)
        return fail(e, ERROR_INPUT, "it is valid only from %g to %g Hz, which holds no band to measure",
                    settings->valid_low, valid_high(settings, rate));
    if (octave_bank_open(&w.bank, samples, frames, rate, e))
        return -1;
    for (size_t k = 0; k < 2; k++)
        w.signal[k] = malloc((w.bank.lead + frames) * sizeof *w.signal[k]);
    if (!w.signal[0] || !w.signal[1]) {
        fail(e, ERROR_MEMORY, "out of memory for the bands of %zu samples", frames);
        goto done;
    }
    m->arrival = find_arrival(&w.bank, m->band[METRICS_BROAD].high, rate, w.signal[0]);
    status = measure_bands(&w, e);
    if (!status)
        measure_speech(m);
done:
    for (size_t k = 0; k < 2; k++)
        free(w.signal[k]);
    octave_bank_close(&w.bank);
    return status;
}
