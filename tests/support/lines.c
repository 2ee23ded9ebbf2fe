/* SPDX-License-Identifier: MIT */
/* before cmocka, which defines a macro `fail` */
#include "support/lines.h"
#include "support/random_cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

struct line line_of(struct random *r, double pull, enum line_ends ends)
{
    struct line line = {random_log_uniform(r, 0.1, 3.0), random_log_uniform(r, 1e-4, 10.0), 0.0,
                        random_log_uniform(r, 1e-5, 1e4), ends};
    line.tension = pull * line.bending / (line.length * line.length);
    return line;
}

struct line_modes modes_of(const struct line *line, double highest, size_t max)
{
    struct line_modes m;
    struct error e = {0};
    if (line_modes_make(&m, line, highest, max, &e))
        fail_msg("%s", e.message);
    return m;
}

double relative(double value, double exact)
{
    return fabs(value / exact - 1.0);
}
