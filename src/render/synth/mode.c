/* SPDX-License-Identifier: MIT */
#include "render/synth/mode.h"

#include <math.h>
#include <stdbool.h>

double dispersion_wavenumber_squared(double tension_over_density, double bending_over_density, double frequency)
{
    const double omega = 2.0 * M_PI * frequency;
    const double root = hypot(tension_over_density, 2.0 * sqrt(bending_over_density) * omega);
    return omega > 0.0 ? 2.0 * omega * omega / (tension_over_density + root) : 0.0;
}

/* Three digits, rounded so that the advised value stays within the bound. */
static double rounded(double value, bool up)
{
    const double unit = pow(10.0, floor(log10(value)) - 2.0);
    return unit * (up ? ceil(value / unit) : floor(value / unit));
}

int decay_from_times(struct line_decay *d, double tension_over_density, double bending_over_density,
                     const double frequency[2], const double t60[2], struct error *e)
{
    *d = (struct line_decay){0.0, 0.0};
    for (int i = 0; i < 2; i++) {
        if (!(frequency[i] > 0.0 && isfinite(frequency[i])))
            return fail(e, ERROR_INPUT, "a T60 at %g Hz: its frequency must be positive", frequency[i]);
        if (!(t60[i] > 0.0))
            return fail(e, ERROR_INPUT, "a T60 of %g s at %g Hz: must be positive", t60[i], frequency[i]);
    }
    if (frequency[0] == frequency[1])
        return fail(e, ERROR_INPUT, "both T60s are at %g Hz; use two frequencies", frequency[0]);
    const int low = frequency[0] < frequency[1] ? 0 : 1, high = 1 - low;
    const double xi_low = dispersion_wavenumber_squared(tension_over_density, bending_over_density, frequency[low]);
    const double xi_high = dispersion_wavenumber_squared(tension_over_density, bending_over_density, frequency[high]);
    if (!(xi_low > 0.0 && xi_high > xi_low && isfinite(xi_high)))
        return fail(e, ERROR_INPUT,
                    "T60s at %g and %g Hz define no decay for tension/density %g m²/s² and bending/density %g m⁴/s²",
                    frequency[low], frequency[high], tension_over_density, bending_over_density);
    if (t60[high] > t60[low])
        return fail(e, ERROR_INPUT,
                    "T60 grows with frequency, from %g s at %g Hz to %g s at %g Hz, and modes far above would grow "
                    "instead of decaying; use at most %g s at %g Hz, or at least %g s at %g Hz",
                    t60[low], frequency[low], t60[high], frequency[high], t60[low], frequency[high], t60[high],
                    frequency[low]);
    const double rate_low = 3.0 * M_LN10 / t60[low], rate_high = 3.0 * M_LN10 / t60[high];
    const double sigma0 = (xi_high * rate_low - xi_low * rate_high) / (xi_high - xi_low);
    if (sigma0 < -1e-12 * rate_high)
        return fail(e, ERROR_INPUT,
                    "T60 falls too steeply, from %g s at %g Hz to %g s at %g Hz, and modes far below would grow "
                    "instead of decaying; use at least %g s at %g Hz, or at most %g s at %g Hz",
                    t60[low], frequency[low], t60[high], frequency[high], rounded(t60[low] * xi_low / xi_high, true),
                    frequency[high], rounded(t60[high] * xi_high / xi_low, false), frequency[low]);
    d->sigma0 = fmax(sigma0, 0.0);
    d->sigma1 = (rate_high - rate_low) / (xi_high - xi_low);
    return 0;
}

struct mode_step mode_step(double frequency, double sigma, double mass, double k)
{
    const double angle = 2.0 * M_PI * frequency * k;
    if (!(angle >= 0.0 && angle < M_PI && k > 0.0 && sigma >= 0.0 && mass > 0.0))
        return (struct mode_step){NAN, NAN, NAN};
    /* divided by 1 + tanh x = 2/(1 + exp(-2x)) */
    const double fall = exp(-sigma * k), before = fall * fall, exact = angle > 0.0 ? sin(angle) / angle : 1.0;
    return (struct mode_step){angle > 0.0 ? 2.0 * cos(angle) * fall : 1.0 + before, before,
                              0.5 * (1.0 + before) * exact * k * k / mass};
}
