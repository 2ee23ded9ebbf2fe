/* SPDX-License-Identifier: MIT */
/* Solves the forces of ports and stretching within a step; equations in ports.h, contact.h, friction.h
 * and stretching.h. */
#include <math.h>
#include <string.h>

#include "solver/schemes/bodies/body_response.h"
#include "solver/schemes/bodies/ports.h"
#include "solver/schemes/bodies/stretching.h"

/* A mass starts this far from the body, in m, and leaves for good beyond the second distance. */
static const double START_GAP = 1e-9, LEAVES_AT = 0.01;

enum { BOW_SWEEPS = 16 }; /* for several bows on one body, which hardly feel each other */

/* What acts within this step: a contact or a bow at a place, or the stretching of a part. Its coordinate x
 * decreases by G f, and its force acts along its row e. */
struct actor {
    size_t port, place[2]; /* of the stretching: its number, and none */
    double weight[2];
    double before, free;  /* x⁻ and x̂, m */
    double push, damping; /* f = push + slope² dx, slope² = g²/4 + r */
    double slope, of_potential;
    bool sticks; /* bow */
};

/* Work of one step, in the caller's scratch. */
struct solve {
    struct ports_step *s;
    size_t count, contacts, springs; /* actors: contacts, then stretching (to `springs`), then bows */
    struct actor *actor;             /* [port_count + stretching_count] */
    double *gain;                    /* [count][count] */
    double *factor;                  /* [springs][springs] Cholesky factor of 1 + √S G √S */
    double *column, *force;          /* [count] */
    double *g, *z, *unit;            /* [stretching_count][points] each; unit: [points] and scratch of body_response */
};

static size_t points_of(const struct body *body)
{
    return body_offset(body, body_parts(body));
}

size_t ports_scratch(const struct body *body)
{
    const size_t n = body->port_count + body->stretching_count, points = points_of(body);
    return n * sizeof(struct actor) / sizeof(double) + n * (2 * n + 2) + 2 * body->stretching_count * points +
           (body->stretching_count ? body_response_scratch(body) : 0) + 1;
}

static struct solve begin(struct ports_step *s)
{
    const size_t n = s->body->port_count + s->body->stretching_count;
    struct solve v = {.s = s, .actor = (struct actor *)s->scratch};
    v.gain = s->scratch + n * sizeof(struct actor) / sizeof(double);
    v.factor = v.gain + n * n;
    v.column = v.factor + n * n;
    v.force = v.column + n;
    v.g = v.force + n;
    v.z = v.g + s->body->stretching_count * points_of(s->body);
    v.unit = v.z + s->body->stretching_count * points_of(s->body);
    return v;
}

/* e·w of an actor at places. */
static double at_place(const struct solve *v, const struct actor *a, const double *w)
{
    double sum = a->weight[0] * sparse_row(&v->s->body->places, a->place[0], w);
    return a->weight[1] != 0.0 ? sum + a->weight[1] * sparse_row(&v->s->body->places, a->place[1], w) : sum;
}

/* ---- contacts */

static double energy_of_mass(const struct port *p, const struct port_state *state, double time_step)
{
    const double speed = (state->mass_now - state->before) / time_step;
    return 0.5 * p->mass * speed * speed;
}

static void put_to_sleep(struct ports_step *s, const struct port *p, struct port_state *state)
{
    s->lost += energy_of_mass(p, state, s->time_step) + 0.5 * state->potential * state->potential;
    *state = (struct port_state){.potential = 0.0};
}

static void start_mass(struct ports_step *s, const struct port *p, struct port_state *state, double speed, double body)
{
    put_to_sleep(s, p, state);
    state->mass_now = body + p->gap - START_GAP;
    state->before = state->mass_now - speed * s->time_step;
    state->awake = 1.0;
    s->given += energy_of_mass(p, state, s->time_step);
}

