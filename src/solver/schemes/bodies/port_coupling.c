/* SPDX-License-Identifier: MIT */
/* The response of a body to its ports. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/schemes/bodies/body_response.h"
#include "solver/schemes/bodies/ports.h"

/* Appends a row, omitting entries too small to change a double. */
static int append_row(struct sparse *m, size_t row, const double *dense, size_t points)
{
    double max = 0.0;
    size_t count = 0;
    for (size_t i = 0; i < points; i++)
        max = fmax(max, fabs(dense[i]));
    for (size_t i = 0; i < points; i++)
        count += fabs(dense[i]) > 1e-20 * max;
    uint32_t *column = realloc(m->column, (m->start[row] + count + 1) * sizeof *column);
    if (column)
        m->column = column;
    double *value = realloc(m->value, (m->start[row] + count + 1) * sizeof *value);
    if (value)
        m->value = value;
    if (!column || !value)
        return -1;
    size_t at = m->start[row];
    for (size_t i = 0; i < points; i++)
        if (fabs(dense[i]) > 1e-20 * max) {
            column[at] = (uint32_t)i;
            value[at++] = dense[i];
        }
    m->start[row + 1] = (uint32_t)at;
    return 0;
}

static void spread_row(double *dense, const struct sparse *m, size_t row, size_t points)
{
    memset(dense, 0, points * sizeof *dense);
    for (uint32_t k = m->start[row]; k < m->start[row + 1]; k++)
        dense[m->column[k]] += m->value[k];
}

int port_coupling_make(struct port_coupling *c, const struct body *body, const struct line_coupling *lines,
                       double time_step, struct error *e)
{
    *c = (struct port_coupling){.gain = NULL};
    const size_t points = body_offset(body, body_parts(body)), n = body->place_count;
    if (!n)
        return 0;
    double *force = calloc(2 * points + body_response_scratch(body) + 1, sizeof *force), *response = force + points;
    c->gain = calloc(n * n, sizeof *c->gain);
    c->response.start = calloc(n + 1, sizeof *c->response.start);
    int status = force && c->gain && c->response.start ? 0 : -1;
    for (size_t i = 0; i < n && !status; i++) {
        spread_row(force, &body->places, i, points);
        body_response(response, body, lines, force, time_step, response + points);
        for (size_t k = 0; k < n; k++)
            c->gain[k * n + i] = sparse_row(&body->places, k, response);
        status = append_row(&c->response, i, response, points);
    }
    free(force);
    if (!status)
        return 0;
    port_coupling_free(c);
    return fail(e, ERROR_MEMORY, "out of memory");
}

void port_coupling_free(struct port_coupling *c)
{
    free(c->gain);
    free(c->response.start);
    free(c->response.column);
    free(c->response.value);
    *c = (struct port_coupling){.gain = NULL};
}
