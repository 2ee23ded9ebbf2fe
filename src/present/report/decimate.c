/* SPDX-License-Identifier: MIT */
#include "present/report/decimate.h"

#include <math.h>
#include <stdbool.h>

struct column {
    bool open;
    double index;
    size_t min, max;
};

static size_t flush(struct column *column, size_t *kept, size_t count)
{
    if (!column->open)
        return count;
    column->open = false;
    kept[count++] = column->min < column->max ? column->min : column->max;
    if (column->min != column->max)
        kept[count++] = column->min < column->max ? column->max : column->min;
    return count;
}

size_t decimate(size_t *kept, const double *x, const double *y, size_t count, double width)
{
    struct column column = {.open = false};
    size_t done = 0;
    bool broken = false;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(y[i]) || !isfinite(x[i])) {
            done = flush(&column, kept, done);
            if (!broken)
                kept[done++] = i;
            broken = true;
            continue;
        }
        broken = false;
        const double index = floor(x[i] / width);
        if (column.open && index != column.index)
            done = flush(&column, kept, done);
        if (!column.open)
            column = (struct column){true, index, i, i};
        if (y[i] < y[column.min])
            column.min = i;
        if (y[i] > y[column.max])
            column.max = i;
    }
    return flush(&column, kept, done);
}
