/* SPDX-License-Identifier: MIT */
/* Sets up bodies on the device before the first step. */
#include <algorithm>
#include <cmath>
#include <cstring>

#include "cuda/bodies/place.cuh"
#include "cuda/engine/device.cuh"

namespace
{

uint32_t width_of(const struct sparse *m, size_t rows)
{
    uint32_t width = 0;
    for (size_t i = 0; i < rows; i++)
        width = std::max(width, m->start[i + 1] - m->start[i]);
    return width;
}

/* Column of the padding zeros at the end of row i: a value that is valid for every reader of the
 * row. A block of a cluster has only the values of r that its rows read; the rest of its shared
 * memory may contain NaN. */
uint32_t padding_of(const struct sparse *m, size_t i)
{
    return m->start[i + 1] > m->start[i] ? m->column[m->start[i]] : 0;
}

/* Row i of the matrix times factor[i]; NULL: 1. */
template <typename INDEX, int BATCH>
int place_table(body_setup &m, entry_table<INDEX, BATCH> *table, const struct sparse *from, size_t rows,
                const double *factor)
{
    const uint32_t width = rows ? (width_of(from, rows) + BATCH - 1) / BATCH * BATCH : 0;
    std::vector<INDEX> column((size_t)width * rows);
    std::vector<double> value((size_t)width * rows, 0.0);
    for (size_t i = 0; i < rows; i++)
        for (uint32_t k = 0; k < width; k++) {
            const uint32_t entry = from->start[i] + k;
            const bool is = entry < from->start[i + 1];
            column[k * rows + i] = (INDEX)(is ? from->column[entry] : padding_of(from, i));
            value[k * rows + i] = is ? from->value[entry] * (factor ? factor[i] : 1.0) : 0.0;
        }
    table->rows = (uint32_t)rows;
    table->width = width;
    return place(m, &table->column, column) || place(m, &table->value, value);
}

unsigned faces_of(const struct bodies *b, uint64_t point)
{
    const struct cut *end = b->cuts + b->cut_count;
    const struct cut *c =
        std::lower_bound(b->cuts, end, point, [](const struct cut &a, uint64_t p) { return a.point < p; });
    return c != end && c->point == point ? c->faces : 0;
}

/* For each cell, the other blocks of the cluster that read r there: those whose rows contain it,
 * and all of them at connections. */
std::vector<uint8_t> readers_of(const device_bodies *b, const struct body *body)
{
    const struct surface *s = body->surface;
    const uint32_t part = cells_of_block((uint32_t)s->cells, b->cluster);
    const uint8_t all = (uint8_t)((1u << b->cluster) - 1);
    std::vector<uint8_t> readers(s->cells, 0);
    if (b->cluster == 1)
        return readers;
    for (size_t i = 0; i < s->cells; i++) {
        readers[padding_of(&s->coupling, i)] |= (uint8_t)(1u << i / part);
        for (uint32_t k = s->coupling.start[i]; k < s->coupling.start[i + 1]; k++)
            readers[s->coupling.column[k]] |= (uint8_t)(1u << i / part);
    }
    for (size_t i = 0; i < s->cells; i++) /* the block itself has written it */
        readers[i] &= (uint8_t) ~(1u << i / part);
    for (size_t l = 0; l < body->line_count; l++)
        for (uint32_t node : body->lines[l].connection.node) {
            readers[padding_of(&s->spread, node)] = all;
            for (uint32_t k = s->spread.start[node]; k < s->spread.start[node + 1]; k++)
                readers[s->spread.column[k]] = all;
        }
    return readers;
}

int place_cells(body_setup &m, device_body &d, const struct body *body)
{
    const struct surface *s = body->surface;
    const std::vector<uint8_t> readers = readers_of(m.b, body);
    const size_t cells = s->cells;
    const double c = s->load * s->area_ratio / s->denominator;
    std::vector<double> inverse, factor, own, other;
    std::vector<uint64_t> below, above;
    std::vector<uint8_t> faces(2 * cells);
    for (size_t i = 0; i < cells; i++) {
        inverse.push_back(1.0 / (1.0 + c * s->diagonal[i]));
        factor.push_back(c * inverse[i]);
        own.push_back(s->area_ratio * s->diagonal[i] / s->denominator);
        other.push_back(c > 0.0 ? s->area_ratio / (s->denominator * factor[i]) : 0.0);
        below.push_back(padded(m, s->below[i]));
        above.push_back(padded(m, s->above[i]));
        faces[i] = (uint8_t)faces_of(m.b->bodies, s->below[i]);
        faces[cells + i] = (uint8_t)faces_of(m.b->bodies, s->above[i]);
    }
    return place_table(m, &d.map, &s->map, cells, nullptr) ||
           place_table(m, &d.spread, &s->spread, s->nx * s->ny, nullptr) ||
           place_table(m, &d.coupling, &s->coupling, cells, factor.data()) || place(m, &d.inverse, inverse) ||
           place(m, &d.readers, readers) || place(m, &d.own, own) || place(m, &d.other, other) ||
           place(m, &d.below, below) || place(m, &d.above, above) || place(m, &d.faces, faces) ||
           place<double>(m, &d.r, nullptr, cells) || place<double>(m, &d.displacement, nullptr, 2 * cells) ||
           place<double>(m, &d.difference, nullptr, 2 * cells) ||
           place<double>(m, &d.displacement_free, nullptr, cells) || place<double>(m, &d.known, nullptr, cells) ||
           place<double>(m, &d.flux, nullptr, 2 * cells) ||
           place<double>(m, &d.scratch, nullptr, COUPLE_ARRAYS * cells);
}

int place_surface(body_setup &m, device_body &d, const struct body *body)
{
    const struct surface *s = body->surface;
    const size_t nodes = s->nx * s->ny;
    d.nodes = (uint32_t)nodes;
    d.cells = (uint32_t)s->cells;
    d.denominator = s->denominator;
    d.force_gain = s->force_gain;
    d.area_ratio = s->area_ratio;
    d.pressure_gain = s->pressure_gain;
    d.load = s->load;
    d.flow_gain = s->flow_gain;
    d.iterations = s->iterations;
    return place(m, &d.kind, s->kind, nodes) || place(m, &d.stencils, s->stencils, s->stencil_count) ||
           place<double>(m, &d.w, nullptr, 3 * nodes) || place<double>(m, &d.force, nullptr, nodes) ||
           place<double>(m, &d.free, nullptr, nodes) || (s->cells && place_cells(m, d, body));
}

int place_line(body_setup &m, device_line &d, const struct line_body *line, bool connected)
{
    const struct connection *c = &line->connection;
    const double k = m.b->bodies->time_step;
    d.modes = (uint32_t)line->modes;
    d.points = (uint32_t)line_points(line);
    d.connection = *c;
    if (!connected)
        d.connection.kind = CONNECTION_NONE;
    d.outward = 0.5 * c->stiffness + 0.5 * c->resistance / k;
    d.inward = 0.5 * c->stiffness - 0.5 * c->resistance / k;
    for (size_t i = 0; connected && i < line->modes; i++)
        d.shape_gain += c->shape[i] * c->shape[i] * line->gain[i];
    d.slope = connected ? connection_slope(line, k) : 0.0;
    d.stiff = c->bridge_mass / (k * k) + (c->end_mass - d.shape_gain / (k * k)) / (k * k) + d.outward;
    return place<double>(m, &d.q, nullptr, 3 * d.points) || place<double>(m, &d.force, nullptr, d.points) ||
           place<double>(m, &d.free, nullptr, d.points) || place(m, &d.now, line->now, d.modes) ||
           place(m, &d.before, line->before, d.modes) || place(m, &d.gain, line->gain, d.modes) ||
           (connected && place(m, &d.connection.shape, c->shape, d.modes));
}

/* Responses to the forces of lines: sorted by node, and at the air cells. */
int place_line_coupling(body_setup &m, device_body &d, const struct surface *s, const struct line_coupling *j)
{
    const size_t nodes = s->nx * s->ny;
    std::vector<uint32_t> start(nodes + 1, 0), line(j->answer.start[j->lines]);
    std::vector<double> value(line.size()), displacement(j->lines * s->cells, 0.0), dense(nodes);
    for (size_t k = 0; k < line.size(); k++)
        start[j->answer.column[k] + 1]++;
    for (size_t i = 0; i < nodes; i++)
        start[i + 1] += start[i];
    std::vector<uint32_t> next(start);
    for (size_t l = 0; l < j->lines; l++) {
        std::fill(dense.begin(), dense.end(), 0.0);
        for (uint32_t k = j->answer.start[l]; k < j->answer.start[l + 1]; k++) {
            const uint32_t to = next[j->answer.column[k]]++;
            line[to] = (uint32_t)l;
            value[to] = dense[j->answer.column[k]] = j->answer.value[k];
        }
        for (size_t i = 0; i < s->cells; i++)
            for (uint32_t k = s->map.start[i]; k < s->map.start[i + 1]; k++)
                displacement[l * s->cells + i] += s->map.value[k] * dense[s->map.column[k]];
    }
    return place(m, &d.coupled_free, j->free, j->lines * j->lines) ||
           place(m, &d.coupled_forced, j->forced, j->lines * j->lines) || place(m, &d.answer_start, start) ||
           place(m, &d.answer_line, line) || place(m, &d.answer, value) ||
           place(m, &d.displacement_answer, displacement);
}

/* The coupling of lines with a surface, and the ports. */
int place_couplings(body_setup &m, device_body &d, std::vector<device_line> &lines, const struct body *body)
{
    const double time_step = m.b->bodies->time_step;
    struct line_coupling coupling;
    struct port_coupling ports = {};
    if (line_coupling_make(&coupling, body, time_step, m.e))
        return -1;
    const int status = port_coupling_make(&ports, body, &coupling, time_step, m.e) || without_throwing(m.e, [&] {
                           return (coupling.lines && place_line_coupling(m, d, body->surface, &coupling)) ||
                                  place_ports(m, d, lines, body, &ports);
                       });
    port_coupling_free(&ports);
    line_coupling_free(&coupling);
    return status ? -1 : 0;
}

int place_body(body_setup &m, const struct body *body)
{
    device_body d = {};
    std::vector<device_line> lines(body->line_count);
    for (size_t i = 0; i < lines.size(); i++) {
        lines[i].offset = (uint32_t)body_offset(body, (body->surface != nullptr) + i);
        if (place_line(m, lines[i], &body->lines[i], body->surface != nullptr))
            return -1;
    }
    if ((body->surface && place_surface(m, d, body)) || place_couplings(m, d, lines, body))
        return -1;
    d.line_count = (uint32_t)lines.size();
    if (place(m, &d.lines, lines) || place<double>(m, &d.reaction, nullptr, lines.size()) ||
        place<double>(m, &d.partial, nullptr, lines.size()) || place<double>(m, &d.at_free, nullptr, lines.size()) ||
        place<double>(m, &d.at, nullptr, lines.size()) || place<double>(m, &d.pull, nullptr, lines.size()))
        return -1;
    m.b->host.push_back(d);
    m.b->host_lines.push_back(lines);
    return 0;
}

int set_up(body_setup &m, bool audited)
{
    device_bodies *b = m.b;
    int low = 0, high = 0;
    size_t cells = 0;
    uint32_t width = 0;
    for (size_t i = 0; i < b->bodies->count; i++)
        if (const struct surface *s = b->bodies->body[i].surface) {
            cells = std::max(cells, s->cells);
            width = std::max(width, s->cells ? width_of(&s->coupling, s->cells) : 0);
        }
    if (cells > UINT16_MAX)
        return fail(
            m.e, ERROR_ENGINE,
            "an instrument moves %zu cells of the air, but the cuda engine supports at most %d; use --engine cpu",
            cells, UINT16_MAX);
    if (bodies_shape(b, (unsigned)cells, width, m.e) || stretching_shape(b, m.e))
        return -1;
    for (size_t i = 0; i < b->bodies->count; i++)
        if (place_body(m, &b->bodies->body[i]))
            return -1;
    /* High priority, so that the small kernels of bodies get the first multiprocessors that the
     * field's kernel releases. */
    return place_winds(m) || place_channels(m) || place<uint32_t>(m, &b->settled, nullptr, 1) ||
           (audited && (place<double>(m, &b->lost, nullptr, b->host.size()) ||
                        place<double>(m, &b->given, nullptr, b->host.size()))) ||
           cuda_check(cudaDeviceGetStreamPriorityRange(&low, &high), "instruments", m.e) ||
           cuda_check(cudaStreamCreateWithPriority(&b->stream, cudaStreamNonBlocking, high), "instruments", m.e) ||
           cuda_check(cudaEventCreateWithFlags(&b->begun, cudaEventDisableTiming), "instruments", m.e) ||
           cuda_check(cudaEventCreateWithFlags(&b->ready, cudaEventDisableTiming), "instruments", m.e) ||
           cuda_check(cudaDeviceSynchronize(), "instruments", m.e);
}

uint64_t table_bytes(const struct sparse *m, size_t rows)
{
    return (uint64_t)(width_of(m, rows) + MAP_BATCH - 1) * rows * (sizeof(double) + sizeof(uint32_t));
}

} // namespace

