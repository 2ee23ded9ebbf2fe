/* SPDX-License-Identifier: MIT */
#include "render/hybrid/late_noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/stop.h"
#include "dsp/fourier.h"

static const double pi = 3.14159265358979323846;

void late_cholesky(double *matrix, size_t count)
{
    const double nothing = 1e-12;
    for (size_t column = 0; column < count; column++)
        for (size_t row = column; row < count; row++) {
            double sum = matrix[row * count + column];
            for (size_t k = 0; k < column; k++)
                sum -= matrix[row * count + k] * matrix[column * count + k];
            const double diagonal = row == column ? sqrt(fmax(sum, 0.0)) : matrix[column * count + column];
            matrix[row * count + column] = row == column    ? (sum > nothing ? diagonal : 0.0)
                                           : diagonal > 0.0 ? sum / diagonal
                                                            : 0.0;
            if (row != column)
                matrix[column * count + row] = 0.0;
        }
}

/* Box-Muller method. */
static void fill(double *noise, size_t frames, uint64_t seed, size_t receiver)
{
    struct random r = {seed + 0x632be59bd9b4e019u * (receiver + 1)};
    r.state = random_bits(&r);
    for (size_t i = 0; i < frames; i += 2) {
        const double size = sqrt(-2.0 * log(1.0 - random_unit(&r))), angle = 2.0 * pi * random_unit(&r);
        noise[i] = size * cos(angle);
        noise[i + 1] = size * sin(angle);
    }
}

struct mixer {
    size_t count, frames;
    struct fourier tables;
    struct real_fourier transform;
    double *re, *im;       /* [frames/2] */
    double *spectra;       /* [receiver][frames/2 + 1][2] */
    double *factor, *part; /* [count][count]; [count][2] */
    double *distances;     /* m, [count][count] */
    const struct near_rise *const *rises;
};

static void coherence(struct mixer *m, double wave_number)
{
    for (size_t i = 0; i < m->count * m->count; i++) {
        const double kd = wave_number * m->distances[i];
        m->factor[i] = kd < 1e-4 ? 1.0 - kd * kd / 6.0 : sin(kd) / kd;
    }
    late_cholesky(m->factor, m->count);
}

/* m: largest distance with relevant coherence; beyond 2 m it is below 0.1 from 270 Hz on. */
static double reach(const struct mixer *m)
{
    double most = 0.0;
    for (size_t i = 0; i < m->count * m->count; i++)
        most = fmax(most, m->distances[i]);
    return fmin(fmax(most, 0.001), 2.0);
}

static double rise_of(const struct mixer *m, size_t receiver, double frequency)
{
    const struct near_rise *rise = m->rises ? m->rises[receiver] : NULL;
    return rise ? sqrt(near_rise_at(rise, frequency)) : 1.0;
}

/* In frequency steps within which k d changes by less than 0.2. */
static void mix(struct mixer *m, double rate, double sound_speed)
{
    const size_t bins = m->frames / 2 + 1;
    const double spacing = rate / (double)m->frames, step = 0.2 * sound_speed / (2.0 * pi * reach(m));
    size_t last = SIZE_MAX;
    for (size_t k = 0; k < bins; k++) {
        const size_t here = (size_t)((double)k * spacing / step);
        if (here != last)
            coherence(m, 2.0 * pi * ((double)here + 0.5) * step / sound_speed);
        last = here;
        for (size_t row = 0; row < m->count; row++) {
            m->part[2 * row] = m->part[2 * row + 1] = 0.0;
            for (size_t column = 0; column <= row; column++)
                for (size_t i = 0; i < 2; i++)
                    m->part[2 * row + i] +=
                        m->factor[row * m->count + column] * m->spectra[2 * (column * bins + k) + i];
        }
        for (size_t row = 0; row < m->count; row++) {
            const double gain = rise_of(m, row, (double)k * spacing);
            for (size_t i = 0; i < 2; i++)
                m->spectra[2 * (row * bins + k) + i] = gain * m->part[2 * row + i];
        }
    }
}

static void to_spectrum(struct mixer *m, const double *noise, size_t receiver)
{
    double(*spectrum)[2] = (double(*)[2])(m->spectra + 2 * receiver * (m->frames / 2 + 1));
    for (size_t i = 0; i < m->frames; i++)
        (i % 2 ? m->im : m->re)[i / 2] = noise[i];
    real_fourier_forward(&m->transform, m->re, m->im);
    for (size_t k = 0; k <= m->frames / 2; k++)
        real_fourier_bin(&m->transform, m->re, m->im, k, spectrum[k]);
}

static void to_noise(struct mixer *m, double *noise, size_t receiver)
{
    const double(*spectrum)[2] = (const double(*)[2])(m->spectra + 2 * receiver * (m->frames / 2 + 1));
    real_fourier_inverse(&m->transform, spectrum, m->re, m->im);
    for (size_t i = 0; i < m->frames; i++)
        noise[i] = (i % 2 ? m->im : m->re)[i / 2] / (double)m->frames;
}

static int mixer_make(struct mixer *m, const double (*positions)[3], struct error *e)
{
    const double bytes = (double)m->count * (double)(m->frames + 2) * sizeof *m->spectra;
    if (memory_demand(bytes, e, "spectra of late sound"))
        return -1;
    m->re = malloc(m->frames / 2 * sizeof *m->re);
    m->im = malloc(m->frames / 2 * sizeof *m->im);
    m->spectra = malloc(m->count * (m->frames + 2) * sizeof *m->spectra);
    m->factor = malloc(m->count * m->count * sizeof *m->factor);
    m->part = malloc(2 * m->count * sizeof *m->part);
    m->distances = malloc(m->count * m->count * sizeof *m->distances);
    if (!m->re || !m->im || !m->spectra || !m->factor || !m->part || !m->distances)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t a = 0; a < m->count; a++)
        for (size_t b = 0; b < m->count; b++) {
            double square = 0.0;
            for (int k = 0; k < 3; k++)
                square += pow(positions[a][k] - positions[b][k], 2.0);
            m->distances[a * m->count + b] = sqrt(square);
        }
    if (fourier_make(&m->tables, m->frames, e))
        return -1;
    m->transform = real_fourier_of(&m->tables, m->frames);
    return 0;
}

static bool any_rises(const struct near_rise *const *rises, size_t count)
{
    for (size_t r = 0; r < count && rises; r++)
        if (rises[r] && !rises[r]->none)
            return true;
    return false;
}

int late_noise_make(double *noise, size_t count, size_t frames, double rate, const double (*positions)[3],
                    const struct near_rise *const *rises, double sound_speed, uint64_t seed, struct error *e)
{
    struct mixer m = {.count = count, .frames = frames, .rises = rises};
    int status = 0;
#pragma omp parallel for schedule(dynamic, 1)
    for (size_t r = 0; r < count; r++)
        fill(noise + r * frames, frames, seed, r);
    if (count > 1 || any_rises(rises, count)) {
        status = mixer_make(&m, positions, e);
        for (size_t r = 0; r < count && !status; r++)
            to_spectrum(&m, noise + r * frames, r);
        if (!status)
            mix(&m, rate, sound_speed);
        for (size_t r = 0; r < count && !status; r++)
            to_noise(&m, noise + r * frames, r);
    }
    fourier_free(&m.tables);
    free(m.re);
    free(m.im);
    free(m.spectra);
    free(m.factor);
    free(m.part);
    free(m.distances);
    return status ? -1 : stop_check(e);
}
