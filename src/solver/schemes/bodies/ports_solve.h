/* SPDX-License-Identifier: MIT */
/* The forces of the ports and the stretching of one body within a step, from the motion of its places: the
 * same code for the CPU and, by the threads of a block, for the GPU. Equations in ports.h, contact.h,
 * friction.h and stretching.h. */
#ifndef AULA_SOLVER_SCHEMES_BODIES_PORTS_SOLVE_H
#define AULA_SOLVER_SCHEMES_BODIES_PORTS_SOLVE_H

#include <stdint.h>

#include "base/device.h"
#include "solver/schemes/bodies/ports.h"

#define MASS_START_GAP 1e-9 /* m between a mass that starts and the body */
#define MASS_LEAVES_AT 0.01 /* m: a mass that recedes further leaves for good */

/* For several bows on one body, which hardly feel each other. */
enum { BOW_SWEEPS = 16 };

/* What acts within this step: a contact or a bow at a place, or the stretching of a part. Its coordinate x
 * decreases by G f, and its force acts along its row e. A stretching has the row g and x = -g·w, with ψ
 * in place of -ψ, so that it is a contact of slope 1. */
struct actor {
    uint32_t index;    /* of the port, or of the stretching */
    uint32_t place[2]; /* rows, by weight */
    double weight[2];
    double now, before, free; /* x, x⁻ and x̂, m */
    double push, slope;       /* f = push + slope² dx, slope² = g²/4 + r */
    double of_potential, damping, lost;
    int sticks; /* bow */
};

struct actor_counts {
    uint32_t contacts, springs, all; /* contacts come first, then stretching, then bows */
};

struct ports_solve {
    const struct port *ports;
    uint32_t port_count, place_count, stretching_count;
    const double *gain; /* [place_count][place_count] */
    double time_step;
    const double *inputs; /* [PORT_INPUTS port_count] */
    /* the motion of places: e·w, e·w⁻ and e·ŵ [place_count], m */
    const double *now, *old, *next;
    /* of stretching: g·w⁻ and g·ŵ; g·z [stretching_count] squared; e·z [stretching_count][place_count] */
    const double *stretch_old, *stretch_next, *stretch_gain, *stretch_reach;
    struct port_state *state; /* [port_count] */
    double *stretched;        /* [stretching_count] ψ */
    double *outputs;          /* [PORT_INPUTS port_count] out */
    double *place_force;      /* [place_count] out, N along e */
    double *stretch_force;    /* [stretching_count] out, along g */
    double *energy;           /* [2] J lost and given, added to */
    /* scratch, n = port_count + stretching_count */
    struct actor *actor;    /* [n] */
    double *gains, *factor; /* [n][n] */
    double *column, *force; /* [n] */
    struct actor_counts *counts;
};

ON_DEVICE struct actor actor_at(uint32_t index, uint32_t place)
{
    const struct actor a = {index, {place, place}, {1.0, 0.0}, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0};
    return a;
}

ON_DEVICE double motion_at(const struct actor *a, const double *of_places)
{
    const double first = a->weight[0] * of_places[a->place[0]];
    return a->weight[1] != 0.0 ? first + a->weight[1] * of_places[a->place[1]] : first;
}

/* Position of a bow among its rows, and the first of the two rows around it. */
ON_DEVICE double bow_along(const struct port *p, double position)
{
    return fmin(fmax((position - p->low) / (p->high - p->low), 0.0), 1.0) * (double)(p->place_count - 1);
}

ON_DEVICE uint32_t first_of_bow(const struct port *p, double along)
{
    return (uint32_t)fmin(floor(along), (double)p->place_count - 2.0);
}

/* The rows [first, end) whose motion a port needs in this step. */
ON_DEVICE void rows_needed(const struct port *p, const struct port_state *state, const double *inputs, uint32_t *first,
                           uint32_t *end)
{
    *first = (uint32_t)p->place;
    *end = *first;
    if (p->kind == PORT_CONTACT ? p->mass > 0.0 && !(state->awake > 0.0) && inputs[PORT_SPEED] == 0.0
                                : !(inputs[BOW_FORCE] > 0.0))
        return;
    if (p->place_count > 1)
        *first += first_of_bow(p, bow_along(p, inputs[BOW_POSITION]));
    *end = *first + (p->place_count > 1 ? 2 : 1);
}

/* ---- contacts */

ON_DEVICE double mass_energy(const struct port *p, const struct port_state *state, double time_step)
{
    const double speed = (state->mass_now - state->before) / time_step;
    return 0.5 * p->mass * speed * speed;
}

