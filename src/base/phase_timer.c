/* SPDX-License-Identifier: MIT */
#include "base/phase_timer.h"

#include <pthread.h>
#include <string.h>

#include "base/clock.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    struct phase list[PHASES_MAX];
    size_t count;
    size_t open[PHASES_DEPTH];         /* indices of `list`, the innermost last */
    size_t depth;                      /* may exceed PHASES_DEPTH: what is beyond counts for the last that fits */
    double opened, since, outer_since; /* when the log was opened, the innermost and the outermost phase began */
} log_of;
static void (*at_rest)(void);
static _Thread_local bool records;

void phase_timer_open(void)
{
    pthread_mutex_lock(&lock);
    memset(&log_of, 0, sizeof log_of);
    log_of.opened = clock_seconds();
    pthread_mutex_unlock(&lock);
    records = true;
}

void phase_timer_close(void)
{
    records = false;
}

/* Index of the phase, added when new. */
static size_t find(const char *name)
{
    size_t i = 0;
    while (i < log_of.count && strcmp(log_of.list[i].name, name) != 0)
        i++;
    if (i == PHASES_MAX)
        return PHASES_MAX - 1;
    if (i == log_of.count)
        log_of.list[log_of.count++] = (struct phase){.name = name};
    return i;
}

/* Adds the time since the last change to the innermost phase. */
static void settle(double now)
{
    if (log_of.depth)
        log_of.list[log_of.open[(log_of.depth < PHASES_DEPTH ? log_of.depth : PHASES_DEPTH) - 1]].seconds +=
            now - log_of.since;
    log_of.since = now;
}

void phase_begin(const char *name)
{
    if (!records)
        return;
    pthread_mutex_lock(&lock);
    const double now = clock_seconds();
    settle(now);
    if (log_of.depth == 0)
        log_of.outer_since = now;
    if (log_of.depth < PHASES_DEPTH)
        log_of.open[log_of.depth] = find(name);
    log_of.depth++;
    pthread_mutex_unlock(&lock);
}

void phase_end(void)
{
    if (!records)
        return;
    pthread_mutex_lock(&lock);
    settle(clock_seconds());
    if (log_of.depth)
        log_of.depth--;
    void (*rest)(void) = log_of.depth ? NULL : at_rest;
    pthread_mutex_unlock(&lock);
    if (rest)
        rest();
}

void phase_timer_at_rest(void (*rest)(void))
{
    pthread_mutex_lock(&lock);
    at_rest = rest;
    pthread_mutex_unlock(&lock);
}

double phase_timer_elapsed(void)
{
    return records ? clock_seconds() - log_of.opened : 0.0;
}

size_t phase_timer_list(struct phase list[PHASES_MAX])
{
    pthread_mutex_lock(&lock);
    const size_t count = records ? log_of.count : 0;
    memcpy(list, log_of.list, count * sizeof *list);
    pthread_mutex_unlock(&lock);
    return count;
}

bool phase_timer_now(const char **name, double *seconds)
{
    pthread_mutex_lock(&lock);
    const bool open = log_of.depth > 0;
    if (open) {
        *name = log_of.list[log_of.open[0]].name;
        *seconds = clock_seconds() - log_of.outer_since;
    }
    pthread_mutex_unlock(&lock);
    return open;
}
