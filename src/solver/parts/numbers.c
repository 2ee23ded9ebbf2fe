/* SPDX-License-Identifier: MIT */
#include "solver/parts/numbers.h"

int part_numbers(int numbers[PART_NUMBERS], int most)
{
    int count = 0;
    for (int n = 1; n < most && count < PART_NUMBERS - 1; n *= 2)
        numbers[count++] = n;
    numbers[count++] = most;
    return count;
}

struct solver_options part_options_of(const struct solver_options *c, int parts)
{
    struct solver_options one = *c;
    one.parts.count = parts;
    if (parts < c->device_count)
        one.device_count = parts;
    if (c->device_count && parts == 1) {
        one.device_count = 0;
        one.device = c->devices[0];
        one.engine = "cuda"; /* what more of them take */
    }
    return one;
}
