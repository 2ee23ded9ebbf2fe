/* Bodies step by step, as scheme/bodies.h has them: the reference of every other engine's. All of it is double. */
#include "cpu/bodies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct surface_state {
    double *w[3];                /* [nodes]: displacement at n + 1, n, n - 1 by turns */
    double *force;               /* [nodes] N */
    double *velocity;            /* [nodes]: for the balance */
    double *lean[3];             /* [cells]: J w of the same levels */
    double *difference;          /* [cells]: Δψ at n - 1 */
    double *right, *r, *scratch; /* [cells] */
    size_t *below, *above;       /* [cells] in the padded grid */
};

struct line_state {
    double *q[3];    /* [modes], and of CONNECTION_BRIDGE the bridge: at n + 1, n, n - 1 by turns, m */
    double *force;   /* of the same, N */
    double reaction; /* of F = reaction - slope w⁺, N */
    double partial;  /* of CONNECTION_BRIDGE: its next displacement for w⁺ = 0 */
};

struct body_state {
    const struct body *body;
    struct surface_state surface;
    struct line_state *lines; /* [body->line_count] */
    struct joint joint;
    double *at[2]; /* [body->line_count]: where lines meet the surface, w⁺ without them and with them */
};

/* One point of a drive or tap channel on a body. */
struct body_entry {
    size_t channel;
    double *force;                 /* of the drive's node or mode */
    const struct body_state *body; /* of a tap */
    ptrdiff_t line;                /* -1: the surface */
    size_t point;
    double weight;
};

struct body_states {
    const struct problem *problem;
    const struct bodies *bodies;
    struct body_state *body; /* [bodies->count] */
    struct body_entry *drives, *taps;
    size_t drive_count, tap_count;
    size_t *cut_at;       /* [cut_count] in the padded grid */
    double *flux;         /* [cut_count]: what the air's step takes across cut links */
    ptrdiff_t step_of[6]; /* to the neighbour across a face */
    unsigned level;       /* steps done, modulo 3 */
    double lost, given;   /* J */
};

static double field_at(const struct body_states *b, const void *grid, size_t at)
{
    return b->problem->precision == PRECISION_DOUBLE ? ((const double *)grid)[at] : (double)((const float *)grid)[at];
}

static void field_add(const struct body_states *b, void *grid, size_t at, double value)
{
    if (b->problem->precision == PRECISION_DOUBLE)
        ((double *)grid)[at] += value;
    else
        ((float *)grid)[at] = (float)((double)((float *)grid)[at] + value);
}

/* Of level n + 1 (age 0), n (1), n - 1 (2) while step n is made. */
static double *level(const struct body_states *b, double *const arrays[3], unsigned age)
{
    return arrays[(b->level + 3 - age) % 3];
}

static void free_lines(struct body_state *s)
{
    for (size_t i = 0; s->lines && i < s->body->line_count; i++)
        free(s->lines[i].force);
    free(s->lines);
}

void body_states_free(struct body_states *b)
{
    if (!b)
        return;
    for (size_t i = 0; b->body && i < b->bodies->count; i++) {
        free(b->body[i].surface.force);
        free(b->body[i].surface.difference);
        free(b->body[i].surface.below);
        free_lines(&b->body[i]);
        joint_free(&b->body[i].joint);
        free(b->body[i].at[0]);
    }
    free(b->body);
    free(b->drives);
    free(b->taps);
    free(b->cut_at);
    free(b->flux);
    free(b);
}

static size_t padded(const struct rows *rows, uint64_t point)
{
    return point / rows->nx * rows->stride + point % rows->nx;
}

static int make_surface(struct surface_state *s, const struct surface *surface, const struct rows *rows)
{
    const size_t nodes = surface->nx * surface->ny, cells = surface->cells;
    s->force = calloc(5 * nodes, sizeof *s->force);
    s->difference = calloc(7 * cells + 1, sizeof *s->difference);
    s->below = calloc(2 * cells + 1, sizeof *s->below);
    if (!s->force || !s->difference || !s->below)
        return -1;
    s->right = s->difference + cells;
    s->r = s->right + cells;
    s->scratch = s->r + cells;
    for (size_t i = 0; i < 3; i++) {
        s->w[i] = s->force + (i + 1) * nodes;
        s->lean[i] = s->scratch + (i + 1) * cells;
    }
    s->velocity = s->force + 4 * nodes;
    s->above = s->below + cells;
    for (size_t i = 0; i < cells; i++) {
        s->below[i] = padded(rows, surface->below[i]);
        s->above[i] = padded(rows, surface->above[i]);
    }
    return 0;
}

