/* SPDX-License-Identifier: MIT */
/* Wind instruments in the air of a room: a clarinet whose holes open and close at random, and a trombone whose lips
 * glide. One balance of energy, in lossless air; the same bits in parts and after an interruption; other engines. */
#include "validate/bodies/synth_wind_rooms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nan_max.h"
#include "base/text.h"
#include "render/synth/session.h"
#include "solver/engine.h"
#include "validate/saved_state.h"

enum { STEPS = 1500, PART = 50, FINGERED = 120, PLAYED_MOST = 13 };
static const double OPEN = 1e-5; /* m³/(Pa s): a hole that a finger leaves */

struct wind_room {
    struct room *room;
    struct session session;
    struct performance_problem problem;
    double *drive; /* [drive_count][STEPS] */
};

struct heard {
    double *taps; /* [tap_count][STEPS] */
    struct audit audit;
    double unbalance; /* largest |stored + absorbed - supplied| over what the players have given by then */
    const char *engine;
};

static double between(struct random *r, double low, double high)
{
    return low + (high - low) * random_unit(r);
}

static char *room_text(enum precision precision, struct random *r)
{
    struct growing_text text = {.text = NULL};
    growing_text_add(&text, "room: { size = [2.0, 1.8, 2.0]; walls: { default = \"painted_plaster\"; }; };\n"
                            "time: { duration = 0.2; };\n");
    growing_text_add(&text, "grid: { rate = 12000.0; precision = \"%s\"; };\nair: { losses = %s; };\n",
                     precision_names[precision], precision == PRECISION_DOUBLE ? "false" : "true");
    growing_text_add(&text,
                     "instruments: ( { name = \"c\"; preset = \"clarinet\"; mouth = [%g, %g, 0.5]; position = [%g, %g, "
                     "0.5]; },\n",
                     between(r, 0.4, 0.6), between(r, 0.4, 0.8), between(r, 1.0, 1.5), between(r, 1.0, 1.3));
    growing_text_add(&text,
                     "{ name = \"t\"; preset = \"trombone\"; mouth = [0.3, 0.6, 1.5]; position = [%g, %g, 1.5]; } );\n",
                     between(r, 0.8, 1.4), between(r, 0.6, 1.2));
    growing_text_add(&text, "pickups: ( { instrument = \"c\"; place = 0.0; }, { instrument = \"c\"; place = 1.0; }, "
                            "{ instrument = \"t\"; place = 0.0; }, { instrument = \"t\"; place = 1.0; } );\n"
                            "receivers: ( { position = [1.1, 1.4, 1.0]; } );\n"
                            "score: { events: ( { time = 0.0; instrument = \"c\"; note = 55; hold = 0.1; }, "
                            "{ time = 0.0; instrument = \"t\"; note = 58; hold = 0.1; } ); };\n");
    return growing_text_take(&text, NULL);
}

/* What the players do, in place of the score. */
static void play_inputs(struct wind_room *w, struct random *r)
{
    const struct performance_problem *p = &w->problem;
    const size_t first = p->problem.drive_count - p->played_count;
    for (size_t i = 0; i < p->played_count; i++) {
        double *drive = w->drive + (first + i) * STEPS;
        const bool lips = w->session.ensemble->voices[p->played[i].voice].instrument == 1;
        const size_t input = p->played[i].input;
        double hole = 0.0;
        for (size_t n = 0; n < STEPS; n++) {
            hole = n % FINGERED ? hole : random_unit(r) < 0.5 ? 0.0 : OPEN;
            drive[n] = input == WIND_BLOWING ? (lips ? 4000.0 : 3000.0) * fmin(1.0, (double)n / 200.0)
                       : input == WIND_LIPS  ? lips ? 150.0 + 60.0 * (double)n / STEPS : 0.0
                                             : hole;
        }
    }
}

