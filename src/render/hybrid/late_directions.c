/* SPDX-License-Identifier: MIT */
#include "render/hybrid/late_directions.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static double mean_length(double concentration)
{
    return concentration < 1e-3 ? concentration / 3.0 : 1.0 / tanh(concentration) - 1.0 / concentration;
}

double late_concentration(double length)
{
    if (!(length > 1e-6))
        return 0.0;
    const double most = 0.999, r = fmin(length, most);
    double k = r * (3.0 - r * r) / (1.0 - r * r); /* Banerjee et al. 2005; then Newton's steps */
    for (int i = 0; i < 3; i++) {
        const double slope = k < 1e-3 ? 1.0 / 3.0 : 1.0 / (k * k) - (k < 300.0 ? pow(sinh(k), -2.0) : 0.0);
        k = fmax(k - (mean_length(k) - r) / slope, 0.0);
    }
    return k;
}

struct late_spread late_spread_of(const double mean[3])
{
    const double length = sqrt(mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2]);
    struct late_spread s = {.concentration = late_concentration(length), .axis = {0.0, 0.0, 1.0}};
    double square = 0.0;
    for (int i = 0; i < 3 && length > 1e-6; i++)
        s.axis[i] = mean[i] / length;
    const int least = fabs(s.axis[0]) < 0.6 ? 0 : 1;
    for (int i = 0; i < 3; i++) {
        s.across[i] = (i == least ? 1.0 : 0.0) - s.axis[least] * s.axis[i];
        square += s.across[i] * s.across[i];
    }
    for (int i = 0; i < 3; i++)
        s.across[i] /= sqrt(square);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        s.up[i] = s.axis[j] * s.across[k] - s.axis[k] * s.across[j];
    }
    return s;
}

void late_spread_draw(double direction[3], const struct late_spread *s, struct random *r)
{
    const double k = s->concentration, share = random_unit(r), angle = 2.0 * pi * random_unit(r);
    const double cosine = k > 1e-4 ? 1.0 + log(share + (1.0 - share) * exp(-2.0 * k)) / k : 2.0 * share - 1.0;
    const double z = fmin(fmax(cosine, -1.0), 1.0), out = sqrt(1.0 - z * z);
    for (int i = 0; i < 3; i++)
        direction[i] = z * s->axis[i] + out * (cos(angle) * s->across[i] + sin(angle) * s->up[i]);
}