ON_DEVICE void put_to_sleep(const struct ports_solve *s, const struct port *p, struct port_state *state)
{
    const struct port_state rest = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    s->energy[0] += mass_energy(p, state, s->time_step) + 0.5 * state->potential * state->potential;
    *state = rest;
}

ON_DEVICE void start_mass(const struct ports_solve *s, const struct port *p, struct port_state *state, double speed,
                          double body)
{
    put_to_sleep(s, p, state);
    state->mass_now = body + p->gap - MASS_START_GAP;
    state->before = state->mass_now - speed * s->time_step;
    state->awake = 1.0;
    s->energy[1] += mass_energy(p, state, s->time_step);
}

/* Adds the contact if it acts; otherwise its mass flies on. */
ON_DEVICE void add_contact(const struct ports_solve *s, uint32_t port)
{
    const struct port *p = &s->ports[port];
    struct port_state *state = &s->state[port];
    struct actor a = actor_at(port, (uint32_t)p->place);
    const double speed = s->inputs[PORT_INPUTS * port + PORT_SPEED];
    if (p->mass > 0.0 && !(state->awake > 0.0) && speed == 0.0)
        return;
    if (p->mass > 0.0 && speed != 0.0)
        start_mass(s, p, state, speed, motion_at(&a, s->now));
    a.now = state->mass_now - motion_at(&a, s->now) - p->gap;
    if (a.now > 0.0 || state->potential != 0.0) {
        a.before = state->before - motion_at(&a, s->old) - p->gap;
        a.free = 2.0 * state->mass_now - state->before - motion_at(&a, s->next) - p->gap;
        s->actor[s->counts->all++] = a;
        return;
    }
    const double next = 2.0 * state->mass_now - state->before;
    state->before = state->mass_now;
    state->mass_now = next;
    if (p->mass > 0.0 && a.now < -MASS_LEAVES_AT && state->mass_now < state->before)
        put_to_sleep(s, p, state);
}

ON_DEVICE void set_contact_slope(const struct ports_solve *s, uint32_t i)
{
    struct actor *a = &s->actor[i];
    struct port_state *state = &s->state[a->index];
    const struct contact_slope slope =
        contact_slope(&s->ports[a->index].contact, a->now, a->before, a->free, s->gains[i * s->counts->all + i],
                      s->time_step, &state->potential, &a->lost);
    a->of_potential = slope.of_potential;
    a->damping = slope.damping;
    a->slope = sqrt(0.25 * slope.of_potential * slope.of_potential + slope.damping);
    a->push = slope.of_potential * state->potential;
}

ON_DEVICE void finish_contact(const struct ports_solve *s, uint32_t i, double moved)
{
    struct actor *a = &s->actor[i];
    const struct port *p = &s->ports[a->index];
    struct port_state *state = &s->state[a->index];
    state->potential += 0.5 * a->of_potential * moved;
    a->lost += 0.5 * a->damping * moved * moved;
    if (!(p->mass > 0.0))
        return;
    const double next = 2.0 * state->mass_now - state->before - s->time_step * s->time_step / p->mass * s->force[i];
    state->before = state->mass_now;
    state->mass_now = next;
}

/* ---- stretching and bows */

ON_DEVICE void add_stretching(const struct ports_solve *s, uint32_t number)
{
    struct actor a = actor_at(number, 0);
    a.before = -s->stretch_old[number];
    a.free = -s->stretch_next[number];
    a.push = -s->stretched[number];
    a.slope = 0.5;
    a.of_potential = 1.0;
    s->actor[s->counts->all++] = a;
}

ON_DEVICE void add_bow(const struct ports_solve *s, uint32_t port)
{
    const struct port *p = &s->ports[port];
    const struct port_state rest = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    const double *in = s->inputs + PORT_INPUTS * port;
    if (!(in[BOW_FORCE] > 0.0)) {
        s->state[port] = rest;
        return;
    }
    struct actor a = actor_at(port, (uint32_t)p->place);
    if (p->place_count > 1) {
        const double along = bow_along(p, in[BOW_POSITION]);
        a.place[0] += first_of_bow(p, along);
        a.place[1] = a.place[0] + 1;
        a.weight[1] = along - (double)first_of_bow(p, along);
        a.weight[0] = 1.0 - a.weight[1];
    }
    a.before = -motion_at(&a, s->old);
    a.free = -motion_at(&a, s->next);
    s->force[s->counts->all] = 0.0; /* until its turn, while other bows are solved for */
    s->actor[s->counts->all++] = a;
}

/* Speed of the body relative to the bow for x⁺. */
ON_DEVICE double bow_speed(const struct ports_solve *s, const struct actor *a, double next)
{
    return -(next - a->before) / (2.0 * s->time_step) - s->inputs[PORT_INPUTS * a->index + BOW_SPEED];
}