static int open_room(struct wind_room *w, enum precision precision, struct random *r, struct error *e)
{
    memset(w, 0, sizeof *w);
    char *text = room_text(precision, r);
    int status = text ? room_read_text(&w->room, "winds", text, NULL, 0, e) : fail(e, ERROR_MEMORY, "out of memory");
    free(text);
    if (status || session_make(&w->session, w->room, false, e))
        return -1;
    const struct session *s = &w->session;
    const struct piece piece = {.room = s->room,
                                .model = s->model,
                                .ensemble = s->ensemble,
                                .score = &s->score,
                                .rate = s->rate,
                                .steps = STEPS};
    if (performance_problem_make(&w->problem, &piece, e))
        return -1;
    w->drive = calloc(w->problem.problem.drive_count * STEPS + 1, sizeof *w->drive);
    if (!w->drive)
        return fail(e, ERROR_MEMORY, "out of memory");
    play_inputs(w, r);
    return 0;
}

static void close_room(struct wind_room *w)
{
    free(w->drive);
    performance_problem_free(&w->problem);
    if (w->session.room)
        session_free(&w->session);
    room_free(w->room);
}

/* Steps from..to - 1; with an audit after every PART steps, and at the end in any case. */
static int run(struct heard *h, struct solver *s, const struct wind_room *w, size_t from, size_t to, bool audited,
               struct error *e)
{
    for (size_t n = from; n < to;) {
        const size_t steps = to - n < PART ? to - n : PART;
        const struct block b = {w->drive + n, STEPS, h->taps + n, STEPS};
        n += steps;
        if (solver_run(s, steps, &b, e) || ((audited || n == STEPS) && solver_audit(s, &h->audit, e)))
            return -1;
        const struct audit *a = &h->audit;
        if (audited)
            h->unbalance = nan_max(h->unbalance,
                                   a->balanced ? fabs(a->stored + a->absorbed - a->supplied) / fabs(a->supplied) : NAN);
    }
    return 0;
}

static int play(struct heard *h, const struct wind_room *w, const struct solver_options *c, struct error *e)
{
    struct solver *s = NULL;
    memset(h, 0, sizeof *h);
    h->taps = calloc(w->problem.problem.tap_count * STEPS + 1, sizeof *h->taps);
    if (!h->taps)
        return fail(e, ERROR_MEMORY, "out of memory");
    if (solver_open(&s, &w->problem.problem, c, e))
        return -1;
    const int status = run(h, s, w, 0, STEPS, c->audit, e);
    h->engine = solver_plan_of(s)->engine;
    solver_close(s);
    return status;
}

/* At a random step another solver, which has already run, goes on from the saved state. */
static int play_broken(struct heard *h, const struct wind_room *w, const struct solver_options *c,
                       const struct solver_options *then, struct random *r, struct error *e)
{
    const struct problem *p = &w->problem.problem;
    const size_t broken = random_between(r, 1, STEPS - 1), played = random_between(r, 0, PLAYED_MOST);
    struct saved_state saved = {.planes = 0};
    struct solver *s = NULL;
    memset(h, 0, sizeof *h);
    h->taps = calloc(p->tap_count * STEPS + 1, sizeof *h->taps);
    if (!h->taps)
        return fail(e, ERROR_MEMORY, "out of memory");
    int status =
        solver_open(&s, p, c, e) || run(h, s, w, 0, broken, false, e) || saved_state_take(&saved, s, p, e) ? -1 : 0;
    solver_close(s);
    s = NULL;
    const struct block before = {w->drive, STEPS, NULL, 0};
    status = status || solver_open(&s, p, then, e) || solver_run(s, played, &before, e) ||
             saved_state_put(s, &saved, p, e) || run(h, s, w, broken, STEPS, false, e);
    solver_close(s);
    saved_state_free(&saved);
    return status ? -1 : 0;
}

static size_t differing(const struct heard *a, const struct heard *b, size_t values)
{
    size_t wrong = 0;
    for (size_t i = 0; i < values; i++)
        wrong += !isfinite(a->taps[i]) || memcmp(&a->taps[i], &b->taps[i], sizeof *a->taps) != 0;
    return wrong;
}

