/* SPDX-License-Identifier: MIT */
/* Couplings of bodies: surfaces with the air, lines with surfaces. Equations in bodies.h. */
#include "solver/schemes/bodies/bodies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/schemes/bodies/loops.h"
#include "solver/schemes/bodies/ports.h"
#include "solver/schemes/bodies/stretching.h"
#include "solver/schemes/bodies/wind.h"

/* An iteration matrix with a larger row sum converges too slowly, and above 1 perhaps not at
 * all. */
#define JACOBI_MAX 0.95

/* The factor c in (1 + c J Jᵀ) r = right. */
static double air_factor(const struct surface *s)
{
    return s->load * s->area_ratio / s->denominator;
}

unsigned surface_iterations(const struct surface *s)
{
    const double c = air_factor(s);
    double max =
        0.0; /* largest row sum of the Jacobi matrix: upper bound of the share of the error left by an iteration */
    for (size_t i = 0; i < s->cells; i++) {
        double sum = 0.0;
        for (uint32_t k = s->coupling.start[i]; k < s->coupling.start[i + 1]; k++)
            sum += fabs(s->coupling.value[k]);
        max = fmax(max, c * sum / (1.0 + c * s->diagonal[i]));
    }
    if (!(max < JACOBI_MAX))
        return 0;
    return max > 0.0 ? 1 + (unsigned)ceil(log(1e-18) / log(max)) : 1;
}

void surface_solve(const struct surface *s, const double *right, double *r, double *scratch)
{
    const double c = air_factor(s);
    for (size_t i = 0; i < s->cells; i++)
        r[i] = right[i] / (1.0 + c * s->diagonal[i]);
    for (unsigned n = 1; n < s->iterations; n++) {
        memcpy(scratch, r, s->cells * sizeof *r);
        for (size_t i = 0; i < s->cells; i++) {
            double sum = 0.0;
            for (uint32_t k = s->coupling.start[i]; k < s->coupling.start[i + 1]; k++)
                sum += s->coupling.value[k] * scratch[s->coupling.column[k]];
            r[i] = (right[i] - c * sum) / (1.0 + c * s->diagonal[i]);
        }
    }
}

double connection_at(const struct connection *c, const double *w)
{
    double sum = 0.0;
    for (int i = 0; i < CONNECTION_NODES_MAX; i++)
        sum += c->weight[i] * w[c->node[i]];
    return sum;
}

double connection_reach(const struct line_body *line, const double *q)
{
    double sum = 0.0;
    for (size_t m = 0; m < line->modes; m++)
        sum += line->connection.shape[m] * q[m];
    return sum;
}

double connection_gain(const struct line_body *line)
{
    double sum = 0.0;
    for (size_t m = 0; m < line->modes; m++)
        sum += line->connection.shape[m] * line->connection.shape[m] * line->gain[m];
    return sum;
}

double connection_outward(const struct connection *c, double time_step)
{
    return 0.5 * c->stiffness + 0.5 * c->resistance / time_step;
}

/* The part of it that the modes and the mass of the moving end exert. */
static double end_stiffness_of(const struct line_body *line, double time_step)
{
    const double k2 = time_step * time_step;
    return (line->connection.end_mass - connection_gain(line) / k2) / k2;
}

double connection_stiffness(const struct line_body *line, double time_step)
{
    const struct connection *c = &line->connection;
    return c->bridge_mass / (time_step * time_step) + end_stiffness_of(line, time_step) +
           connection_outward(c, time_step);
}

double connection_slope(const struct line_body *line, double time_step)
{
    const struct connection *c = &line->connection;
    if (c->kind == CONNECTION_END)
        return end_stiffness_of(line, time_step);
    const double outward = connection_outward(c, time_step);
    if (c->kind == CONNECTION_BRIDGE)
        return outward - outward * outward / connection_stiffness(line, time_step);
    const double sum = connection_gain(line);
    return isinf(c->stiffness) ? 1.0 / sum : outward / (1.0 + outward * sum);
}

double sparse_row(const struct sparse *m, size_t row, const double *in)
{
    double sum = 0.0;
    for (uint32_t k = m->start[row]; k < m->start[row + 1]; k++)
        sum += m->value[k] * in[m->column[k]];
    return sum;
}

void sparse_apply(const struct sparse *m, size_t rows, const double *in, double *out)
{
    for (size_t i = 0; i < rows; i++)
        out[i] = sparse_row(m, i, in);
}