/* Adds the contact if it acts; otherwise its mass flies on. */
static void add_contact(struct solve *v, size_t port)
{
    struct ports_step *s = v->s;
    const struct port *p = &s->body->ports[port];
    struct port_state *state = &s->state[port];
    struct actor a = {.port = port, .place = {p->place, p->place}, .weight = {1.0, 0.0}};
    const double speed = s->inputs[PORT_INPUTS * port + PORT_SPEED];
    if (p->mass > 0.0 && !(state->awake > 0.0) && speed == 0.0)
        return;
    const double body = at_place(v, &a, s->now);
    if (p->mass > 0.0 && speed != 0.0)
        start_mass(s, p, state, speed, body);
    const double now = state->mass_now - body - p->gap;
    if (now > 0.0 || state->potential != 0.0) {
        a.before = state->before - at_place(v, &a, s->old) - p->gap;
        a.free = 2.0 * state->mass_now - state->before - at_place(v, &a, s->next) - p->gap;
        v->actor[v->count++] = a;
        return;
    }
    const double next = 2.0 * state->mass_now - state->before;
    state->before = state->mass_now;
    state->mass_now = next;
    if (p->mass > 0.0 && now < -LEAVES_AT && state->mass_now < state->before)
        put_to_sleep(s, p, state);
}

static void set_contact_slope(struct solve *v, size_t i)
{
    struct ports_step *s = v->s;
    struct actor *a = &v->actor[i];
    struct port_state *state = &s->state[a->port];
    const double now = state->mass_now - at_place(v, a, s->now) - s->body->ports[a->port].gap;
    const struct contact_slope slope =
        contact_slope(&s->body->ports[a->port].contact, now, a->before, a->free, v->gain[i * v->count + i],
                      s->time_step, &state->potential, &s->lost);
    a->of_potential = slope.of_potential;
    a->damping = slope.damping;
    a->slope = sqrt(0.25 * slope.of_potential * slope.of_potential + slope.damping);
    a->push = slope.of_potential * state->potential;
}

static void finish_contact(struct solve *v, size_t i, double moved)
{
    struct ports_step *s = v->s;
    const struct actor *a = &v->actor[i];
    const struct port *p = &s->body->ports[a->port];
    struct port_state *state = &s->state[a->port];
    state->potential += 0.5 * a->of_potential * moved;
    s->lost += 0.5 * a->damping * moved * moved;
    if (!(p->mass > 0.0))
        return;
    const double next = 2.0 * state->mass_now - state->before - s->time_step * s->time_step / p->mass * v->force[i];
    state->before = state->mass_now;
    state->mass_now = next;
}

/* ---- stretching: x = -g·w, ψ in place of -ψ, so that it is a contact of slope 1 */

static void add_stretching(struct solve *v, size_t number)
{
    struct ports_step *s = v->s;
    const struct body *body = s->body;
    const struct stretching *t = &body->stretching[number];
    const size_t points = points_of(body), first = body_offset(body, t->part), end = body_offset(body, t->part + 1);
    double *g = v->g + number * points, *z = v->z + number * points;
    memset(g, 0, points * sizeof *g);
    stretching_slope(g + first, body, t, s->now + first);
    body_response(z, body, s->lines, g, s->time_step, v->unit);
    struct actor a = {.port = number, .push = -s->stretched[number], .slope = 0.5, .of_potential = 1.0};
    for (size_t i = first; i < end; i++) {
        a.before -= g[i] * s->old[i];
        a.free -= g[i] * s->next[i];
    }
    v->actor[v->count++] = a;
}

/* ---- bows */

static void add_bow(struct solve *v, size_t port)
{
    struct ports_step *s = v->s;
    const struct port *p = &s->body->ports[port];
    const double *in = s->inputs + PORT_INPUTS * port;
    if (!(in[BOW_FORCE] > 0.0)) {
        s->state[port] = (struct port_state){.velocity = 0.0};
        return;
    }
    struct actor a = {.port = port, .place = {p->place, p->place}, .weight = {1.0, 0.0}};
    if (p->place_count > 1) {
        const double at = fmin(fmax((in[BOW_POSITION] - p->low) / (p->high - p->low), 0.0), 1.0);
        const double along = at * (double)(p->place_count - 1),
                     below = fmin(floor(along), (double)p->place_count - 2.0);
        a.place[0] = p->place + (size_t)below;
        a.place[1] = a.place[0] + 1;
        a.weight[1] = along - below;
        a.weight[0] = 1.0 - a.weight[1];
    }
    a.before = -at_place(v, &a, s->old);
    a.free = -at_place(v, &a, s->next);
    v->actor[v->count++] = a;
}

