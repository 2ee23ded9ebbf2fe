/* SPDX-License-Identifier: MIT */
#include "render/calibrate/heard.h"

#include <math.h>
#include <stdlib.h>

#include "dsp/measure/octave_bank.h"
#include "render/hybrid/late_shape.h"

enum { AROUND = 3, POINTS = 600 }; /* a band and its neighbours; frequencies of an integral */

static const double reach = 1.5; /* octaves from the centre: the filter passes -200 dB there */

/* w[i][k] = ∫ F² g_i g_k df / ∫ F² df, of the bands from band - 1 to band + 1 with the gains g of the synthesis. */
static void weigh(double w[AROUND][AROUND], const struct late_bands *b, size_t band)
{
    const double low = b->centre[band] * M_SQRT1_2, high = b->centre[band] * M_SQRT2;
    double all = 0.0;
    for (int i = 0; i < AROUND; i++)
        for (int k = 0; k < AROUND; k++)
            w[i][k] = 0.0;
    for (int point = 0; point < POINTS; point++) {
        const double frequency = b->centre[band] * exp2(reach * (2.0 * (point + 0.5) / POINTS - 1.0));
        const double filter = band_gain(frequency, low, high), passed = filter * filter * frequency; /* df = f d ln f */
        double gain[AROUND];
        for (size_t i = 0; i < AROUND; i++)
            gain[i] = band + i >= 1 && band + i - 1 < b->count ? late_shape_gain(b, band + i - 1, frequency) : 0.0;
        for (int i = 0; i < AROUND; i++)
            for (int k = 0; k < AROUND; k++)
                w[i][k] += passed * gain[i] * gain[k];
        all += passed;
    }
    for (int i = 0; i < AROUND; i++)
        for (int k = 0; k < AROUND; k++)
            w[i][k] /= all;
}

static void blend_bin(struct late_histogram *h, size_t place, size_t bin, const bool *among, double w[][AROUND][AROUND])
{
    const size_t count = h->bands.count;
    double own[LATE_BANDS_MAX];
    for (size_t band = 0; band < count; band++)
        own[band] = sqrt(late_energy(h, place, bin, band)[0]);
    for (size_t band = 0; band < count; band++) {
        const double amplitude[AROUND] = {band > 0 && among[band - 1] ? own[band - 1] : own[band], own[band],
                                          band + 1 < count && among[band + 1] ? own[band + 1] : own[band]};
        double sum = 0.0;
        for (int i = 0; i < AROUND; i++)
            for (int k = 0; k < AROUND; k++)
                sum += w[band][i][k] * amplitude[i] * amplitude[k];
        late_energy(h, place, bin, band)[0] = sum;
    }
}

void heard_blend(struct late_histogram *h, const bool *among)
{
    double w[LATE_BANDS_MAX][AROUND][AROUND];
    for (size_t band = 0; band < h->bands.count; band++)
        weigh(w[band], &h->bands, band);
    for (size_t place = 0; place < h->receivers; place++)
        for (size_t bin = 0; bin < h->bins; bin++)
            blend_bin(h, place, bin, among, w);
}

static void add_band(struct late_histogram *h, size_t place, size_t band, const double *samples, size_t frames,
                     double rate, double filter_energy)
{
    for (size_t n = 0; n < frames; n++) {
        const size_t bin = (size_t)((double)n / (rate * h->bin));
        if (bin < h->bins)
            late_energy(h, place, bin, band)[0] += samples[n] * samples[n] / filter_energy;
    }
}

int heard_add(struct late_histogram *h, size_t place, const double *samples, size_t frames, double rate,
              struct error *e)
{
    struct octave_bank bank;
    double *out[2] = {NULL, NULL};
    int status = octave_bank_open(&bank, samples, frames, rate, 9.5 / h->bands.centre[0], e);
    if (status)
        return -1;
    for (int k = 0; k < 2 && !status; k++)
        if (!(out[k] = malloc((bank.lead + frames) * sizeof **out)))
            status = fail(e, ERROR_MEMORY, "out of memory");
    for (size_t band = 0; band < h->bands.count && !status; band += 2) {
        struct band_edges edges[2];
        double energy[2];
        for (size_t k = 0; k < 2; k++) {
            const double centre = h->bands.centre[band + k < h->bands.count ? band + k : band];
            edges[k] = (struct band_edges){.low = centre * M_SQRT1_2, .high = centre * M_SQRT2};
        }
        status = octave_bank_pair(&bank, edges, out, energy, e);
        for (size_t k = 0; k < 2 && band + k < h->bands.count && !status; k++)
            add_band(h, place, band + k, out[k] + bank.lead, frames, rate, energy[k]);
    }
    octave_bank_close(&bank);
    free(out[0]);
    free(out[1]);
    return status;
}
