/* SPDX-License-Identifier: MIT */
#include "dsp/fourier.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"

static const double PI = 3.14159265358979323846;

int fourier_make(struct fourier *f, size_t length, struct error *e)
{
    memset(f, 0, sizeof *f);
    f->length = length;
    f->cosine = calloc(length, sizeof *f->cosine);
    f->sine = calloc(length, sizeof *f->sine);
    if (!f->cosine || !f->sine) {
        fourier_free(f);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    for (size_t half = 1; half < length; half *= 2)
        for (size_t k = 0; k < half && !stop_requested_at(half + k); k++) {
            f->cosine[half + k] = cos(PI * (double)k / (double)half);
            f->sine[half + k] = sin(PI * (double)k / (double)half);
        }
    if (stop_check(e)) {
        fourier_free(f);
        return -1;
    }
    return 0;
}

void fourier_free(struct fourier *f)
{
    if (!f)
        return;
    free(f->cosine);
    free(f->sine);
    memset(f, 0, sizeof *f);
}

/* (u, v) -> (u + v, (u - v) e^{-iπk/half}) for `count` pairs of a block of 2 half values. */
static void split(size_t count, const double *restrict c, const double *restrict s, double *restrict re,
                  double *restrict im, double *restrict far_re, double *restrict far_im)
{
    for (size_t k = 0; k < count; k++) {
        const double a = re[k] - far_re[k], b = im[k] - far_im[k];
        re[k] += far_re[k];
        im[k] += far_im[k];
        far_re[k] = a * c[k] + b * s[k];
        far_im[k] = b * c[k] - a * s[k];
    }
}

/* (u, v) -> (u + v e^{iπk/half}, u - v e^{iπk/half}): the inverse of split, times 2. */
static void combine(size_t count, const double *restrict c, const double *restrict s, double *restrict re,
                    double *restrict im, double *restrict far_re, double *restrict far_im)
{
    for (size_t k = 0; k < count; k++) {
        const double a = far_re[k] * c[k] - far_im[k] * s[k], b = far_im[k] * c[k] + far_re[k] * s[k];
        far_re[k] = re[k] - a;
        far_im[k] = im[k] - b;
        re[k] += a;
        im[k] += b;
    }
}

typedef void butterflies(size_t count, const double *restrict c, const double *restrict s, double *restrict re,
                         double *restrict im, double *restrict far_re, double *restrict far_im);

enum { STOP_INTERVAL = 32768 }; /* pairs between two checks for a stop */

/* All butterflies of distance `half`; false: a stop is requested. */
static inline bool run_butterflies(const struct fourier *f, double *re, double *im, size_t half, butterflies *apply)
{
    for (size_t i = 0; i < f->length; i += 2 * half)
        for (size_t k = 0; k < half; k += STOP_INTERVAL) {
            if (stop_requested_at(i + k))
                return false;
            const size_t at = i + k, count = half - k < STOP_INTERVAL ? half - k : STOP_INTERVAL;
            apply(count, f->cosine + half + k, f->sine + half + k, re + at, im + at, re + at + half, im + at + half);
        }
    return true;
}

void fourier_forward(const struct fourier *f, double *re, double *im)
{
    for (size_t half = f->length / 2; half && run_butterflies(f, re, im, half, split); half /= 2)
        ;
}

void fourier_inverse(const struct fourier *f, double *re, double *im)
{
    for (size_t half = 1; half < f->length && run_butterflies(f, re, im, half, combine); half *= 2)
        ;
}

/* Neighbouring bits change places, then pairs, nibbles and so on; those above the length's are 0. */
size_t fourier_index(const struct fourier *f, size_t bin)
{
    static const uint64_t masks[6] = {0x5555555555555555u, 0x3333333333333333u, 0x0f0f0f0f0f0f0f0fu,
                                      0x00ff00ff00ff00ffu, 0x0000ffff0000ffffu, 0x00000000ffffffffu};
    uint64_t bits = bin;
    for (int i = 0; i < 6; i++)
        bits = ((bits & masks[i]) << (1 << i)) | ((bits >> (1 << i)) & masks[i]);
    return (size_t)(bits >> (63 - __builtin_ctzll(f->length)) >> 1);
}

struct real_fourier real_fourier_of(const struct fourier *tables, size_t length)
{
    struct real_fourier f = {.length = length, .half = *tables};
    f.half.length = length / 2; /* the tables of a longer transform begin with those of a shorter */
    return f;
}

void real_fourier_forward(const struct real_fourier *f, double *re, double *im)
{
    fourier_forward(&f->half, re, im);
}

/* With Z the transform of even + i odd samples, E = (Z[k] + conj Z[-k])/2 and O = (Z[k] - conj Z[-k])/(2i) are those of
 * even and odd samples, and X[k] = E + e^{-2πik/length} O. */
void real_fourier_bin(const struct real_fourier *f, const double *re, const double *im, size_t bin, double value[2])
{
    const size_t half = f->length / 2, k = bin % half;
    const size_t a = fourier_index(&f->half, k), b = fourier_index(&f->half, (half - k) % half);
    const double even_re = 0.5 * (re[a] + re[b]), even_im = 0.5 * (im[a] - im[b]);
    const double odd_re = 0.5 * (im[a] + im[b]), odd_im = -0.5 * (re[a] - re[b]);
    const double sign = bin == half ? -1.0 : 1.0;
    const double c = sign * f->half.cosine[half + k], s = -sign * f->half.sine[half + k];
    value[0] = even_re + c * odd_re - s * odd_im;
    value[1] = even_im + c * odd_im + s * odd_re;
}

void real_fourier_inverse(const struct real_fourier *f, const double (*spectrum)[2], double *re, double *im)
{
    const size_t half = f->length / 2;
    for (size_t k = 0; k < half && !stop_requested_at(k); k++) {
        const double *near = spectrum[k], *far = spectrum[half - k];
        const double c = f->half.cosine[half + k], s = f->half.sine[half + k];
        const double difference_re = near[0] - far[0], difference_im = near[1] + far[1];
        const double odd_re = c * difference_re - s * difference_im, odd_im = c * difference_im + s * difference_re;
        const size_t at = fourier_index(&f->half, k);
        re[at] = near[0] + far[0] - odd_im;
        im[at] = near[1] - far[1] + odd_re;
    }
    fourier_inverse(&f->half, re, im);
}
