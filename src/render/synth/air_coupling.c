/* SPDX-License-Identifier: MIT */
#include "render/synth/air_coupling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Cells along one axis of the plane that a surface may move, and the nodes that contribute to each. */
struct reach {
    size_t first, count; /* cells of the model's grid */
    uint32_t *start;     /* [count + 1] */
    uint32_t *node;
    double *weight; /* of the node's displacement in the cell's */
};

struct footprint {
    const struct surface *surface;
    const struct surface_grid *grid;
    const struct surface_plan *plan;
    const struct surface_site *site; /* its centre from the corner of the grid */
    const struct model *model;
    int axis[2];  /* of the plane */
    size_t layer; /* cells above the surface, along the normal */
    struct reach reach[2];
    int32_t *cell_of; /* [reach 1][reach 0]: number of the air cell, -1: not moved */
};

static void footprint_free(struct footprint *f)
{
    for (int i = 0; i < 2; i++) {
        free(f->reach[i].start);
        free(f->reach[i].node);
        free(f->reach[i].weight);
    }
    free(f->cell_of);
}

/* Weight of the node at `node`, m, in the cell at `cell`, m: their overlap if nodes are closer than
 * cells, else linear interpolation at the cell's centre. */
static double share(double cell, double spacing, double node, double h)
{
    if (h > spacing)
        return fmax(0.0, 1.0 - fabs(node - cell) / h);
    const double low = fmax(cell - 0.5 * spacing, node - 0.5 * h), high = fmin(cell + 0.5 * spacing, node + 0.5 * h);
    return fmax(0.0, high - low) / spacing;
}

static int make_reach(struct footprint *f, int i, struct error *e)
{
    struct reach *r = &f->reach[i];
    const double x = f->model->grid.spacing, centre = f->site->centre[f->axis[i]], h = f->grid->spacing[i];
    const size_t nodes = i ? f->surface->ny : f->surface->nx, points = f->model->grid.points[f->axis[i]];
    const double low = floor((centre - f->plan->half[i]) / x), high = ceil((centre + f->plan->half[i]) / x);
    r->first = low > 0.0 ? (size_t)low : 0;
    const size_t end = high < (double)points ? (size_t)high : points;
    r->count = end > r->first ? end - r->first : 0;
    r->start = calloc(r->count + 1, sizeof *r->start);
    r->node = calloc(r->count * nodes + 1, sizeof *r->node);
    r->weight = calloc(r->count * nodes + 1, sizeof *r->weight);
    if (!r->start || !r->node || !r->weight)
        return fail(e, ERROR_MEMORY, "out of memory");
    uint32_t n = 0;
    for (size_t c = 0; c < r->count; c++) {
        for (size_t k = 0; k < nodes; k++) {
            const double weight =
                share(((double)(r->first + c) + 0.5) * x, x, centre + f->grid->first[i] + (double)k * h, h);
            if (weight > 1e-12) {
                r->node[n] = (uint32_t)k;
                r->weight[n++] = weight;
            }
        }
        r->start[c + 1] = n;
    }
    return 0;
}

/* The fraction of a cell inside the outline. */
static double covered(const struct footprint *f, size_t a, size_t b)
{
    enum { SAMPLES = 16 };
    const double x = f->model->grid.spacing;
    size_t inside = 0;
    for (int i = 0; i < SAMPLES * SAMPLES; i++) {
        const double at[2] = {
            ((double)(f->reach[0].first + a) + (i % SAMPLES + 0.5) / SAMPLES) * x - f->site->centre[f->axis[0]],
            ((double)(f->reach[1].first + b) + (i / SAMPLES + 0.5) / SAMPLES) * x - f->site->centre[f->axis[1]]};
        inside += f->plan->outline == SURFACE_CIRCLE
                      ? at[0] * at[0] + at[1] * at[1] < f->plan->half[0] * f->plan->half[0]
                      : fabs(at[0]) < f->plan->half[0] && fabs(at[1]) < f->plan->half[1];
    }
    return (double)inside / (SAMPLES * SAMPLES);
}