static int make_body(struct body_state *s, const struct body *body, double time_step, const struct rows *rows,
                     struct error *e)
{
    s->body = body;
    s->lines = calloc(body->line_count + 1, sizeof *s->lines);
    s->at[0] = calloc(2 * body->line_count + 1, sizeof *s->at[0]);
    if (!s->lines || !s->at[0] || (body->surface && make_surface(&s->surface, body->surface, rows)))
        return fail(e, ERROR_MEMORY, "out of memory for the instruments");
    s->at[1] = s->at[0] + body->line_count;
    for (size_t i = 0; i < body->line_count; i++) {
        struct line_state *line = &s->lines[i];
        const size_t points = line_points(&body->lines[i]);
        line->force = calloc(4 * points + 1, sizeof *line->force);
        if (!line->force)
            return fail(e, ERROR_MEMORY, "out of memory for the instruments");
        for (size_t k = 0; k < 3; k++)
            line->q[k] = line->force + (k + 1) * points;
    }
    return joint_make(&s->joint, body, time_step, e);
}

/* The body and part that a state array of the scheme is. */
static struct body_entry entry_of(struct body_states *b, size_t channel, const struct channel_entry *entry)
{
    size_t array = BODY_ARRAYS;
    for (size_t i = 0; i < b->bodies->count; i++) {
        struct body_state *s = &b->body[i];
        const size_t surface = s->body->surface != NULL, parts = surface + s->body->line_count;
        if (entry->array < array + parts) {
            const ptrdiff_t line = (ptrdiff_t)(entry->array - array) - (ptrdiff_t)surface;
            double *forces = line < 0 ? s->surface.force : s->lines[line].force;
            return (struct body_entry){channel, forces + entry->point, s, line, entry->point, entry->weight};
        }
        array += parts;
    }
    return (struct body_entry){0}; /* leapfrog_scheme's check leaves no such array */
}

static struct body_entry *make_entries(struct body_states *b, size_t *count, const struct channel *channels, size_t n)
{
    size_t total = 0;
    for (size_t k = 0; k < n; k++)
        total += channels[k].count;
    struct body_entry *entries = calloc(total + 1, sizeof *entries);
    *count = 0;
    for (size_t k = 0; entries && k < n; k++)
        for (size_t i = 0; i < channels[k].count; i++)
            if (channels[k].entries[i].array >= BODY_ARRAYS)
                entries[(*count)++] = entry_of(b, k, &channels[k].entries[i]);
    return entries;
}

int body_states_make(struct body_states **out, const struct problem *p, const struct rows *rows, struct error *e)
{
    const struct bodies *bodies = p->as.leapfrog.bodies;
    *out = NULL;
    if (!bodies)
        return 0;
    struct body_states *b = calloc(1, sizeof *b);
    if (!b)
        return fail(e, ERROR_MEMORY, "out of memory for the instruments");
    b->problem = p;
    b->bodies = bodies;
    b->body = calloc(bodies->count + 1, sizeof *b->body);
    b->cut_at = calloc(bodies->cut_count + 1, sizeof *b->cut_at);
    b->flux = calloc(bodies->cut_count + 1, sizeof *b->flux);
    if (!b->body || !b->cut_at || !b->flux) {
        fail(e, ERROR_MEMORY, "out of memory for the instruments");
        goto fail;
    }
    for (size_t i = 0; i < bodies->count; i++)
        if (make_body(&b->body[i], &bodies->body[i], bodies->time_step, rows, e))
            goto fail;
    for (size_t i = 0; i < bodies->cut_count; i++)
        b->cut_at[i] = padded(rows, bodies->cuts[i].point);
    const ptrdiff_t row = (ptrdiff_t)rows->stride, plane = row * (ptrdiff_t)rows->ny;
    memcpy(b->step_of, (ptrdiff_t[6]){-1, 1, -row, row, -plane, plane}, sizeof b->step_of);
    b->drives = make_entries(b, &b->drive_count, p->drives, p->drive_count);
    b->taps = make_entries(b, &b->tap_count, p->taps, p->tap_count);
    if (!b->drives || !b->taps) {
        fail(e, ERROR_MEMORY, "out of memory for the instruments");
        goto fail;
    }
    *out = b;
    return 0;
fail:
    body_states_free(b);
    return -1;
}

