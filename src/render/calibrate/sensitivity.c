/* SPDX-License-Identifier: MIT */
#include "render/calibrate/sensitivity.h"

#include <math.h>

double calibrate_slope(double share, double absorption, double mean)
{
    const double own = (1.0 - absorption) * -log1p(-absorption) / absorption;
    const double field = mean > 0.0 && mean < 1.0 ? mean / ((1.0 - mean) * -log1p(-mean)) : 1.0;
    return -share * own * field;
}

void calibrate_scale_shares(double *shares, const double *factors, size_t count)
{
    double rest = 1.0, sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        rest -= shares[i];
        shares[i] *= factors[i];
        sum += shares[i];
    }
    sum += fmax(rest, 0.0);
    for (size_t i = 0; i < count && sum > 0.0; i++)
        shares[i] /= sum;
}

double calibrate_clarity_slope(double time)
{
    const double q = 6.0 * log(10.0) * 0.08 / time;
    return -10.0 / log(10.0) * q / -expm1(-q);
}

double calibrate_time_deviation(double time, double centre, double range)
{
    const double product = 0.71 * centre * time;
    if (range > 25.0)
        return 0.55 * sqrt((1.0 + 0.152) / product);
    return (range < 15.0 ? 2.0 : 1.0) * 0.88 * sqrt((1.0 + 0.19) / product);
}