/* Selects the cells of which the surface covers at least half. */
static int choose_cells(struct footprint *f, struct surface *s, const char *name, struct error *e)
{
    const size_t n[2] = {f->reach[0].count, f->reach[1].count};
    f->cell_of = malloc((n[0] * n[1] + 1) * sizeof *f->cell_of);
    if (!f->cell_of)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < n[0] * n[1]; i++)
        f->cell_of[i] = covered(f, i % n[0], i / n[0]) >= 0.5 ? (int32_t)s->cells++ : -1;
    if (s->cells == 0)
        return fail(
            e, ERROR_INPUT,
            "instrument %s is smaller than a cell of the air's grid (%.3g m) and would be inaudible; raise grid.rate",
            name, f->model->grid.spacing);
    return 0;
}

static void cell_at(const struct footprint *f, size_t a, size_t b, size_t layer, size_t cell[3])
{
    cell[f->site->normal] = layer;
    cell[f->axis[0]] = f->reach[0].first + a;
    cell[f->axis[1]] = f->reach[1].first + b;
}

/* The map's row of a cell: products of the weights along both axes, over moving nodes. NULL arrays: only counts. */
static uint32_t map_row(const struct footprint *f, size_t a, size_t b, uint32_t *column, double *value)
{
    const struct reach *u = &f->reach[0], *v = &f->reach[1];
    uint32_t n = 0;
    double sum = 0.0;
    for (uint32_t j = v->start[b]; j < v->start[b + 1]; j++)
        for (uint32_t i = u->start[a]; i < u->start[a + 1]; i++) {
            const size_t node = v->node[j] * f->surface->nx + u->node[i];
            if (!f->surface->kind[node])
                continue;
            if (column) {
                column[n] = (uint32_t)node;
                value[n] = u->weight[i] * v->weight[j];
                sum += value[n];
            }
            n++;
        }
    /* outside a free edge the remaining nodes are extrapolated; a fixed edge does not move */
    for (uint32_t i = 0; i < n && value && f->plan->edge == SURFACE_FREE && sum > 0.0; i++)
        value[i] /= sum;
    return n;
}

static int sparse_make(struct sparse *m, size_t rows, size_t entries, struct error *e)
{
    m->start = calloc(rows + 1, sizeof *m->start);
    m->column = calloc(entries + 1, sizeof *m->column);
    m->value = calloc(entries + 1, sizeof *m->value);
    return m->start && m->column && m->value ? 0 : fail(e, ERROR_MEMORY, "out of memory");
}

static int make_map(const struct footprint *f, struct surface *s, struct error *e)
{
    const size_t n[2] = {f->reach[0].count, f->reach[1].count};
    size_t entries = 0;
    double nodes = 0.0;
    for (size_t i = 0; i < n[0] * n[1]; i++)
        entries += f->cell_of[i] < 0 ? 0 : map_row(f, i % n[0], i / n[0], NULL, NULL);
    if (sparse_make(&s->map, s->cells, entries, e))
        return -1;
    double moved = 0.0;
    uint32_t at = 0;
    for (size_t i = 0; i < n[0] * n[1]; i++)
        if (f->cell_of[i] >= 0) {
            const uint32_t count = map_row(f, i % n[0], i / n[0], s->map.column + at, s->map.value + at);
            for (uint32_t k = at; k < at + count; k++)
                moved += s->map.value[k];
            at += count;
            s->map.start[f->cell_of[i] + 1] = at;
        }
    /* scaled so that the cells displace the same volume as the nodes, although they only approximate the outline */
    for (size_t i = 0; i < s->nx * s->ny; i++)
        nodes += s->kind[i] ? 1.0 / (s->lightness[i] * s->lightness[i]) : 0.0;
    const double x = f->model->grid.spacing;
    const double scale = moved > 0.0 ? nodes * f->grid->spacing[0] * f->grid->spacing[1] / (x * x * moved) : 1.0;
    for (uint32_t k = 0; k < at; k++)
        s->map.value[k] *= scale * s->lightness[s->map.column[k]];
    return 0;
}