static double across_cuts(const struct body_states *b, const void *grid, size_t cut)
{
    const size_t at = b->cut_at[cut];
    const double here = field_at(b, grid, at);
    double sum = 0.0;
    for (int face = 0; face < 6; face++)
        if (b->bodies->cuts[cut].faces >> face & 1)
            sum += field_at(b, grid, (size_t)((ptrdiff_t)at + b->step_of[face])) - here;
    return sum;
}

void bodies_before(struct body_states *b, const void *now, const void *before)
{
    const double viscosity = b->problem->as.leapfrog.viscosity, squared = b->problem->as.leapfrog.courant_squared;
    for (size_t i = 0; i < b->bodies->cut_count; i++) {
        b->flux[i] = (squared + viscosity) * across_cuts(b, now, i);
        if (viscosity > 0.0)
            b->flux[i] -= viscosity * across_cuts(b, before, i);
    }
    for (size_t i = 0; i < b->bodies->count; i++) {
        struct surface_state *s = &b->body[i].surface;
        const struct surface *surface = b->body[i].body->surface;
        for (size_t c = 0; surface && c < surface->cells; c++)
            s->difference[c] = field_at(b, before, s->below[c]) - field_at(b, before, s->above[c]);
    }
}

static void apply(const struct sparse *m, size_t rows, const double *in, double *out)
{
    for (size_t i = 0; i < rows; i++) {
        double sum = 0.0;
        for (uint32_t k = m->start[i]; k < m->start[i + 1]; k++)
            sum += m->value[k] * in[m->column[k]];
        out[i] = sum;
    }
}

/* N w + B w⁻ + force_gain f into w⁺. */
static void step_nodes(const struct surface *s, double *restrict next, const double *now, const double *before,
                       const double *force)
{
    for (size_t i = 0; i < s->nx * s->ny; i++) {
        const struct stencil *stencil = &s->stencils[s->kind[i]];
        double sum = s->force_gain * force[i];
        for (uint32_t k = 0; k < stencil->lossy; k++)
            sum += stencil->before[k] * before[(ptrdiff_t)i + stencil->offset[k]];
        for (uint32_t k = 0; k < stencil->count; k++)
            sum += stencil->now[k] * now[(ptrdiff_t)i + stencil->offset[k]];
        next[i] = s->kind[i] ? sum : 0.0;
    }
}

/* Solves for r with the air as it is after its own step, and finishes w⁺ but for its lines. */
static void meet_air(struct body_states *b, struct body_state *body, const void *next)
{
    const struct surface *surface = body->body->surface;
    struct surface_state *s = &body->surface;
    double *w = level(b, s->w, 0), *lean = level(b, s->lean, 0);
    const double *lean_before = level(b, s->lean, 2);
    apply(&surface->map, surface->cells, w, lean);
    for (size_t i = 0; i < surface->cells; i++) {
        const double difference = field_at(b, next, s->below[i]) - field_at(b, next, s->above[i]);
        s->right[i] = surface->pressure_gain * (difference - s->difference[i]) +
                      surface->load * (lean_before[i] - lean[i] / surface->denominator);
    }
    surface_solve(surface, s->right, s->r, s->scratch);
    for (size_t i = 0; i < surface->nx * surface->ny; i++) {
        double sum = 0.0;
        for (uint32_t k = surface->cells ? surface->spread.start[i] : 0;
             k < (surface->cells ? surface->spread.start[i + 1] : 0); k++)
            sum += surface->spread.value[k] * s->r[surface->spread.column[k]];
        w[i] = (w[i] + surface->area_ratio * sum) / surface->denominator;
    }
}