size_t surface_response_scratch(const struct surface *s)
{
    return 3 * s->cells + s->nx * s->ny;
}

void surface_response(double *w, const struct surface *s, const double *force, double *scratch)
{
    const size_t nodes = s->nx * s->ny;
    double *right = scratch, *r = right + s->cells, *spread = r + 2 * s->cells;
    if (!s->cells) {
        body_loops()->respond(w, s, force);
        return;
    }
    for (size_t i = 0; i < nodes; i++)
        w[i] = s->force_gain * force[i];
    sparse_apply(&s->map, s->cells, w, right);
    for (size_t i = 0; i < s->cells; i++)
        right[i] *= -air_factor(s);
    surface_solve(s, right, r, r + s->cells);
    sparse_apply(&s->spread, nodes, r, spread);
    for (size_t i = 0; i < nodes; i++)
        w[i] += spread[i];
    for (size_t i = 0; i < nodes; i++)
        w[i] = s->kind[i] ? w[i] / s->denominator : 0.0;
}

/* Response to 1 N at the connection. -1: out of memory. */
static int response_to(double *w, const struct surface *s, const struct connection *c)
{
    const size_t nodes = s->nx * s->ny;
    double *force = calloc(nodes + surface_response_scratch(s) + 1, sizeof *force);
    if (!force)
        return -1;
    for (int i = 0; i < CONNECTION_NODES_MAX; i++)
        force[c->node[i]] += c->weight[i];
    surface_response(w, s, force, force + nodes);
    free(force);
    return 0;
}

/* Inverts a [n][n] in place: Gauss-Jordan elimination with pivoting. -1: singular. */
static int invert(double *a, size_t n, double *work)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            work[i * n + k] = i == k;
    for (size_t column = 0; column < n; column++) {
        size_t pivot = column;
        for (size_t i = column + 1; i < n; i++)
            pivot = fabs(a[i * n + column]) > fabs(a[pivot * n + column]) ? i : pivot;
        const double value = a[pivot * n + column];
        if (!(fabs(value) > 0.0))
            return -1;
        for (size_t k = 0; k < n; k++) {
            double swap = a[column * n + k];
            a[column * n + k] = a[pivot * n + k] / value;
            a[pivot * n + k] = pivot == column ? a[column * n + k] : swap;
            swap = work[column * n + k];
            work[column * n + k] = work[pivot * n + k] / value;
            work[pivot * n + k] = pivot == column ? work[column * n + k] : swap;
        }
        for (size_t i = 0; i < n; i++) {
            const double factor = i == column ? 0.0 : a[i * n + column];
            for (size_t k = 0; k < n && factor != 0.0; k++) {
                a[i * n + k] -= factor * a[column * n + k];
                work[i * n + k] -= factor * work[column * n + k];
            }
        }
    }
    memcpy(a, work, n * n * sizeof *a);
    return 0;
}

/* Stores rows sparsely, omitting entries too small to change a double. */
static int store_answers(struct line_coupling *j, const double *dense, size_t nodes)
{
    size_t total = 0;
    for (int fill = 0; fill < 2; fill++) {
        total = 0;
        for (size_t line = 0; line < j->lines; line++) {
            const double *w = dense + line * nodes;
            double max = 0.0;
            for (size_t i = 0; i < nodes; i++)
                max = fmax(max, fabs(w[i]));
            for (size_t i = 0; i < nodes; i++)
                if (fabs(w[i]) > 1e-20 * max) {
                    if (fill) {
                        j->answer.column[total] = (uint32_t)i;
                        j->answer.value[total] = w[i];
                    }
                    total++;
                }
            if (fill)
                j->answer.start[line + 1] = (uint32_t)total;
        }
        if (!fill) {
            j->answer.start = calloc(j->lines + 1, sizeof *j->answer.start);
            j->answer.column = calloc(total + 1, sizeof *j->answer.column);
            j->answer.value = calloc(total + 1, sizeof *j->answer.value);
            if (!j->answer.start || !j->answer.column || !j->answer.value)
                return -1;
        }
    }
    return 0;
}