static int make_spread(struct surface *s, struct error *e)
{
    const size_t nodes = s->nx * s->ny;
    const uint32_t entries = s->map.start[s->cells];
    if (sparse_make(&s->spread, nodes, entries, e))
        return -1;
    for (uint32_t k = 0; k < entries; k++)
        s->spread.start[s->map.column[k] + 1]++;
    for (size_t i = 0; i < nodes; i++)
        s->spread.start[i + 1] += s->spread.start[i];
    uint32_t *next = malloc((nodes + 1) * sizeof *next);
    if (!next)
        return fail(e, ERROR_MEMORY, "out of memory");
    memcpy(next, s->spread.start, (nodes + 1) * sizeof *next);
    for (uint32_t cell = 0; cell < s->cells; cell++)
        for (uint32_t k = s->map.start[cell]; k < s->map.start[cell + 1]; k++) {
            const uint32_t to = next[s->map.column[k]]++;
            s->spread.column[to] = cell;
            s->spread.value[to] = s->map.value[k];
        }
    free(next);
    return 0;
}

/* J Jᵀ, with its diagonal kept separately. */
static int make_coupling(struct surface *s, struct error *e)
{
    double *row = calloc(s->cells, sizeof *row);
    uint32_t *touched = calloc(s->cells, sizeof *touched);
    int status = row && touched ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    s->diagonal = calloc(s->cells, sizeof *s->diagonal);
    status = status || (s->diagonal ? 0 : fail(e, ERROR_MEMORY, "out of memory"));
    for (int fill = 0; fill < 2 && !status; fill++) {
        uint32_t at = 0;
        for (uint32_t cell = 0; cell < s->cells; cell++) {
            uint32_t count = 0;
            for (uint32_t k = s->map.start[cell]; k < s->map.start[cell + 1]; k++)
                for (uint32_t l = s->spread.start[s->map.column[k]]; l < s->spread.start[s->map.column[k] + 1]; l++) {
                    const uint32_t other = s->spread.column[l];
                    if (row[other] == 0.0)
                        touched[count++] = other;
                    row[other] += s->map.value[k] * s->spread.value[l];
                }
            for (uint32_t i = 0; i < count; i++) {
                if (fill && touched[i] == cell)
                    s->diagonal[cell] = row[cell];
                if (fill && touched[i] != cell) {
                    s->coupling.column[at] = touched[i];
                    s->coupling.value[at] = row[touched[i]];
                }
                at += touched[i] != cell;
                row[touched[i]] = 0.0;
            }
            if (fill)
                s->coupling.start[cell + 1] = at;
        }
        status = !fill && sparse_make(&s->coupling, s->cells, at, e);
    }
    free(row);
    free(touched);
    return status ? -1 : 0;
}

static bool is_moved(const struct footprint *f, ptrdiff_t a, ptrdiff_t b)
{
    return a >= 0 && b >= 0 && a < (ptrdiff_t)f->reach[0].count && b < (ptrdiff_t)f->reach[1].count &&
           f->cell_of[(size_t)b * f->reach[0].count + (size_t)a] >= 0;
}

/* Cuts the shell below the edge, and its bottom if it is closed. */
static int cut_shell(const struct footprint *f, size_t a, size_t b, struct cut_list *cuts, const char *name,
                     struct error *e)
{
    static const int step[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    static const char part[] = "the shell of ";
    const size_t depth = (size_t)lround(f->site->shell / f->model->grid.spacing);
    for (size_t layer = 1; layer <= depth; layer++) {
        size_t cell[3];
        if (layer > f->layer)
            return fail(e, ERROR_INPUT,
                        "%sinstrument %s passes through a wall; make it shallower, or move the instrument", part, name);
        cell_at(f, a, b, f->layer - layer, cell);
        if (cut_list_enclose(cuts, f->model, cell, name, e))
            return -1;
        for (int i = 0; i < 4; i++)
            if (!is_moved(f, (ptrdiff_t)a + step[i][0], (ptrdiff_t)b + step[i][1]) &&
                cut_link(cuts, f->model, cell, 2 * f->axis[i / 2] + i % 2, part, name, e))
                return -1;
        if (layer == depth && f->site->closed && cut_link(cuts, f->model, cell, 2 * f->site->normal, part, name, e))
            return -1;
    }
    return 0;
}

static int cut_cells(const struct footprint *f, struct surface *s, struct cut_list *cuts, const char *name,
                     struct error *e)
{
    const size_t *points = f->model->grid.points;
    if (f->site->shell > 0.0 && f->site->shell < 0.5 * f->model->grid.spacing)
        return fail(e, ERROR_INPUT,
                    "the shell of instrument %s is %.3g m deep, less than half a cell of the air's grid (%.3g m), and "
                    "would be lost; raise grid.rate, or remove the shell",
                    name, f->site->shell, f->model->grid.spacing);
    s->below = calloc(s->cells, sizeof *s->below);
    s->above = calloc(s->cells, sizeof *s->above);
    if (!s->below || !s->above)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t b = 0; b < f->reach[1].count; b++)
        for (size_t a = 0; a < f->reach[0].count; a++) {
            const int32_t number = f->cell_of[b * f->reach[0].count + a];
            size_t cell[3];
            if (number < 0)
                continue;
            cell_at(f, a, b, f->layer - 1, cell);
            s->below[number] = (cell[2] * points[1] + cell[1]) * (uint64_t)points[0] + cell[0];
            if (cut_link(cuts, f->model, cell, 2 * f->site->normal + 1, "", name, e) ||
                cut_shell(f, a, b, cuts, name, e))
                return -1;
            cell[f->site->normal]++;
            s->above[number] = (cell[2] * points[1] + cell[1]) * (uint64_t)points[0] + cell[0];
        }
    return 0;
}