static void move_air(struct body_states *b, struct body_state *body, void *next)
{
    const struct surface *surface = body->body->surface;
    struct surface_state *s = &body->surface;
    double *lean = level(b, s->lean, 0);
    const double *lean_before = level(b, s->lean, 2);
    apply(&surface->map, surface->cells, level(b, s->w, 0), lean);
    for (size_t i = 0; i < surface->cells; i++) {
        const double flow = surface->flow_gain * (lean[i] - lean_before[i]);
        field_add(b, next, s->below[i], -flow);
        field_add(b, next, s->above[i], flow);
    }
}

static double at_nodes(const struct connection *c, const double *w)
{
    double sum = 0.0;
    for (int i = 0; i < CONNECTION_NODES_MOST; i++)
        sum += c->weight[i] * w[c->node[i]];
    return sum;
}

/* Sums over modes of shape times gain times shape, and of shape times q. */
static double shape_gain(const struct line_body *line)
{
    double sum = 0.0;
    for (size_t m = 0; m < line->modes; m++)
        sum += line->connection.shape[m] * line->connection.shape[m] * line->gain[m];
    return sum;
}

static double shape_times(const struct line_body *line, const double *q)
{
    double sum = 0.0;
    for (size_t m = 0; m < line->modes; m++)
        sum += line->connection.shape[m] * q[m];
    return sum;
}

static void step_modes(const struct line_body *line, double *restrict next, const double *restrict now,
                       const double *restrict old, const double *restrict force)
{
    for (size_t m = 0; m < line->modes; m++)
        next[m] = line->now[m] * now[m] - line->before[m] * old[m] + line->gain[m] * force[m];
}

/* The modes of a line whose held end is at (now, old) and comes to 0, into q⁺; the force of the line on that end, but
 * for what its next displacement adds. */
static double step_held(const struct body_states *b, const struct line_body *line, struct line_state *s, double now,
                        double old)
{
    const struct connection *c = &line->connection;
    const double k2 = b->bodies->time_step * b->bodies->time_step, push = (2.0 * now - old) / k2;
    double *next = level(b, s->q, 0), sum = 0.0;
    const double *q = level(b, s->q, 1), *q_old = level(b, s->q, 2);
    step_modes(line, next, q, q_old, s->force);
    for (size_t m = 0; m < line->modes; m++) {
        next[m] += line->gain[m] * c->shape[m] * push;
        sum += c->shape[m] * (next[m] - 2.0 * q[m] + q_old[m]);
    }
    return (c->end_mass * (2.0 * now - old) - sum) / k2 - c->end_stiffness * now;
}

/* What a spring with a dashpot makes of its next and of its last elongation, N/m: f = outward η⁺ + inward η⁻. */
static double outward(const struct body_states *b, const struct connection *c)
{
    return 0.5 * c->stiffness + 0.5 * c->resistance / b->bodies->time_step;
}

static double inward(const struct body_states *b, const struct connection *c)
{
    return 0.5 * c->stiffness - 0.5 * c->resistance / b->bodies->time_step;
}

/* Steps the modes for a surface that does not move on, and finds the reaction. w, old: the surface there at n, n - 1. */
static void line_before(const struct body_states *b, const struct line_body *line, struct line_state *s, double w,
                        double old)
{
    const struct connection *c = &line->connection;
    const double k2 = b->bodies->time_step * b->bodies->time_step, out = outward(b, c), in = inward(b, c);
    if (c->kind == CONNECTION_END) {
        s->reaction = step_held(b, line, s, w, old);
    } else if (c->kind == CONNECTION_BRIDGE) {
        const double now = level(b, s->q, 1)[line->modes], before = level(b, s->q, 2)[line->modes];
        const double spring = in * (before - old);
        const double stiff = c->bridge_mass / k2 + (c->end_mass - shape_gain(line) / k2) / k2 + out;
        const double string = step_held(b, line, s, now, before) + s->force[line->modes];
        s->partial = (c->bridge_mass * (2.0 * now - before) / k2 + string - spring) / stiff;
        s->reaction = out * s->partial + spring;
    } else {
        const double gain = shape_gain(line);
        step_modes(line, level(b, s->q, 0), level(b, s->q, 1), level(b, s->q, 2), s->force);
        const double free = shape_times(line, level(b, s->q, 0)), before = shape_times(line, level(b, s->q, 2));
        s->reaction = isinf(c->stiffness) ? free / gain : (out * free + in * (before - old)) / (1.0 + out * gain);
    }
}

