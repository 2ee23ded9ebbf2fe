/* SPDX-License-Identifier: MIT */
#include "dsp/real_fourier.h"

#include "base/stop.h"

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
