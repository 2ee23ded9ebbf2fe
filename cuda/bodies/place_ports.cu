/* SPDX-License-Identifier: MIT */
/* Sets up the ports and the stretching of a body. */
#include <algorithm>

#include "cuda/bodies/place.cuh"
#include "cuda/bodies/plate_stretching.cuh"
#include "cuda/bodies/ports_memory.cuh"

extern "C" {
#include "solver/schemes/bodies/stretching.h"
}

namespace
{

enum { PORTS_SHARED_MAX = 40 << 10 /* bytes, which any device has beside static arrays */ };

/* Rows of places, with parts and points in place of points of the body. */
int place_rows(body_setup &m, device_ports &p, const struct body *body)
{
    std::vector<place_entry> row;
    if (!p.place_count)
        return 0;
    const bool surface = body->surface != nullptr;
    for (uint32_t k = 0; k < body->places.start[p.place_count]; k++) {
        const uint32_t point = body->places.column[k];
        size_t part = 0;
        while (point >= body_offset(body, part + 1))
            part++;
        row.push_back(
            {(uint32_t)(part + !surface), (uint32_t)(point - body_offset(body, part)), body->places.value[k]});
    }
    return place(m, &p.row_start, body->places.start, p.place_count + 1) || place(m, &p.row, row);
}

/* Responses to forces at places: of all points, and at the air cells. */
int place_responses(body_setup &m, device_ports &p, const struct body *body, const struct port_coupling *c)
{
    const struct surface *s = body->surface;
    const size_t cells = s ? s->cells : 0;
    std::vector<double> response((size_t)p.place_count * p.points, 0.0), displacement(p.place_count * cells, 0.0);
    for (uint32_t i = 0; i < p.place_count; i++) {
        double *row = response.data() + (size_t)i * p.points;
        for (uint32_t k = c->response.start[i]; k < c->response.start[i + 1]; k++)
            row[c->response.column[k]] = c->response.value[k];
        if (cells)
            sparse_apply(&s->map, cells, row, displacement.data() + i * cells);
    }
    return place(m, &p.response, response) || place(m, &p.displacement_response, displacement) ||
           place(m, &p.gain, c->gain, (size_t)p.place_count * p.place_count);
}

int place_stretching(body_setup &m, device_body &d, device_ports &p, std::vector<device_line> &lines,
                     const struct body *body)
{
    std::vector<device_stretching> all(body->stretching_count);
    for (size_t i = 0; i < all.size(); i++) {
        const struct stretching *from = &body->stretching[i];
        device_stretching &t = all[i];
        t.factor = 2.0 * from->factor;
        t.line = from->slope ? (uint32_t)(from->part - (body->surface != nullptr)) : UINT32_MAX;
        const size_t points = from->slope ? lines[t.line].modes : d.nodes;
        if (place<double>(m, &t.g, nullptr, points) || place<double>(m, &t.bridge, nullptr, 1) ||
            place<double>(m, &t.sums, nullptr, STRETCH_SUMS) ||
            (from->slope && place(m, &t.slope, from->slope, points)) ||
            (body->surface &&
             (place<double>(m, &t.at, nullptr, lines.size()) || place<double>(m, &t.pull, nullptr, lines.size()))))
            return -1;
        if (from->slope) {
            lines[t.line].slope_now = t.g;
            lines[t.line].stretch_force = p.stretch_force + i;
            continue;
        }
        p.surface_stretching = (uint32_t)i;
        if ((from->plate && place_plate(m, t, from->plate)) || place<double>(m, &t.answer, nullptr, points) ||
            place<double>(m, &t.at_cells, nullptr, 2 * d.cells) ||
            place<double>(m, &t.at_connected, nullptr, lines.size()))
            return -1;
        d.stretch_answer = t.answer;
        d.stretch_force = p.stretch_force + i;
    }
    return place(m, &p.stretching, all);
}

/* Shared memory if it is large enough. */
int place_memory(body_setup &m, device_ports &p, size_t lines)
{
    const size_t bytes = ports_memory(nullptr, p.port_count, p.place_count, p.stretching_count, lines).bytes;
    if (bytes > PORTS_SHARED_MAX)
        return place<double>(m, &p.scratch, nullptr, bytes / sizeof(double));
    m.b->ports_shared_bytes = std::max(m.b->ports_shared_bytes, bytes);
    return 0;
}

} // namespace

int place_ports(body_setup &m, device_body &d, std::vector<device_line> &lines, const struct body *body,
                const struct port_coupling *c)
{
    device_ports p = {};
    p.port_count = (uint32_t)body->port_count;
    p.place_count = (uint32_t)body->place_count;
    p.stretching_count = (uint32_t)body->stretching_count;
    p.points = (uint32_t)body_offset(body, body_parts(body));
    const size_t inputs = PORT_INPUTS * body->port_count, stretching = body->stretching_count;
    if (p.port_count || stretching) {
        if (place(m, &p.ports, body->ports, p.port_count) || place_rows(m, p, body) ||
            (p.place_count && place_responses(m, p, body, c)) ||
            place<struct port_state>(m, &p.state, nullptr, p.port_count) ||
            place<double>(m, &p.inputs, nullptr, inputs) || place<double>(m, &p.forces, nullptr, 3 * inputs) ||
            place<double>(m, &p.stretched, nullptr, stretching) || place<double>(m, &p.energy, nullptr, 2) ||
            place<uint32_t>(m, &p.active_count, nullptr, 1) ||
            place<uint32_t>(m, &p.active_row, nullptr, p.place_count) ||
            place<double>(m, &p.active_force, nullptr, p.place_count) ||
            place<double>(m, &p.stretch_force, nullptr, stretching) ||
            place<double>(m, &p.stretch_gain, nullptr, stretching * stretching) ||
            place<double>(m, &p.stretch_reach, nullptr, stretching * p.place_count) ||
            place_stretching(m, d, p, lines, body) || place_memory(m, p, lines.size()) || place(m, &d.ports, &p, 1))
            return -1;
    }
    m.b->host_ports.push_back(p);
    return 0;
}

uint64_t ports_device_bytes(const struct body *body)
{
    const uint64_t real = sizeof(double), ports = body->port_count, places = body->place_count,
                   stretching = body->stretching_count, lines = body->line_count, all = ports + stretching;
    const uint64_t points = body_offset(body, body_parts(body)), cells = body->surface ? body->surface->cells : 0;
    if (!all)
        return 0;
    const uint64_t memory = ports_memory(nullptr, ports, places, stretching, lines).bytes;
    return ports * (sizeof(struct port) + sizeof(struct port_state) + 4 * PORT_INPUTS * real) +
           (places ? body->places.start[places] : 0) * sizeof(place_entry) +
           places * ((points + cells + places + stretching + 1) * real + 2 * sizeof(uint32_t)) +
           stretching * (sizeof(device_stretching) + (2 * points + 2 * cells + 3 * lines + stretching + 8) * real) +
           plate_device_bytes(body) + (memory > PORTS_SHARED_MAX ? memory : 0) + (21 + 8 * stretching) * 512;
}
