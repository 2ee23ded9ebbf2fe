/* SPDX-License-Identifier: MIT */
/* Sets up drives, taps and cut links of bodies, and the jobs of blocks in a step. */
#include <algorithm>

#include "cuda/bodies/place.cuh"
#include "cuda/bodies/plate_stretching.cuh"

extern "C" {
#include "solver/schemes/bodies/stretching.h"
}

namespace
{

/* A state array of the scheme on the device. The inputs of ports have their forces as levels, those of a wind
 * instrument its outputs. */
struct part {
    double *levels, *force; /* [3][points], [points] */
    uint32_t points;
    const uint16_t *kind; /* of a surface, on the host */
};

part part_of(const device_bodies *b, size_t array)
{
    size_t first = BODY_ARRAYS;
    for (size_t i = 0; i < b->host.size(); i++) {
        const struct surface *s = b->bodies->body[i].surface;
        if (s && array == first)
            return {b->host[i].w, b->host[i].force, b->host[i].nodes, s->kind};
        first += s != nullptr;
        if (array - first < b->host_lines[i].size()) {
            const device_line &l = b->host_lines[i][array - first];
            return {l.q, l.force, l.points, nullptr};
        }
        first += b->host_lines[i].size();
        const device_ports &p = b->host_ports[i];
        if (p.port_count && array == first)
            return {p.forces, p.inputs, PORT_INPUTS * p.port_count, nullptr};
        first += p.port_count > 0;
        const device_wind &w = b->host_winds[i];
        if (w.state && array == first)
            return {w.outputs, w.inputs, (uint32_t)wind_values(b->bodies->body[i].wind), nullptr};
        first += w.state != nullptr;
    }
    return {nullptr, nullptr, 0, nullptr}; /* ruled out by the check of cartesian7_scheme */
}

/* Terms of a point are contiguous, in the order of channels. Forces on fixed nodes are omitted. */
int place_drives(body_setup &m)
{
    struct entry {
        double *force;
        body_term term;
    };
    const struct problem *p = m.problem;
    std::vector<entry> entries;
    for (size_t c = 0; c < p->drive_count; c++)
        for (size_t i = 0; i < p->drives[c].count; i++) {
            const struct channel_entry *from = &p->drives[c].entries[i];
            if (from->array < BODY_ARRAYS)
                continue;
            const part to = part_of(m.b, from->array);
            if (!to.kind || to.kind[from->point])
                entries.push_back({to.force + from->point, {(uint32_t)c, from->weight}});
        }
    std::stable_sort(entries.begin(), entries.end(), [](const entry &a, const entry &b) { return a.force < b.force; });
    std::vector<body_drive> drives;
    std::vector<body_term> terms;
    for (const entry &from : entries) {
        if (drives.empty() || drives.back().force != from.force)
            drives.push_back({from.force, (uint32_t)terms.size(), 0});
        terms.push_back(from.term);
        drives.back().end = (uint32_t)terms.size();
    }
    m.b->drive_count = (uint32_t)drives.size();
    return place(m, &m.b->drives, drives) || place(m, &m.b->terms, terms);
}

int place_taps(body_setup &m)
{
    const struct problem *p = m.problem;
    std::vector<body_tap> taps;
    std::vector<uint32_t> first(1, 0);
    for (size_t c = 0; c < p->tap_count; c++) {
        for (size_t i = 0; i < p->taps[c].count; i++) {
            const struct channel_entry *from = &p->taps[c].entries[i];
            if (from->array < BODY_ARRAYS)
                continue;
            const part of = part_of(m.b, from->array);
            taps.push_back({of.levels + from->point, of.points, from->weight});
        }
        first.push_back((uint32_t)taps.size());
    }
    m.b->tapped = !taps.empty();
    m.b->tap_channels = (unsigned)p->tap_count;
    return place(m, &m.b->taps, taps) || place(m, &m.b->tap_first, first);
}

/* Whether two bodies move the same point of the air: the blocks that add their flows would race. `moved`: by
 * surfaces. */
bool move_same_air(const struct bodies *b, std::vector<uint64_t> moved)
{
    for (size_t i = 0; i < b->count; i++)
        if (const struct wind *w = b->body[i].wind) {
            std::vector<uint64_t> own(w->points, w->points + wind_points(w));
            std::sort(own.begin(), own.end());
            moved.insert(moved.end(), own.begin(), std::unique(own.begin(), own.end()));
        }
    std::sort(moved.begin(), moved.end());
    return std::adjacent_find(moved.begin(), moved.end()) != moved.end();
}

int place_cuts(body_setup &m)
{
    const struct bodies *b = m.b->bodies;
    std::vector<uint64_t> moved;
    std::vector<device_cut> cuts, of_surfaces;
    for (size_t i = 0; i < b->count; i++)
        if (const struct surface *s = b->body[i].surface) {
            moved.insert(moved.end(), s->below, s->below + s->cells);
            moved.insert(moved.end(), s->above, s->above + s->cells);
        }
    std::sort(moved.begin(), moved.end());
    if (move_same_air(b, moved))
        return fail(m.e, ERROR_ENGINE,
                    "two instruments share a cell of the air, which the cuda engine does not support; move them apart, "
                    "or use --engine cpu");
    for (size_t i = 0; i < b->cut_count; i++)
        (std::binary_search(moved.begin(), moved.end(), b->cuts[i].point) ? of_surfaces : cuts)
            .push_back({padded(m, b->cuts[i].point), b->cuts[i].faces});
    m.b->other_cut_count = (unsigned)cuts.size();
    cuts.insert(cuts.end(), of_surfaces.begin(), of_surfaces.end());
    m.b->cut_count = (unsigned)cuts.size();
    return place(m, &m.b->cuts, cuts) || place<double>(m, &m.b->cut_flux, nullptr, m.b->other_cut_count) ||
           place<double>(m, &m.b->cut_energy, nullptr, m.b->cut_count);
}

void add_blocks(std::vector<body_job> &jobs, enum body_work work, size_t body, size_t count)
{
    for (size_t first = 0; first < count; first += BODY_THREADS)
        jobs.push_back({(uint32_t)work, (uint32_t)body, (uint32_t)first});
}

int place_jobs(body_setup &m)
{
    device_bodies *b = m.b;
    std::vector<body_job> nodes, cells;
    std::vector<uint32_t> surfaces;
    for (size_t i = 0; i < b->host.size(); i++) {
        for (size_t line = 0; line < b->host_lines[i].size(); line++)
            nodes.push_back({WORK_LINE, (uint32_t)i, (uint32_t)line});
        add_blocks(nodes, WORK_NODES, i, b->host[i].nodes);
        add_blocks(cells, WORK_NODES, i, b->host[i].cells);
        if (b->host[i].cells || (b->host[i].nodes && b->host[i].line_count))
            surfaces.push_back((uint32_t)i);
    }
    std::vector<body_job> slopes;
    std::vector<uint32_t> ported, stretching;
    for (size_t i = 0; i < b->host.size(); i++) {
        if (b->host[i].ports)
            ported.push_back((uint32_t)i);
        if (b->host_ports[i].stretching_count)
            stretching.push_back((uint32_t)i);
        for (size_t k = 0; k < b->host_ports[i].stretching_count; k++)
            if (b->bodies->body[i].stretching[k].slope)
                slopes.push_back({WORK_LINE, (uint32_t)i, (uint32_t)k});
            else
                add_blocks(slopes, WORK_NODES, i, b->host[i].nodes);
    }
    b->ported_count = (unsigned)ported.size();
    b->stretching_count = (unsigned)stretching.size();
    b->slope_job_count = (unsigned)slopes.size();
    std::vector<body_job> finish(nodes), free(nodes);
    add_blocks(finish, WORK_DRIVES, 0, b->drive_count);
    add_blocks(free, WORK_CUTS, 0, b->other_cut_count);
    b->settle_count = (unsigned)nodes.size();
    b->finish_count = (unsigned)finish.size();
    b->free_count = (unsigned)free.size();
    b->cell_job_count = (unsigned)cells.size();
    b->surface_count = (unsigned)surfaces.size();
    return place(m, &b->finish_jobs, finish) || place(m, &b->free_jobs, free) || place(m, &b->cell_jobs, cells) ||
           place(m, &b->surfaces, surfaces) || place(m, &b->ported, ported) || place(m, &b->stretching, stretching) ||
           place(m, &b->slope_jobs, slopes) || place(m, &b->body, b->host);
}

} // namespace

int place_channels(body_setup &m)
{
    return place_drives(m) || place_taps(m) || place_cuts(m) || place_plate_jobs(m) || place_jobs(m);
}