/* The modes' answer to the surface's next displacement w, F being the force on it. */
static void line_after(const struct body_states *b, const struct line_body *line, struct line_state *s, double w,
                       double force, double slope)
{
    const struct connection *c = &line->connection;
    double moved = w / (b->bodies->time_step * b->bodies->time_step), *q = level(b, s->q, 0);
    if (c->kind == CONNECTION_POINT)
        moved = force;
    if (c->kind == CONNECTION_BRIDGE) { /* slope = out - out²/stiff, and the bridge goes to partial + out w/stiff */
        const double next = s->partial + (1.0 - slope / outward(b, c)) * w;
        q[line->modes] = next;
        moved = next / (b->bodies->time_step * b->bodies->time_step);
    }
    for (size_t m = 0; m < line->modes; m++)
        q[m] -= line->gain[m] * c->shape[m] * moved;
}

/* The surface and the lines on it, solved together. */
static void join_lines(struct body_states *b, struct body_state *s)
{
    const struct joint *j = &s->joint;
    double *w = level(b, s->surface.w, 0);
    for (size_t i = 0; i < j->lines; i++) {
        const struct connection *c = &s->body->lines[i].connection;
        s->at[0][i] = at_nodes(c, w);
        line_before(b, &s->body->lines[i], &s->lines[i], at_nodes(c, level(b, s->surface.w, 1)),
                    at_nodes(c, level(b, s->surface.w, 2)));
    }
    for (size_t i = 0; i < j->lines; i++) {
        s->at[1][i] = 0.0;
        for (size_t k = 0; k < j->lines; k++)
            s->at[1][i] += j->free[i * j->lines + k] * s->at[0][k] + j->forced[i * j->lines + k] * s->lines[k].reaction;
    }
    for (size_t i = 0; i < j->lines; i++) {
        const double force = s->lines[i].reaction - j->slope[i] * s->at[1][i];
        for (uint32_t k = j->answer.start[i]; k < j->answer.start[i + 1]; k++)
            w[j->answer.column[k]] += j->answer.value[k] * force;
        line_after(b, &s->body->lines[i], &s->lines[i], s->at[1][i], force, j->slope[i]);
    }
}

/* What modes lose in a step, and are given, J. before = (1 - s)/(1 + s) with s = σ̃k, gain = k²/(m (1 + s)). */
static void follow_modes(struct body_states *b, const struct line_body *line, const struct line_state *s)
{
    const double *next = level(b, s->q, 0), *old = level(b, s->q, 2);
    for (size_t m = 0; m < line->modes; m++) {
        const double d = 0.5 * (next[m] - old[m]), loss = (1.0 - line->before[m]) / (1.0 + line->before[m]);
        const double mass = 0.5 * (1.0 + line->before[m]) / line->gain[m]; /* over k² */
        b->lost += 2.0 * loss * mass * d * d;
        b->given += s->force[m] * d;
    }
    if (line->connection.kind == CONNECTION_BRIDGE)
        b->given += 0.5 * s->force[line->modes] * (next[line->modes] - old[line->modes]);
}

/* The elongation of a connection's spring, and its rate: what its dashpot loses. */
static void follow_spring(struct body_states *b, const struct body_state *body, size_t line)
{
    const struct line_body *l = &body->body->lines[line];
    const struct connection *c = &l->connection;
    const struct line_state *s = &body->lines[line];
    if (c->kind == CONNECTION_END || !(c->resistance > 0.0))
        return;
    double elongation[2];
    for (unsigned i = 0; i < 2; i++) {
        const unsigned age = 2 * i;
        const double end =
            c->kind == CONNECTION_BRIDGE ? level(b, s->q, age)[l->modes] : shape_times(l, level(b, s->q, age));
        elongation[i] = end - at_nodes(c, level(b, body->surface.w, age));
    }
    const double d = 0.5 * (elongation[0] - elongation[1]);
    b->lost += c->resistance * d * d / b->bodies->time_step;
}