/* ---- the solution */

ON_DEVICE bool is_stretching(const struct ports_solve *s, uint32_t i)
{
    return i >= s->counts->contacts && i < s->counts->springs;
}

/* G of two actors. */
ON_DEVICE double gain_of(const struct ports_solve *s, uint32_t i, uint32_t k)
{
    const struct actor *a = &s->actor[i], *b = &s->actor[k];
    if (is_stretching(s, i) && is_stretching(s, k))
        return s->stretch_gain[a->index * s->stretching_count + b->index];
    if (is_stretching(s, i))
        return motion_at(b, s->stretch_reach + (size_t)a->index * s->place_count);
    if (is_stretching(s, k))
        return motion_at(a, s->stretch_reach + (size_t)b->index * s->place_count);
    double sum = 0.0;
    for (int m = 0; m < 2; m++)
        sum += a->weight[m] * motion_at(b, s->gain + (size_t)a->place[m] * s->place_count);
    if (i == k && i < s->counts->contacts && s->ports[a->index].mass > 0.0)
        sum += s->time_step * s->time_step / s->ports[a->index].mass;
    return sum;
}

/* Cholesky factor of the symmetric positive 1 + √S G √S, column by column. */
ON_DEVICE void factorize(const struct ports_solve *s, struct team t)
{
    const uint32_t n = s->counts->springs, all = s->counts->all;
    for (uint32_t k = 0; k < n; k++) {
        for (uint32_t i = k + t.thread; i < n; i += t.threads) {
            double sum = (i == k ? 1.0 : 0.0) + s->actor[i].slope * s->gains[i * all + k] * s->actor[k].slope;
            for (uint32_t m = 0; m < k; m++)
                sum -= s->factor[i * n + m] * s->factor[k * n + m];
            s->factor[i * n + k] = sum;
        }
        team_wait();
        const double pivot = sqrt(s->factor[k * n + k]);
        team_wait();
        for (uint32_t i = k + t.thread; i < n; i += t.threads)
            s->factor[i * n + k] = i > k ? s->factor[i * n + k] / pivot : pivot;
        team_wait();
    }
}

ON_DEVICE void solve_factored(const struct ports_solve *s, double *u, struct team t)
{
    const uint32_t n = s->counts->springs;
    for (uint32_t m = 0; m < n; m++) {
        team_wait();
        const double value = u[m] / s->factor[m * n + m];
        team_wait();
        for (uint32_t i = m + t.thread; i < n; i += t.threads)
            u[i] = i > m ? u[i] - s->factor[i * n + m] * value : value;
    }
    for (uint32_t m = n; m-- > 0;) {
        team_wait();
        const double value = u[m] / s->factor[m * n + m];
        team_wait();
        for (uint32_t i = t.thread; i <= m; i += t.threads)
            u[i] = i < m ? u[i] - s->factor[m * n + i] * value : value;
    }
    team_wait();
}

/* Forces of the springs for the forces of the bows: with S = slope² and d = x̂ - x⁻ - G push - G bows,
 *     f = push + √S (1 + √S G √S)⁻¹ √S d. */
ON_DEVICE void solve_springs(const struct ports_solve *s, struct team t)
{
    const uint32_t n = s->counts->springs, all = s->counts->all;
    for (uint32_t i = t.thread; i < n; i += t.threads) {
        double moved = s->actor[i].free - s->actor[i].before;
        for (uint32_t k = 0; k < all; k++)
            moved -= s->gains[i * all + k] * (k < n ? s->actor[k].push : s->force[k]);
        s->column[i] = s->actor[i].slope * moved;
    }
    solve_factored(s, s->column, t);
    for (uint32_t i = t.thread; i < n; i += t.threads)
        s->force[i] = s->actor[i].push + s->actor[i].slope * s->column[i];
    team_wait();
}

ON_DEVICE double next_of(const struct ports_solve *s, uint32_t i)
{
    double next = s->actor[i].free;
    for (uint32_t k = 0; k < s->counts->all; k++)
        next -= s->gains[i * s->counts->all + k] * s->force[k];
    return next;
}

/* G of a bow while the springs give way: G_bb - G_bs √S (1 + √S G √S)⁻¹ √S G_sb. */
ON_DEVICE double yielding_gain(const struct ports_solve *s, uint32_t bow, struct team t)
{
    const uint32_t n = s->counts->springs, all = s->counts->all;
    double sum = s->gains[bow * all + bow];
    for (uint32_t i = t.thread; i < n; i += t.threads)
        s->column[i] = s->actor[i].slope * s->gains[i * all + bow];
    solve_factored(s, s->column, t);
    for (uint32_t i = 0; i < n; i++)
        sum -= s->gains[bow * all + i] * s->actor[i].slope * s->column[i];
    team_wait();
    return sum;
}