/* Speed of the string relative to the bow for x⁺. */
static double bow_speed(const struct solve *v, const struct actor *a, double next)
{
    return -(next - a->before) / (2.0 * v->s->time_step) - v->s->inputs[PORT_INPUTS * a->port + BOW_SPEED];
}

/* ---- the solution */

/* G of two actors. */
static double gain_of(const struct solve *v, size_t i, size_t k)
{
    const struct ports_step *s = v->s;
    const struct actor *a = &v->actor[i], *b = &v->actor[k];
    const size_t points = points_of(s->body), places = s->body->place_count;
    const bool stretches_a = i >= v->contacts && i < v->springs, stretches_b = k >= v->contacts && k < v->springs;
    double sum = 0.0;
    if (stretches_a && stretches_b) {
        for (size_t j = 0; j < points; j++)
            sum += v->g[a->port * points + j] * v->z[b->port * points + j];
    } else if (stretches_a || stretches_b) {
        const struct actor *place = stretches_a ? b : a;
        sum = at_place(v, place, v->z + (stretches_a ? a : b)->port * points);
    } else {
        for (int m = 0; m < 2; m++)
            for (int n = 0; n < 2; n++)
                sum += a->weight[m] * b->weight[n] * s->coupling->gain[a->place[m] * places + b->place[n]];
        if (i == k && i < v->contacts && s->body->ports[a->port].mass > 0.0)
            sum += s->time_step * s->time_step / s->body->ports[a->port].mass;
    }
    return sum;
}

static void set_gains(struct solve *v)
{
    for (size_t i = 0; i < v->count; i++)
        for (size_t k = 0; k <= i; k++)
            v->gain[i * v->count + k] = v->gain[k * v->count + i] = gain_of(v, i, k);
}

/* Cholesky factor of the symmetric positive 1 + √S G √S. */
static void factorize(struct solve *v)
{
    const size_t n = v->springs;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k <= i; k++) {
            double sum = (i == k ? 1.0 : 0.0) + v->actor[i].slope * v->gain[i * v->count + k] * v->actor[k].slope;
            for (size_t m = 0; m < k; m++)
                sum -= v->factor[i * n + m] * v->factor[k * n + m];
            v->factor[i * n + k] = k < i ? sum / v->factor[k * n + k] : sqrt(sum);
        }
}

static void solve_factored(const struct solve *v, double *u)
{
    const size_t n = v->springs;
    for (size_t i = 0; i < n; i++) {
        for (size_t m = 0; m < i; m++)
            u[i] -= v->factor[i * n + m] * u[m];
        u[i] /= v->factor[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t m = i + 1; m < n; m++)
            u[i] -= v->factor[m * n + i] * u[m];
        u[i] /= v->factor[i * n + i];
    }
}

/* Forces of the springs for the forces of the bows: with S = slope² and d = x̂ - x⁻ - G push - G bows,
 *     f = push + √S (1 + √S G √S)⁻¹ √S d. */
static void solve_springs(struct solve *v)
{
    for (size_t i = 0; i < v->springs; i++) {
        double moved = v->actor[i].free - v->actor[i].before;
        for (size_t k = 0; k < v->count; k++)
            moved -= v->gain[i * v->count + k] * (k < v->springs ? v->actor[k].push : v->force[k]);
        v->column[i] = v->actor[i].slope * moved;
    }
    solve_factored(v, v->column);
    for (size_t i = 0; i < v->springs; i++)
        v->force[i] = v->actor[i].push + v->actor[i].slope * v->column[i];
}

static double next_of(const struct solve *v, size_t i)
{
    double next = v->actor[i].free;
    for (size_t k = 0; k < v->count; k++)
        next -= v->gain[i * v->count + k] * v->force[k];
    return next;
}

/* G of a bow while the springs give way: G_bb - G_bs √S (1 + √S G √S)⁻¹ √S G_sb. */
static double yielding_gain(struct solve *v, size_t bow)
{
    double sum = v->gain[bow * v->count + bow];
    for (size_t i = 0; i < v->springs; i++)
        v->column[i] = v->actor[i].slope * v->gain[i * v->count + bow];
    solve_factored(v, v->column);
    for (size_t i = 0; i < v->springs; i++)
        sum -= v->gain[bow * v->count + i] * v->actor[i].slope * v->column[i];
    return sum;
}