int line_coupling_make(struct line_coupling *j, const struct body *body, double time_step, struct error *e)
{
    memset(j, 0, sizeof *j);
    if (!body->surface || !body->line_count)
        return 0;
    const size_t n = body->line_count, nodes = body->surface->nx * body->surface->ny;
    double *dense = calloc(n * nodes, sizeof *dense), *work = calloc(2 * n * n, sizeof *work);
    int status = -1;
    j->lines = n;
    j->slope = calloc(n, sizeof *j->slope);
    j->free = calloc(n * n, sizeof *j->free);
    j->forced = calloc(n * n, sizeof *j->forced);
    if (!dense || !work || !j->slope || !j->free || !j->forced)
        goto done;
    for (size_t i = 0; i < n; i++) {
        j->slope[i] = connection_slope(&body->lines[i], time_step);
        if (response_to(dense + i * nodes, body->surface, &body->lines[i].connection))
            goto done;
    }
    double *g = work + n * n; /* g[i][k]: displacement at connection i for 1 N at k */
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            g[i * n + k] = connection_at(&body->lines[i].connection, dense + k * nodes);
            j->free[i * n + k] = (i == k) + g[i * n + k] * j->slope[k];
        }
    if (invert(j->free, n, work) || store_answers(j, dense, nodes))
        goto done;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            for (size_t l = 0; l < n; l++)
                j->forced[i * n + k] += j->free[i * n + l] * g[l * n + k];
    status = 0;
done:
    free(dense);
    free(work);
    if (status) {
        line_coupling_free(j);
        fail(e, ERROR_MEMORY, "out of memory");
    }
    return status;
}

void line_coupling_free(struct line_coupling *j)
{
    free(j->slope);
    free(j->free);
    free(j->forced);
    free(j->answer.start);
    free(j->answer.column);
    free(j->answer.value);
    memset(j, 0, sizeof *j);
}

size_t line_points(const struct line_body *line)
{
    return line->modes + (line->connection.kind == CONNECTION_BRIDGE);
}

size_t body_parts(const struct body *body)
{
    return (body->surface != NULL) + body->line_count;
}

size_t body_offset(const struct body *body, size_t part)
{
    const size_t surface = body->surface != NULL;
    size_t offset = surface && part ? body->surface->nx * body->surface->ny : 0;
    for (size_t i = 0; i + surface < part; i++)
        offset += line_points(&body->lines[i]);
    return offset;
}

size_t body_arrays(const struct body *body)
{
    return body_parts(body) + (body->port_count > 0) + (body->wind != NULL);
}

size_t bodies_points(const struct bodies *b, size_t array)
{
    size_t first = BODY_ARRAYS;
    for (size_t i = 0; i < b->count; i++) {
        const struct body *body = &b->body[i];
        const size_t parts = body_parts(body);
        if (array >= first && array - first < parts)
            return body_offset(body, array - first + 1) - body_offset(body, array - first);
        if (array == first + parts && body->port_count)
            return PORT_INPUTS * body->port_count;
        if (array == first && body->wind)
            return wind_values(body->wind);
        first += body_arrays(body);
    }
    return 0;
}

uint64_t bodies_bytes(const struct bodies *b)
{
    uint64_t bytes = 0;
    for (size_t i = 0; b && i < b->count; i++) {
        const struct surface *s = b->body[i].surface;
        if (s)
            bytes += s->nx * s->ny * (4 * sizeof(double) + 2) + s->cells * 10 * sizeof(double) +
                     (s->cells ? 2 * s->map.start[s->cells] + s->coupling.start[s->cells] : 0) * 12;
        for (size_t l = 0; l < b->body[i].line_count; l++)
            bytes += b->body[i].lines[l].modes * 7 * sizeof(double);
        const size_t points = body_offset(&b->body[i], body_parts(&b->body[i]));
        bytes += (b->body[i].place_count + 2 * b->body[i].stretching_count) * points * sizeof(double);
        for (size_t l = 0; l < b->body[i].stretching_count; l++)
            bytes += b->body[i].stretching[l].plate ? plate_stretching_bytes(b->body[i].stretching[l].plate) : 0;
    }
    return b ? bytes + b->cut_count * sizeof(struct cut) : 0;
}

size_t body_state_bytes(const struct body *body)
{
    const struct surface *surface = body->surface;
    size_t values = 2 + (surface ? 2 * (surface->nx * surface->ny + surface->cells) : 0);
    for (size_t i = 0; i < body->line_count; i++)
        values += 2 * line_points(&body->lines[i]);
    return (values + body->stretching_count) * sizeof(double) + body->port_count * sizeof(struct port_state) +
           (body->wind ? wind_state_bytes(body->wind) : 0);
}
