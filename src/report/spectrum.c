#include "report/spectrum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "signal/fourier.h"

static const double WINDOW = 0.04; /* s */
enum { LONGEST = 1 << 22 };        /* frames of a response that are transformed */

static size_t power_of_two(double least)
{
    size_t length = 16;
    while ((double)length < least)
        length *= 2;
    return length;
}

void spectrum_free(struct spectrum *s)
{
    if (!s)
        return;
    free(s->power);
    memset(s, 0, sizeof *s);
}

int spectrum_make(struct spectrum *s, const double *samples, size_t frames, double rate, struct error *e)
{
    struct fourier f = {0};
    memset(s, 0, sizeof *s);
    if (frames > LONGEST)
        frames = LONGEST;
    const size_t length = power_of_two(2.0 * (double)frames);
    double *re = calloc(length, sizeof *re), *im = calloc(length, sizeof *im);
    s->count = length / 2 + 1;
    s->step = rate / (double)length;
    s->power = malloc(s->count * sizeof *s->power);
    int status = re && im && s->power ? fourier_make(&f, length, e) : fail(e, ERROR_MEMORY, "out of memory");
    if (!status) {
        memcpy(re, samples, frames * sizeof *re);
        fourier_forward(&f, re, im);
        for (size_t k = 0; k < s->count; k++) {
            const size_t at = fourier_index(&f, k);
            s->power[k] = re[at] * re[at] + im[at] * im[at];
        }
    } else {
        spectrum_free(s);
    }
    fourier_free(&f);
    free(re);
    free(im);
    return status;
}

double spectrum_smooth(const struct spectrum *s, double f, double part)
{
    const double edge = exp2(0.5 * part);
    double sum = 0.0, number = 0.0;
    const size_t first = (size_t)ceil(f / edge / s->step);
    for (size_t k = first; k < s->count && (double)k * s->step <= f * edge; k++) {
        sum += s->power[k];
        number += 1.0;
    }
    return sum / number;
}

/* One column: power at the bins of a windowed piece around `middle`. */
static void column_power(double *power, const struct fourier *f, double *re, double *im, size_t window,
                         const double *samples, size_t frames, double middle)
{
    const double first = floor(middle - 0.5 * (double)window);
    memset(re, 0, f->length * sizeof *re);
    memset(im, 0, f->length * sizeof *im);
    for (size_t i = 0; i < window; i++) {
        const double n = first + (double)i;
        if (n >= 0.0 && n < (double)frames)
            re[i] = samples[(size_t)n] * (0.5 - 0.5 * cos(2.0 * M_PI * ((double)i + 0.5) / (double)window));
    }
    fourier_forward(f, re, im);
    for (size_t k = 0; k <= f->length / 2; k++) {
        const size_t at = fourier_index(f, k);
        power[k] = re[at] * re[at] + im[at] * im[at];
    }
}

/* Power in the row's own range of frequencies: the largest bin within, or the line between the two beside it. */
static double row_power(const double *power, size_t bins, double low, double high)
{
    double most = 0.0;
    const size_t first = (size_t)ceil(low);
    for (size_t k = first; k < bins && (double)k < high; k++)
        most = fmax(most, power[k]);
    if (first < bins && (double)first < high)
        return most;
    const double at = 0.5 * (low + high);
    const size_t k = (size_t)at;
    return k + 1 < bins ? power[k] + (at - (double)k) * (power[k + 1] - power[k]) : 0.0;
}

static void to_levels(double *level, size_t count)
{
    double most = 0.0;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, level[i]);
    for (size_t i = 0; i < count; i++)
        level[i] = most > 0.0 ? 10.0 * log10(level[i] / most) : -INFINITY;
}

int spectrogram_make(double *level, size_t columns, size_t rows, double highest, const double *samples, size_t frames,
                     double rate, struct error *e)
{
    struct fourier f = {0};
    const size_t window = power_of_two(WINDOW * rate), length = 2 * window, bins = window + 1;
    double *work = malloc((2 * length + bins) * sizeof *work);
    int status = work ? fourier_make(&f, length, e) : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t column = 0; !status && column < columns; column++) {
        double *power = work + 2 * length;
        const double scale = highest / (double)rows / rate * (double)length; /* bins a row */
        column_power(power, &f, work, work + length, window, samples, frames,
                     ((double)column + 0.5) / (double)columns * (double)frames);
        for (size_t row = 0; row < rows; row++) {
            const double low = (double)(rows - 1 - row) * scale;
            level[row * columns + column] = row_power(power, bins, low, low + scale);
        }
    }
    if (!status)
        to_levels(level, columns * rows);
    fourier_free(&f);
    free(work);
    return status;
}
