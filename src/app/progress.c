/* SPDX-License-Identifier: MIT */
/* The progress bar, the lines about long setup phases, and the early start of the engine. */
#include "app/progress.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "app/say.h"
#include "base/clock.h"
#include "base/phase_timer.h"
#include "base/sanitize_text.h"
#include "base/stop.h"
#include "base/streams.h"
#include "solver/engine.h"

#define CLEAR_LINE "\r\033[K"

/* Whether another program reads the progress: a line "progress: SHARE LEFT WHAT" ten times a second, LEFT in s;
 * both are nan in a phase of unknown length. */
static bool as_lines(void)
{
    const char *wish = getenv("AULA_PROGRESS");
    return wish && !strcmp(wish, "lines");
}

static void print_as_line(double share, double left, const char *what)
{
    fprintf(stderr, "progress: %.4f %.1f %s\n", share, left, sanitize_name(what));
    fflush(stderr);
}

void progress_start(struct progress *p, const char *what, bool quiet)
{
    *p = (struct progress){.what = what,
                           .quiet = quiet,
                           .lines = as_lines(),
                           .terminal = isatty(STDERR_FILENO) != 0,
                           .start = clock_seconds()};
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
    if (!p->first_done || done <= p->first_done) { /* a run begins */
        p->first = p->last = now;
        p->first_done = done;
    }
    if (p->lines) {
        if (now - p->last > 0.1 || done == total) {
            print_as_line((double)done / (double)total, progress_left(p, done, total, 0.2), p->what);
            p->last = now;
        }
        return !stop_requested();
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

static pthread_t thread, starter;
static bool starting;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t stopping = PTHREAD_COND_INITIALIZER;
static bool running, stop, drawn; /* drawn: the terminal shows a line that must be cleared */
static char title[200];

/* Shows a phase that takes longer than a second, to a program at once: redrawn on a terminal, a line every ten seconds in a log. */
static void look(bool terminal, const char **said, double *next)
{
    const char *name;
    double seconds;
    if (!phase_timer_now(&name, &seconds) || (seconds < 1.0 && !as_lines()))
        return;
    if (as_lines()) {
        if (name != *said)
            print_as_line(NAN, NAN, name);
        *said = name;
        return;
    }
    if (terminal) {
        streams_control(CLEAR_LINE);
        fprintf(stderr, "%s: %s, %.0f s", title, name, seconds);
        drawn = true;
    } else if (name != *said || seconds >= *next) {
        *next = name == *said ? *next + 10.0 : 10.0;
        fprintf(stderr, "%s: %s, %.0f s\n", title, name, seconds);
    }
    *said = name;
    fflush(stderr);
}

/* Clears the line for the next message. */
static void clear(void)
{
    pthread_mutex_lock(&lock);
    if (drawn)
        streams_control(CLEAR_LINE);
    drawn = false;
    pthread_mutex_unlock(&lock);
}

static void *watch(void *unused)
{
    const bool terminal = isatty(STDERR_FILENO) != 0;
    const char *said = NULL;
    double next = 0.0;
    (void)unused;
    pthread_mutex_lock(&lock);
    while (!stop) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 200000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&stopping, &lock, &until);
        if (!stop)
            look(terminal, &said, &next);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

/* Joins the threads if a library exits the program, as libgomp does when memory runs out: they must not outlive the
 * statics that they use. */
static void stop_at_exit(void)
{
    static bool registered;
    if (!registered)
        registered = !atexit(setup_watch_stop);
}

void setup_watch_start(const char *what, bool quiet)
{
    if ((quiet && !as_lines()) || running)
        return;
    sanitize_line(title, sizeof title, what);
    stop = false;
    stop_at_exit();
    running = pthread_create(&thread, NULL, watch, NULL) == 0;
    phase_timer_at_rest(running ? clear : NULL);
}

void setup_watch_stop(void)
{
    if (starting)
        pthread_join(starter, NULL);
    starting = false;
    if (!running)
        return;
    pthread_mutex_lock(&lock);
    stop = true;
    pthread_cond_signal(&stopping);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    phase_timer_at_rest(NULL);
    clear();
    running = false;
}

static void *start_engine(void *name)
{
    for (size_t i = 0; engines[i]; i++)
        if (!name || !strcmp(name, "auto") || !strcmp(name, engines[i]->name)) {
            engines[i]->unavailable();
            break; /* auto prefers the first */
        }
    return NULL;
}

int setup_start_engine(const struct solver_options *choice)
{
    stop_at_exit();
    if (!starting)
        starting = pthread_create(&starter, NULL, start_engine, (void *)choice->engine) == 0;
    return 0;
}

static void say_phase(const struct common_options *o, const struct phase *p)
{
    if (p->seconds >= 0.0005)
        say_more(o, "%9.3f %12.3f  %s", p->seconds, p->processor, p->name);
}

void say_phases(const struct common_options *o)
{
    struct phase phases[PHASES_MAX];
    struct phase whole = {.name = "in all"};
    const size_t count = phase_timer_list(phases);
    if (!count)
        return;
    say_more(o, "  seconds  processor s  phase");
    for (size_t i = 0; i <= count; i++) {
        const struct phase p = i < count ? phases[i] : phase_timer_rest();
        say_phase(o, &p);
        whole.seconds += p.seconds;
        whole.processor += p.processor;
    }
    say_phase(o, &whole);
    const size_t beside = phase_timer_beside(phases);
    for (size_t i = 0; i < beside; i++)
        say_more(o, "%9.3f               %s, meanwhile", phases[i].seconds, phases[i].name);
}
