/* SPDX-License-Identifier: MIT */
#include "render/pick_parts.h"

#include <math.h>
#include <omp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/stop.h"
#include "render/render.h"
#include "render/trial.h"
#include "solver/engine.h"
#include "solver/parts/cut.h"

#define TRIALS_SHARE 0.1 /* of the run */

static void add_text(char *why, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add_text(char *why, const char *format, ...)
{
    const size_t length = strlen(why);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why + length, PICK_TEXT - length, format, arguments);
    va_end(arguments);
}

/* Without a list of GPUs, a room on a GPU stays in one part: further parts would run on the cpu
 * engine. 0: error. */
static int most_parts(const struct solver_options *c, struct error *e)
{
    const struct engine *engine = solver_engine(c, e);
    if (!engine || c->device_count)
        return engine ? c->device_count : 0;
    return strcmp(engine->name, "cpu") ? 1 : c->threads > 0 ? c->threads : omp_get_max_threads();
}

int pick_parts(struct solver_options *c, char why[PICK_TEXT], const struct model *m, size_t first, size_t count,
               struct error *e)
{
    int numbers[PART_NUMBERS], best = 0;
    const int most = most_parts(c, e), there = part_numbers(numbers, most);
    double best_seconds = INFINITY;
    struct length length;
    struct error reason = {ERROR_NONE, ""};
    *why = 0;
    if (!most)
        return -1;
    if (c->device_count && c->engine && !strcmp(c->engine, "cpu"))
        return fail(e, ERROR_USAGE, "--devices: the cpu engine uses no GPU; leave out --engine cpu");
    if (render_length(&length, m, first, count, e))
        return -1;
    const double begin = clock_seconds();
    for (int i = 0; i < there; i++) {
        const int parts = numbers[c->device_count ? there - 1 - i : i];
        const struct solver_options tried = part_options_of(c, parts);
        const double spent = clock_seconds() - begin;
        double seconds = 0.0;
        if (best && spent * (i + 1) / i > TRIALS_SHARE * best_seconds * (double)length.steps) {
            add_text(why, "; %d not tried: the run is too short for it", parts);
            break;
        }
        if (trial_room(&seconds, m, &tried, &reason)) {
            if (stop_requested() || reason.code == ERROR_STOPPED) {
                *e = reason;
                return -1;
            }
            add_text(why, "%s%d: %.120s", *why ? "; " : "", parts, reason.message);
            continue;
        }
        add_text(why, "%s%.3g ms in %d", *why ? ", " : "", 1e3 * seconds, parts);
        if (seconds >= best_seconds)
            break;
        best = parts;
        best_seconds = seconds;
    }
    if (!best) {
        *e = reason;
        return -1;
    }
    *c = part_options_of(c, best);
    return 0;
}