static int check_inside(const struct footprint *f, const char *name, struct error *e)
{
    static const char letters[] = "xyz";
    const double *origin = f->model->grid.origin;
    const int normal = f->site->normal;
    for (int i = 0; i < 2; i++) {
        const int axis = f->axis[i];
        const double low = f->site->centre[axis] - f->plan->half[i], high = f->site->centre[axis] + f->plan->half[i];
        const double size = f->model->grid.size[axis];
        if (low < 0.0 || high > size)
            return fail(e, ERROR_INPUT,
                        "instrument %s extends from %.4g to %.4g m along %c, but the room from %.4g to %.4g m; move "
                        "it, or make it smaller",
                        name, origin[axis] + low, origin[axis] + high, letters[axis], origin[axis],
                        origin[axis] + size);
    }
    if (f->layer < 1 || f->layer >= f->model->grid.points[f->site->normal])
        return fail(e, ERROR_INPUT,
                    "instrument %s is at %.4g m along %c, but the room extends from %.4g to %.4g m and both sides need "
                    "air; move it",
                    name, origin[normal] + f->site->centre[normal], letters[normal], origin[normal],
                    origin[normal] + f->model->grid.size[normal]);
    return 0;
}

int surface_couple_air(struct surface *s, const struct surface_grid *grid, const struct surface_plan *plan,
                       const struct surface_site *site, const struct model *m, struct cut_list *cuts, double *plane,
                       const char *name, struct error *e)
{
    const struct air_conditions air = air_conditions(m->room);
    const double x = m->grid.spacing, k = plan->time_step, density = air_density(&air);
    struct surface_site on_grid = *site;
    for (int axis = 0; axis < 3; axis++)
        on_grid.centre[axis] -= m->grid.origin[axis];
    const double layer = round(on_grid.centre[site->normal] / x);
    struct footprint f = {.surface = s, .grid = grid, .plan = plan, .site = &on_grid, .model = m};
    f.axis[0] = site->normal == 0;
    f.axis[1] = site->normal == 2 ? 1 : 2;
    f.layer = layer > 0.0 ? (size_t)layer : 0;
    *plane = m->grid.origin[site->normal] + layer * x;
    int status = check_inside(&f, name, e) || make_reach(&f, 0, e) || make_reach(&f, 1, e) ||
                 choose_cells(&f, s, name, e) || make_map(&f, s, e) || make_spread(s, e) || make_coupling(s, e) ||
                 cut_cells(&f, s, cuts, name, e);
    footprint_free(&f);
    if (status)
        return -1;
    s->area_ratio = x * x / (grid->spacing[0] * grid->spacing[1]);
    s->pressure_gain = density * k / (2.0 * plan->density);
    s->load = s->pressure_gain * m->grid.courant_squared * x / k;
    s->flow_gain = 0.5 * m->grid.courant_squared * x / k;
    s->iterations = surface_iterations(s);
    if (!s->iterations)
        return fail(e, ERROR_INPUT,
                    "instrument %s is too light for the air's grid: %.3g kg/m2 with nodes %.3g m apart, against %.3g "
                    "kg/m2 of air in a cell of %.3g m; raise grid.rate, or use more cells",
                    name, plan->density, fmax(grid->spacing[0], grid->spacing[1]), density * x, x);
    return 0;
}