/* Of a node: P d, P = B + (1 - σ0 k). */
static double lossy_part(const struct surface *s, size_t node, const double *d)
{
    const struct stencil *stencil = &s->stencils[s->kind[node]];
    double sum = (2.0 - s->denominator) * d[node];
    for (uint32_t k = 0; k < stencil->lossy; k++)
        sum += stencil->before[k] * d[(ptrdiff_t)node + stencil->offset[k]];
    return sum;
}

static void follow_surface(struct body_states *b, struct body_state *body)
{
    const struct surface *s = body->body->surface;
    const double *next = level(b, body->surface.w, 0), *old = level(b, body->surface.w, 2);
    double *d = body->surface.velocity, lost = 0.0;
    for (size_t i = 0; i < s->nx * s->ny; i++)
        d[i] = 0.5 * (next[i] - old[i]);
    for (size_t i = 0; i < s->nx * s->ny; i++)
        if (s->kind[i]) {
            lost += d[i] * (2.0 * (s->denominator - 1.0) * d[i] + lossy_part(s, i, d));
            b->given += body->surface.force[i] * d[i];
        }
    b->lost += lost / s->force_gain;
}

static void clear_forces(struct body_states *b)
{
    for (size_t i = 0; i < b->drive_count; i++)
        *b->drives[i].force = 0.0;
}

void bodies_step(struct body_states *b, void *next, const double *drive, size_t stride)
{
    for (size_t i = 0; drive && i < b->drive_count; i++)
        *b->drives[i].force += b->drives[i].weight * drive[b->drives[i].channel * stride];
    for (size_t i = 0; i < b->bodies->cut_count; i++)
        field_add(b, next, b->cut_at[i], -b->flux[i]);
    for (size_t i = 0; i < b->bodies->count; i++) {
        struct body_state *s = &b->body[i];
        if (s->body->surface) {
            step_nodes(s->body->surface, level(b, s->surface.w, 0), level(b, s->surface.w, 1),
                       level(b, s->surface.w, 2), s->surface.force);
            meet_air(b, s, next);
            join_lines(b, s);
            move_air(b, s, next);
            follow_surface(b, s);
        }
        for (size_t k = 0; k < s->body->line_count; k++) {
            struct line_state *line = &s->lines[k];
            if (!s->body->surface)
                step_modes(&s->body->lines[k], level(b, line->q, 0), level(b, line->q, 1), level(b, line->q, 2),
                           line->force);
            else
                follow_spring(b, s, k);
            follow_modes(b, &s->body->lines[k], line);
        }
    }
    clear_forces(b);
    b->level = (b->level + 1) % 3;
}

void bodies_listen(const struct body_states *b, double *taps, size_t stride)
{
    for (size_t i = 0; i < b->tap_count; i++) {
        const struct body_entry *t = &b->taps[i];
        const double *values = t->line < 0 ? level(b, t->body->surface.w, 1) : level(b, t->body->lines[t->line].q, 1);
        taps[t->channel * stride] += t->weight * values[t->point];
    }
}

/* J: ½ <δ, (1 - P/2) δ> + ½ <w⁺, k²K w> over the force gain, k²K = 2 - N - P. */
static double surface_energy(const struct body_states *b, const struct body_state *body)
{
    const struct surface *s = body->body->surface;
    const double *now = level(b, body->surface.w, 1), *old = level(b, body->surface.w, 2);
    double *d = body->surface.velocity, sum = 0.0;
    for (size_t i = 0; i < s->nx * s->ny; i++)
        d[i] = now[i] - old[i];
    for (size_t i = 0; i < s->nx * s->ny; i++) {
        const struct stencil *stencil = &s->stencils[s->kind[i]];
        if (!s->kind[i])
            continue;
        double stiff = 2.0 * old[i] - lossy_part(s, i, old);
        for (uint32_t k = 0; k < stencil->count; k++)
            stiff -= stencil->now[k] * old[(ptrdiff_t)i + stencil->offset[k]];
        sum += 0.5 * d[i] * (d[i] - 0.5 * lossy_part(s, i, d)) + 0.5 * now[i] * stiff;
    }
    return sum / s->force_gain;
}