/* Largest difference of a tap relative to its peak; NAN for a silent one. */
static double difference(const struct heard *a, const struct heard *b, size_t taps)
{
    double worst = 0.0;
    for (size_t c = 0; c < taps; c++) {
        double largest = 0.0, peak = 0.0;
        for (size_t n = c * STEPS; n < (c + 1) * STEPS; n++) {
            largest = nan_max(largest, fabs(a->taps[n] - b->taps[n]));
            peak = fmax(peak, fabs(b->taps[n]));
        }
        worst = nan_max(worst, largest / peak);
    }
    return worst;
}

struct tally {
    size_t in_parts, refused, moved, wrong;
    double apart; /* from other engines, relative to peak */
};

/* Whether a run in parts was refused because instruments leave no position for the cuts. */
static bool is_refused(const struct error *e)
{
    return e->code == ERROR_USAGE && strstr(e->message, "no position for cut");
}

static int compare_parts(struct tally *t, const struct wind_room *w, const struct heard *whole, struct validation *v,
                         struct error *e)
{
    for (int parts = 2; parts <= 3; parts++) {
        struct solver_options c = {.engine = whole->engine, .device = v->choice.device, .parts = {.count = parts}};
        struct heard h;
        if (!strcmp(c.engine, "cuda"))
            validation_share(v, &c);
        const int status = play(&h, w, &c, e);
        t->wrong += status ? 0 : differing(whole, &h, w->problem.problem.tap_count * STEPS);
        free(h.taps);
        if (status && !is_refused(e))
            return -1;
        t->refused += status != 0;
        t->in_parts += status == 0;
    }
    return 0;
}

static int compare_broken(struct tally *t, const struct wind_room *w, const struct heard *whole, struct validation *v,
                          struct error *e)
{
    const struct solver_options cpu = {.engine = "cpu"};
    const size_t taps = w->problem.problem.tap_count;
    struct heard h;
    int status = play_broken(&h, w, &v->choice, &v->choice, &v->random, e);
    t->wrong += status ? 0 : differing(whole, &h, taps * STEPS);
    free(h.taps);
    for (int way = 0; way < 3 && !status && strcmp(whole->engine, "cpu") != 0; way++) {
        status = way == 2 ? play(&h, w, &cpu, e)
                          : play_broken(&h, w, way ? &cpu : &v->choice, way ? &v->choice : &cpu, &v->random, e);
        t->apart = status ? NAN : nan_max(t->apart, difference(&h, whole, taps));
        t->moved++;
        free(h.taps);
    }
    return status;
}

static int check_room(struct validation *v, struct report *r, enum precision precision, struct error *e)
{
    struct solver_options audited = v->choice;
    struct wind_room w;
    struct heard whole = {.taps = NULL};
    struct tally t = {.wrong = 0};
    audited.audit = true;
    int status = open_room(&w, precision, &v->random, e) || play(&whole, &w, &audited, e) ||
                 compare_parts(&t, &w, &whole, v, e) || compare_broken(&t, &w, &whole, v, e);
    if (!status && precision == PRECISION_DOUBLE)
        report_bound(r, "winds", whole.unbalance, 1e-11,
                     "clarinet and trombone in a room, %s: balance of energy over what the players gave", whole.engine);
    if (!status)
        report_bound(r, "winds", (double)t.wrong, 0.0,
                     "clarinet and trombone in a room, %s, %s: %zu runs in parts, %zu without positions for cuts, one "
                     "resumed: output values that differ",
                     whole.engine, precision_names[precision], t.in_parts, t.refused);
    if (!status && t.moved)
        report_bound(r, "winds", t.apart, precision == PRECISION_DOUBLE ? 1e-10 : 1e-4,
                     "    %zu runs on the cpu engine, two of them from or to it: error relative to peak", t.moved);
    free(whole.taps);
    close_room(&w);
    return status ? -1 : 0;
}

int check_wind_rooms(struct validation *v, struct report *r, struct error *e)
{
    for (int precision = PRECISION_DOUBLE; precision >= PRECISION_SINGLE; precision--)
        if (check_room(v, r, (enum precision)precision, e))
            return -1;
    return 0;
}
