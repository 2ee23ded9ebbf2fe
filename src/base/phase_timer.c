/* SPDX-License-Identifier: MIT */
#include "base/phase_timer.h"

#include <pthread.h>
#include <string.h>

#include "base/clock.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct phase_list {
    struct phase phases[PHASES_MAX];
    size_t count;
};

static struct {
    struct phase_list list, beside;
    struct phase rest;          /* outside all phases */
    size_t open[PHASES_DEPTH];  /* indices of `list`, the innermost last */
    size_t depth;               /* may exceed PHASES_DEPTH: what is beyond counts for the last that fits */
    bool shown;                 /* the outermost phase shows its own progress */
    double opened, outer_since; /* when the log was opened, and the outermost phase began */
    double since, processor;    /* clock and processor time of the last change */
} log_of;
static void (*at_rest)(void);
static _Thread_local bool records;

void phase_timer_open(void)
{
    pthread_mutex_lock(&lock);
    memset(&log_of, 0, sizeof log_of);
    log_of.opened = log_of.since = clock_seconds();
    log_of.processor = processor_seconds();
    pthread_mutex_unlock(&lock);
    records = true;
}

void phase_timer_close(void)
{
    records = false;
}

/* The phase, added when new. */
static struct phase *find(struct phase_list *list, const char *name)
{
    size_t i = 0;
    while (i < list->count && strcmp(list->phases[i].name, name) != 0)
        i++;
    if (i == PHASES_MAX)
        return &list->phases[PHASES_MAX - 1];
    if (i == list->count)
        list->phases[list->count++] = (struct phase){.name = name};
    return &list->phases[i];
}

/* Adds the time since the last change to the innermost phase, or to the rest. Returns the clock. */
static double settle(void)
{
    const double now = clock_seconds(), processor = processor_seconds();
    const size_t depth = log_of.depth < PHASES_DEPTH ? log_of.depth : PHASES_DEPTH;
    struct phase *phase = depth ? &log_of.list.phases[log_of.open[depth - 1]] : &log_of.rest;
    phase->seconds += now - log_of.since;
    phase->processor += processor - log_of.processor;
    log_of.since = now;
    log_of.processor = processor;
    return now;
}

static void begin(const char *name, bool shown)
{
    if (!records)
        return;
    pthread_mutex_lock(&lock);
    const double now = settle();
    if (log_of.depth == 0) {
        log_of.outer_since = now;
        log_of.shown = shown;
    }
    if (log_of.depth < PHASES_DEPTH)
        log_of.open[log_of.depth] = (size_t)(find(&log_of.list, name) - log_of.list.phases);
    log_of.depth++;
    pthread_mutex_unlock(&lock);
}

void phase_begin(const char *name)
{
    begin(name, false);
}

void phase_begin_shown(const char *name)
{
    begin(name, true);
}

void phase_end(void)
{
    if (!records)
        return;
    pthread_mutex_lock(&lock);
    settle();
    if (log_of.depth)
        log_of.depth--;
    void (*rest)(void) = log_of.depth || log_of.shown ? NULL : at_rest;
    pthread_mutex_unlock(&lock);
    if (rest)
        rest();
}

void phase_add_beside(const char *name, double seconds)
{
    pthread_mutex_lock(&lock);
    find(&log_of.beside, name)->seconds += seconds;
    pthread_mutex_unlock(&lock);
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

/* What lasted up to now counts. */
static size_t copy(struct phase list[PHASES_MAX], const struct phase_list *from)
{
    pthread_mutex_lock(&lock);
    if (records)
        settle();
    const size_t count = records ? from->count : 0;
    memcpy(list, from->phases, count * sizeof *list);
    pthread_mutex_unlock(&lock);
    return count;
}

size_t phase_timer_list(struct phase list[PHASES_MAX])
{
    return copy(list, &log_of.list);
}

size_t phase_timer_beside(struct phase list[PHASES_MAX])
{
    return copy(list, &log_of.beside);
}

struct phase phase_timer_rest(void)
{
    struct phase rest = {.name = "other"};
    pthread_mutex_lock(&lock);
    if (records) {
        settle();
        rest.seconds = log_of.rest.seconds;
        rest.processor = log_of.rest.processor;
    }
    pthread_mutex_unlock(&lock);
    return rest;
}

bool phase_timer_now(const char **name, double *seconds)
{
    pthread_mutex_lock(&lock);
    const bool open = log_of.depth > 0 && !log_of.shown;
    if (open) {
        *name = log_of.list.phases[log_of.open[0]].name;
        *seconds = clock_seconds() - log_of.outer_since;
    }
    pthread_mutex_unlock(&lock);
    return open;
}