static void solve_bows(struct solve *v)
{
    struct ports_step *s = v->s;
    const double to_speed = 0.5 / s->time_step;
    const size_t bows = v->count - v->springs;
    for (int sweep = 0; sweep < (bows > 1 ? BOW_SWEEPS : bows ? 1 : 0); sweep++)
        for (size_t i = v->springs; i < v->count; i++) {
            struct actor *a = &v->actor[i];
            const struct port_state *last = &s->state[a->port];
            double velocity = last->velocity;
            a->sticks = last->sticks > 0.0;
            v->force[i] = 0.0;
            solve_springs(v);
            v->force[i] =
                friction_force(&s->body->ports[a->port].friction, s->inputs[PORT_INPUTS * a->port + BOW_FORCE],
                               bow_speed(v, a, next_of(v, i)), to_speed * yielding_gain(v, i), &a->sticks, &velocity);
        }
    solve_springs(v);
}

/* The speeds follow from all forces, so that the energies are those of the step. */
static void finish_bow(struct solve *v, size_t i)
{
    struct ports_step *s = v->s;
    const struct actor *a = &v->actor[i];
    const double *in = s->inputs + PORT_INPUTS * a->port, speed = bow_speed(v, a, next_of(v, i));
    struct port_state *state = &s->state[a->port];
    state->sticks = a->sticks ? 1.0 : 0.0;
    state->velocity = a->sticks ? 0.0 : speed;
    s->given += v->force[i] * in[BOW_SPEED] * s->time_step;
    s->lost -= v->force[i] * speed * s->time_step;
}

/* w⁺ += A⁻¹e f. */
static void answer(struct solve *v, size_t i)
{
    struct ports_step *s = v->s;
    const struct actor *a = &v->actor[i];
    const struct sparse *m = &s->coupling->response;
    for (int n = 0; n < 2; n++)
        for (uint32_t k = m->start[a->place[n]]; k < m->start[a->place[n] + 1] && a->weight[n] != 0.0; k++)
            s->next[m->column[k]] += m->value[k] * (a->weight[n] * v->force[i]);
    s->forces[PORT_INPUTS * a->port] = v->force[i];
}

static void answer_stretching(struct solve *v, size_t i)
{
    const size_t points = points_of(v->s->body), number = v->actor[i].port;
    const double *z = v->z + number * points;
    for (size_t k = 0; k < points; k++)
        v->s->next[k] += z[k] * v->force[i];
}

void ports_step(struct ports_step *s)
{
    struct solve v = begin(s);
    memset(s->forces, 0, PORT_INPUTS * s->body->port_count * sizeof *s->forces);
    for (size_t i = 0; i < s->body->port_count; i++)
        if (s->body->ports[i].kind == PORT_CONTACT)
            add_contact(&v, i);
    v.contacts = v.count;
    for (size_t i = 0; i < s->body->stretching_count; i++)
        add_stretching(&v, i);
    v.springs = v.count;
    for (size_t i = 0; i < s->body->port_count; i++)
        if (s->body->ports[i].kind == PORT_BOW)
            add_bow(&v, i);
    if (!v.count)
        return;
    set_gains(&v);
    for (size_t i = 0; i < v.contacts; i++)
        set_contact_slope(&v, i);
    factorize(&v);
    solve_bows(&v);
    for (size_t i = 0; i < v.contacts; i++)
        finish_contact(&v, i, next_of(&v, i) - v.actor[i].before);
    for (size_t i = v.contacts; i < v.springs; i++)
        s->stretched[v.actor[i].port] -= 0.5 * (next_of(&v, i) - v.actor[i].before);
    for (size_t i = v.springs; i < v.count; i++)
        finish_bow(&v, i);
    for (size_t i = 0; i < v.count; i++)
        if (i >= v.contacts && i < v.springs)
            answer_stretching(&v, i);
        else
            answer(&v, i);
}

double ports_energy(const struct body *body, const struct port_state *state, const double *stretched, double time_step)
{
    double sum = 0.0;
    for (size_t i = 0; i < body->port_count; i++) {
        sum += 0.5 * state[i].potential * state[i].potential;
        if (body->ports[i].mass > 0.0 && state[i].awake > 0.0)
            sum += energy_of_mass(&body->ports[i], &state[i], time_step);
    }
    for (size_t i = 0; i < body->stretching_count; i++)
        sum += 0.5 * stretched[i] * stretched[i];
    return sum;
}