uint64_t bodies_device_bytes(const struct problem *p)
{
    const struct bodies *b = leapfrog_of(p)->bodies;
    const uint64_t real = sizeof(double);
    uint64_t bytes = 0, arrays = 20;
    for (size_t i = 0; b && i < b->count; i++) {
        const struct surface *s = b->body[i].surface;
        const uint64_t nodes = s ? s->nx * s->ny : 0, lines = b->body[i].line_count;
        bytes += nodes * (5 * real + sizeof(uint16_t)) + sizeof(device_body) +
                 (s ? s->stencil_count * sizeof(struct stencil) : 0);
        if (s && s->cells)
            bytes += table_bytes(&s->map, s->cells) + table_bytes(&s->spread, nodes) +
                     table_bytes(&s->coupling, s->cells) + s->cells * ((14 + COUPLE_ARRAYS) * real + 2);
        if (s && lines) /* responses reach at most every node */
            bytes += 2 * lines * lines * real + lines * (nodes * (real + 4) + s->cells * real) + nodes * 4;
        for (size_t l = 0; l < lines; l++)
            bytes += line_points(&b->body[i].lines[l]) * 9 * real + sizeof(device_line) + 5 * real;
        bytes += ports_device_bytes(&b->body[i]) + winds_device_bytes(&b->body[i]);
        arrays += 30 + 7 * lines;
    }
    for (int kind = 0; b && kind < 2; kind++)
        for (size_t c = 0; c < (kind ? p->tap_count : p->drive_count); c++) {
            const struct channel *channel = &(kind ? p->taps : p->drives)[c];
            for (size_t i = 0; i < channel->count; i++)
                bytes += channel->entries[i].array >= BODY_ARRAYS ? sizeof(body_drive) + sizeof(body_term) : 0;
        }
    /* allocations begin at multiples of 512 bytes */
    return b ? bytes + b->cut_count * (sizeof(device_cut) + 2 * real) + arrays * 512 : 0;
}

int bodies_setup(struct device_bodies **out, const struct problem *p, size_t pitch, bool audited, struct error *e)
{
    *out = nullptr;
    if (!leapfrog_of(p)->bodies)
        return 0;
    device_bodies *b = new (std::nothrow) device_bodies();
    if (!b)
        return fail(e, ERROR_MEMORY, "out of memory");
    b->bodies = leapfrog_of(p)->bodies;
    body_setup m = {b, p, pitch, e};
    *out = b; /* dropped with the solver, even after a failure */
    return without_throwing(e, [&] { return set_up(m, audited); });
}

void bodies_drop(struct device_bodies *b)
{
    if (!b)
        return;
    for (void *memory : b->memory)
        cudaFree(memory);
    if (b->stream)
        cudaStreamDestroy(b->stream);
    if (b->begun)
        cudaEventDestroy(b->begun);
    if (b->ready)
        cudaEventDestroy(b->ready);
    delete b;
}