static double modes_energy(const struct body_states *b, const struct line_body *line, const struct line_state *s)
{
    const double *now = level(b, s->q, 1), *old = level(b, s->q, 2);
    double sum = 0.0;
    for (size_t m = 0; m < line->modes; m++) {
        const double mass = 0.5 * (1.0 + line->before[m]) / line->gain[m], d = now[m] - old[m];
        const double stiff = 2.0 - 2.0 * line->now[m] / (1.0 + line->before[m]);
        sum += 0.5 * mass * (d * d + stiff * now[m] * old[m]);
    }
    return sum;
}

/* Of the inertia and stiffness of an end that moves, of its bridge and of springs, J. */
static double connection_energy(const struct body_states *b, const struct body_state *body, size_t line)
{
    const struct line_body *l = &body->body->lines[line];
    const struct connection *c = &l->connection;
    const struct line_state *s = &body->lines[line];
    const double k2 = b->bodies->time_step * b->bodies->time_step;
    const double surface[2] = {at_nodes(c, level(b, body->surface.w, 1)), at_nodes(c, level(b, body->surface.w, 2))};
    double end[2] = {surface[0], surface[1]}, energy = 0.0;
    for (unsigned i = 0; i < 2 && c->kind == CONNECTION_BRIDGE; i++)
        end[i] = level(b, s->q, i + 1)[l->modes];
    if (c->kind != CONNECTION_POINT) {
        const double d = end[0] - end[1];
        for (size_t m = 0; m < l->modes; m++)
            energy += c->shape[m] * (level(b, s->q, 1)[m] - level(b, s->q, 2)[m]) * d / k2;
        energy += 0.5 * (c->end_mass + (c->kind == CONNECTION_BRIDGE ? c->bridge_mass : 0.0)) * d * d / k2 +
                  0.5 * c->end_stiffness * end[0] * end[1];
    } else {
        for (unsigned i = 0; i < 2; i++)
            end[i] = shape_times(l, level(b, s->q, i + 1));
    }
    if (c->kind != CONNECTION_END && !isinf(c->stiffness))
        for (unsigned i = 0; i < 2; i++)
            energy += 0.25 * c->stiffness * (end[i] - surface[i]) * (end[i] - surface[i]);
    return energy;
}

/* ½ λ² Δp⁺ Δp of the links that are cut, which the field's own sum takes for open. Each link is met from both ends. */
static double cut_links(const struct body_states *b, const void *now, const void *before)
{
    double sum = 0.0;
    for (size_t i = 0; i < b->bodies->cut_count; i++)
        for (int face = 0; face < 6; face++)
            if (b->bodies->cuts[i].faces >> face & 1) {
                const size_t at = b->cut_at[i], other = (size_t)((ptrdiff_t)at + b->step_of[face]);
                sum += 0.25 * (field_at(b, now, at) - field_at(b, now, other)) *
                       (field_at(b, before, at) - field_at(b, before, other));
            }
    return b->problem->as.leapfrog.courant_squared * sum;
}

void bodies_audit(const struct body_states *b, const void *now, const void *before, struct audit *a)
{
    double stored = 0.0;
    for (size_t i = 0; i < b->bodies->count; i++) {
        const struct body_state *s = &b->body[i];
        if (s->body->surface)
            stored += surface_energy(b, s);
        for (size_t k = 0; k < s->body->line_count; k++) {
            stored += modes_energy(b, &s->body->lines[k], &s->lines[k]);
            if (s->body->surface)
                stored += connection_energy(b, s, k);
        }
    }
    a->stored += b->bodies->joules_to_field * stored - cut_links(b, now, before);
    a->absorbed += b->bodies->joules_to_field * b->lost;
    a->supplied += b->bodies->joules_to_field * b->given;
}
