/* SPDX-License-Identifier: MIT */
#include "validate/bench/bench.h"

double bench_median(double *values, size_t count)
{
    for (size_t i = 1; i < count; i++) { /* few values: insertion sort */
        double value = values[i];
        size_t k = i;
        for (; k > 0 && values[k - 1] > value; k--)
            values[k] = values[k - 1];
        values[k] = value;
    }
    return count % 2 ? values[count / 2] : 0.5 * (values[count / 2 - 1] + values[count / 2]);
}
