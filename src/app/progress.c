/* SPDX-License-Identifier: MIT */
#include "app/progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/sanitize_text.h"
#include "base/stop.h"
#include "base/streams.h"

#define CLEAR_LINE "\r\033[K"

void progress_start(struct progress *p, const char *what, bool quiet)
{
    *p = (struct progress){
        .what = what, .quiet = quiet, .terminal = isatty(STDERR_FILENO) != 0, .start = clock_seconds()};
    p->last = p->start;
}

static void clock_text(char text[32], double seconds)
{
    unsigned long whole = (unsigned long)(seconds + 0.5);
    if (whole >= 3600)
        snprintf(text, 32, "%lu:%02lu:%02lu", whole / 3600, whole / 60 % 60, whole % 60);
    else
        snprintf(text, 32, "%lu:%02lu", whole / 60, whole % 60);
}

double progress_left(const struct progress *p, size_t done, size_t total, double known)
{
    const double seen = clock_seconds() - p->first;
    if (!p->first_done || done <= p->first_done || seen < known)
        return 0.0;
    return seen * (double)(total - done) / (double)(done - p->first_done);
}

bool progress_look(void *progress, size_t done, size_t total, double points_per_second)
{
    struct progress *p = progress;
    double now = clock_seconds(), elapsed = now - p->start;
    if (!p->first_done || done <= p->first_done) { /* the first of a run, or of another one */
        p->first = p->last = now;
        p->first_done = done;
    }
    /* every 0.1 s on a terminal, every 10 s in a log */
    bool due = now - p->last > (p->terminal ? 0.1 : 10.0) || (p->terminal && done == total);
    if (!p->quiet && due && (done > p->first_done || done == total)) {
        char took[32], left[32];
        double share = (double)done / (double)total;
        clock_text(took, elapsed);
        clock_text(left,
                   done == total ? 0.0 : (now - p->first) * (double)(total - done) / (double)(done - p->first_done));
        p->last = now;
        if (p->terminal) {
            enum { WIDTH = 30 };
            int full = (int)(share * WIDTH);
            streams_control(CLEAR_LINE);
            fprintf(stderr, "%s [%.*s%.*s] %3.0f %%  %.0f Mvox/s  %s, %s left", sanitize_name(p->what), full,
                    "##############################", WIDTH - full, "..............................", 100.0 * share,
                    points_per_second * 1e-6, took, left);
        } else {
            fprintf(stderr, "%s: %3.0f %%, %.0f Mvox/s, %s, %s left\n", sanitize_name(p->what), 100.0 * share,
                    points_per_second * 1e-6, took, left);
        }
        fflush(stderr);
    }
    return !stop_requested();
}

void progress_end(struct progress *p)
{
    if (!p->quiet && p->terminal)
        streams_control(CLEAR_LINE);
}