ON_DEVICE void solve_bows(const struct ports_solve *s, struct team t)
{
    const uint32_t first = s->counts->springs, bows = s->counts->all - first;
    for (int sweep = 0; sweep < (bows > 1 ? BOW_SWEEPS : bows ? 1 : 0); sweep++)
        for (uint32_t i = first; i < s->counts->all; i++) {
            if (!t.thread)
                s->force[i] = 0.0;
            team_wait();
            solve_springs(s, t);
            const double gain = 0.5 / s->time_step * yielding_gain(s, i, t);
            if (!t.thread) {
                struct actor *a = &s->actor[i];
                const struct port_state *last = &s->state[a->index];
                bool sticks = last->sticks > 0.0;
                double velocity = last->velocity;
                s->force[i] =
                    friction_force(&s->ports[a->index].friction, s->inputs[PORT_INPUTS * a->index + BOW_FORCE],
                                   bow_speed(s, a, next_of(s, i)), gain, &sticks, &velocity);
                a->sticks = sticks;
            }
            team_wait();
        }
    solve_springs(s, t);
}

/* The speeds follow from all forces, so that the energies are those of the step. */
ON_DEVICE void finish_bow(const struct ports_solve *s, uint32_t i)
{
    const struct actor *a = &s->actor[i];
    const double *in = s->inputs + PORT_INPUTS * a->index, speed = bow_speed(s, a, next_of(s, i));
    struct port_state *state = &s->state[a->index];
    state->sticks = a->sticks ? 1.0 : 0.0;
    state->velocity = a->sticks ? 0.0 : speed;
    s->outputs[PORT_INPUTS * a->index + 1] = state->velocity;
    s->energy[1] += s->force[i] * in[BOW_SPEED] * s->time_step;
    s->energy[0] -= s->force[i] * speed * s->time_step;
}

ON_DEVICE void collect_actors(const struct ports_solve *s)
{
    const struct actor_counts none = {0, 0, 0};
    *s->counts = none;
    for (uint32_t i = 0; i < PORT_INPUTS * s->port_count; i++)
        s->outputs[i] = 0.0;
    for (uint32_t i = 0; i < s->place_count; i++)
        s->place_force[i] = 0.0;
    for (uint32_t i = 0; i < s->port_count; i++)
        if (s->ports[i].kind == PORT_CONTACT)
            add_contact(s, i);
    s->counts->contacts = s->counts->all;
    for (uint32_t i = 0; i < s->stretching_count; i++)
        add_stretching(s, i);
    s->counts->springs = s->counts->all;
    for (uint32_t i = 0; i < s->port_count; i++)
        if (s->ports[i].kind == PORT_BOW)
            add_bow(s, i);
}

/* The forces, and what they move and lose. */
ON_DEVICE void take_forces(const struct ports_solve *s)
{
    for (uint32_t i = 0; i < s->counts->all; i++) {
        const struct actor *a = &s->actor[i];
        if (is_stretching(s, i)) {
            s->stretched[a->index] -= 0.5 * (next_of(s, i) - a->before);
            s->stretch_force[a->index] = s->force[i];
            continue;
        }
        if (i >= s->counts->springs)
            finish_bow(s, i);
        s->energy[0] += a->lost;
        s->outputs[PORT_INPUTS * a->index] = s->force[i];
        for (int n = 0; n < 2; n++)
            s->place_force[a->place[n]] += a->weight[n] * s->force[i];
    }
}

/* Every thread of the team calls it with the same s. */
ON_DEVICE void ports_solve(const struct ports_solve *s, struct team t)
{
    if (!t.thread)
        collect_actors(s);
    team_wait();
    const uint32_t all = s->counts->all;
    if (!all)
        return;
    for (uint32_t k = t.thread; k < all * all; k += t.threads)
        s->gains[k] = gain_of(s, k / all, k % all);
    team_wait();
    for (uint32_t i = t.thread; i < s->counts->contacts; i += t.threads)
        set_contact_slope(s, i);
    team_wait();
    factorize(s, t);
    solve_bows(s, t);
    for (uint32_t i = t.thread; i < s->counts->contacts; i += t.threads)
        finish_contact(s, i, next_of(s, i) - s->actor[i].before);
    team_wait();
    if (!t.thread)
        take_forces(s);
    team_wait();
}

#endif
