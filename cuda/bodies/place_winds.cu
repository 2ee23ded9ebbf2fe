/* SPDX-License-Identifier: MIT */
/* Sets up wind instruments. */
#include <algorithm>

#include "cuda/bodies/place.cuh"

namespace
{

enum { AIR_SHARED_MAX = 32 << 10 /* bytes, which any device has beside the static arrays of winds.cu */ };

struct touch {
    uint64_t at;
    uint32_t opening;
};

/* `all`: by ascending opening. The places go to `at` as well. */
int place_touched(body_setup &m, device_touched &t, std::vector<touch> all, std::vector<uint64_t> &at)
{
    std::vector<uint32_t> first, opening;
    std::stable_sort(all.begin(), all.end(), [](const touch &a, const touch &b) { return a.at < b.at; });
    for (const touch &one : all) {
        if (at.empty() || at.back() != one.at) {
            at.push_back(one.at);
            first.push_back((uint32_t)opening.size());
        }
        opening.push_back(one.opening);
    }
    first.push_back((uint32_t)opening.size());
    t.count = (uint32_t)at.size();
    return place(m, &t.at, at) || place(m, &t.first, first) || place(m, &t.opening, opening);
}

int place_points(body_setup &m, device_wind &d, const struct wind *w)
{
    std::vector<touch> all;
    std::vector<uint64_t> at;
    std::vector<uint32_t> first(1, 0), point;
    std::vector<double> gain;
    for (size_t i = 0; i < w->opening_count; i++) {
        const size_t points = w->openings[i].points;
        for (size_t k = 0; k < points; k++)
            all.push_back({padded(m, w->points[all.size()]), (uint32_t)i});
        first.push_back((uint32_t)all.size());
        gain.push_back(points ? opening_gain(points, w->spacing, &w->bore.grid) : 0.0);
    }
    if (place_touched(m, d.points, all, at))
        return -1;
    for (const touch &one : all)
        point.push_back((uint32_t)(std::lower_bound(at.begin(), at.end(), one.at) - at.begin()));
    const size_t bytes = at.size() * sizeof(double);
    if (bytes > AIR_SHARED_MAX && place<double>(m, &d.air, nullptr, at.size()))
        return -1;
    m.b->winds_shared_bytes = std::max(m.b->winds_shared_bytes, d.air ? 0 : bytes);
    return place(m, &d.first, first) || place(m, &d.point, point) || place(m, &d.gain, gain);
}

int place_cells(body_setup &m, device_wind &d, const struct wind *w)
{
    std::vector<touch> all;
    std::vector<uint64_t> at;
    for (size_t i = 0; i < w->opening_count; i++) {
        all.push_back({w->openings[i].cell, (uint32_t)i});
        if (w->openings[i].share > 0.0)
            all.push_back({w->openings[i].cell + 1, (uint32_t)i});
    }
    return place_touched(m, d.cells, all, at);
}

int place_wind(body_setup &m, device_wind &d, const struct wind *w)
{
    const size_t count = w->opening_count, values = wind_values(w);
    double *bore = nullptr;
    d.wind = *w;
    d.wind.points = nullptr;
    if (place(m, &bore, w->bore.volume, bore_values(&w->bore)) || place(m, &d.wind.openings, w->openings, count) ||
        place(m, &d.wind.mutual, w->mutual, count * count))
        return -1;
    bore_place(&d.wind.bore, bore);
    return place_points(m, d, w) || place_cells(m, d, w) ||
           place<double>(m, &d.state, nullptr, wind_state_bytes(w) / sizeof(double)) ||
           place<double>(m, &d.inputs, nullptr, values) || place<double>(m, &d.outputs, nullptr, 3 * values) ||
           place<double>(m, &d.before, nullptr, 2 * count) || place<struct wind_output>(m, &d.output, nullptr, 1) ||
           place<double>(m, &d.inside, nullptr, 2 * count) || place<double>(m, &d.factor, nullptr, count * count) ||
           place<uint32_t>(m, &d.open, nullptr, count) || place<uint32_t>(m, &d.open_count, nullptr, 1);
}

} // namespace

int place_winds(body_setup &m)
{
    std::vector<device_wind> winds;
    for (size_t i = 0; i < m.b->bodies->count; i++) {
        device_wind d = {};
        if (m.b->bodies->body[i].wind) {
            if (place_wind(m, d, m.b->bodies->body[i].wind))
                return -1;
            winds.push_back(d);
        }
        m.b->host_winds.push_back(d);
    }
    m.b->wind_count = (unsigned)winds.size();
    return place(m, &m.b->winds, winds);
}

uint64_t winds_device_bytes(const struct body *body)
{
    const struct wind *w = body->wind;
    const uint64_t real = sizeof(double);
    if (!w)
        return 0;
    const uint64_t count = w->opening_count, points = wind_points(w);
    return sizeof(device_wind) + sizeof(struct wind_output) + wind_state_bytes(w) + bore_values(&w->bore) * real +
           count * (sizeof(struct opening) + (2 * count + 9) * real) + 4 * wind_values(w) * real +
           points * (2 * real + 3 * sizeof(uint32_t)) + count * 6 * real + 22 * 512;
}
