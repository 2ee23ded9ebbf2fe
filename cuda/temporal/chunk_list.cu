/* SPDX-License-Identifier: MIT */
#include "cuda/temporal/chunk_list.cuh"

#include <cmath>
#include <functional>
#include <queue>

namespace
{

/* --- halos of a part of a grid --- */

/* Time to transfer both levels of a side between two GPUs at 350 GB/s. */
double side_seconds(const cuda_state *s, const own_planes &own, const struct tile_kernel *k)
{
    const double plane = (double)(s->layout.pitch * s->layout.points[1] * precision_bytes(s->problem->precision));
    return 2.0 * std::min(std::max(own.first, own.count - own.end), k->steps) * plane / 350e9;
}

/* Time for a plane of a tile, from the speed of a multiprocessor of an H200 in points per
 * second, including halos of tiles: fitted. */
double plane_seconds(const cuda_state *s, const struct tile_kernel *k)
{
    const double single = k->stencil == STENCIL_19_POINT ? 4.5e9 : k->halo_columns ? 9e9 : 6.4e9;
    const double rate = s->problem->precision == PRECISION_DOUBLE ? single / 2.0 : single;
    return (double)k->width * k->height * k->steps / rate;
}

} // namespace

halo_reads::halo_reads(const cuda_state *s, const struct tile_kernel *k)
    : own(s->problem), reach(k->steps), arrival_below(0.0), arrival_above(0.0)
{
    if (!any())
        return;
    const double plane = plane_seconds(s, k), side = side_seconds(s, own, k) / plane;
    arrival_below = 15e-6 / plane + side;
    arrival_above = arrival_below + (own.first > 0 ? side : 0.0);
}

namespace
{

/* --- one list --- */

bool starts_earlier(const air_span &a, const air_span &b)
{
    return a.z0 < b.z0;
}

/* The longest first, so that short ones fill the gaps (list scheduling: Graham 1969). */
bool is_longer(const air_span &a, const air_span &b)
{
    return a.z1 - a.z0 > b.z1 - b.z0;
}

chunk_list in_order(const std::vector<air_span> &chunks, bool (*before)(const air_span &, const air_span &),
                    const halo_reads &halos)
{
    chunk_list out = {chunks, 0};
    std::stable_sort(out.spans.begin(), out.spans.end(), [&](const air_span &a, const air_span &b) {
        const int of_a = halos.order(a), of_b = halos.order(b);
        return of_a != of_b ? of_a < of_b : before(a, b);
    });
    for (const air_span &one : out.spans)
        out.far += halos.order(one) == 0;
    return out;
}

struct list_time {
    double last, square; /* time at which all have ended; sum of squares over the ends of the workers */
};

list_time time_of(const chunk_list &list, const chunk_model &model)
{
    std::priority_queue<double, std::vector<double>, std::greater<double>> ends;
    const plane_cost plane =
        plane_cost_of((int64_t)list.spans.size(), model.columns, model.at_once, model.kernel, model.precision);
    double planes = 0.0;
    for (const air_span &one : list.spans)
        planes += one.z1 - one.z0;
    list_time out = {0.0, 0.0};
    for (const air_span &one : list.spans) {
        const bool follows = (int)ends.size() >= model.at_once;
        const double begin = std::max(follows ? ends.top() : 0.0, model.halos.arrival(one, planes / model.at_once)),
                     end = begin + chunk_cost(one.z1 - one.z0, plane, model.kernel, model.precision);
        if (follows) {
            out.square -= ends.top() * ends.top();
            ends.pop();
        }
        ends.push(end);
        out.square += end * end;
        out.last = std::max(out.last, end);
    }
    return out;
}

/* --- equal parts --- */

/* Planes of the parts of a span. */
int part_of(const air_span &span, int planes)
{
    return even_part(span.z1 - span.z0, planes);
}

/* The first spans in this number of parts, or fewer if they would be short; the others whole. */
chunk_list in_parts(const std::vector<air_span> &spans, size_t first, int parts, const chunk_model &model)
{
    std::vector<air_span> chunks;
    for (const air_span &span : spans) {
        const bool divided = (size_t)(&span - spans.data()) < first;
        const int length = span.z1 - span.z0,
                  count = divided ? std::max(1, std::min(parts, length / model.kernel->steps)) : 1;
        for (int i = 0; i < count; i++)
            chunks.push_back({span.cluster, span.z0 + length * i / count, span.z0 + length * (i + 1) / count});
    }
    return in_order(chunks, starts_earlier, model.halos);
}

/* --- parts of any length --- */

/* A random local search: moves ends of parts, divides and joins parts, and keeps changes that do
 * not take longer. The random numbers are the same each time. */
class search
{
  public:
    search(const chunk_list &start, const chunk_model &model_)
        : model(model_), parts(start.spans), best(list()), cost(cost_of(best)), state(1)
    {
        std::sort(parts.begin(), parts.end(), [](const air_span &a, const air_span &b) {
            return a.cluster != b.cluster ? a.cluster < b.cluster : a.z0 < b.z0;
        });
    }

    void run(int tries)
    {
        for (int i = 0; i < tries; i++) {
            const std::vector<air_span> before = parts;
            const bool changed = change();
            chunk_list now;
            double now_costs = HUGE_VAL;
            if (changed) {
                now = list();
                now_costs = cost_of(now);
            }
            if (now_costs <= cost) {
                best = std::move(now);
                cost = now_costs;
            } else
                parts = before;
        }
    }

    const chunk_list &found() const
    {
        return best;
    }

  private:
    /* In a part of a grid, which has more chunks, sorted by their planes: tiles in the same
     * planes share their halos through the second-level cache. */
    chunk_list list() const
    {
        return in_order(parts, model.halos.any() ? starts_earlier : is_longer, model.halos);
    }

    /* The time; for equal times the list that ends more evenly is better. */
    double cost_of(const chunk_list &one) const
    {
        const list_time time = time_of(one, model);
        return time.last + 1e-3 * time.square / (model.at_once * time.last);
    }

    unsigned draw(unsigned count)
    {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return (unsigned)(state >> 33) % count;
    }

    bool fits(const air_span &part) const
    {
        return part.z1 - part.z0 >= model.kernel->steps && chunk_fits(part.z1 - part.z0, model.kernel);
    }

    /* Draws a part that is not the last of its span; false: the part drawn is. */
    bool draw_inner(size_t *i)
    {
        *i = draw((unsigned)parts.size());
        return *i + 1 < parts.size() && parts[*i].cluster == parts[*i + 1].cluster && parts[*i].z1 == parts[*i + 1].z0;
    }

    /* False: the change drawn is not possible. */
    bool change()
    {
        switch (draw(5)) {
        case 0:
            return move() && move();
        case 1:
        case 2:
            return move();
        case 3:
            return divide();
        default:
            return join();
        }
    }

    /* Moves the end of a part, and with it the beginning of the next. */
    bool move()
    {
        size_t i;
        const int by = 1 << draw(5);
        if (!draw_inner(&i))
            return false;
        parts[i].z1 = parts[i + 1].z0 += draw(2) ? by : -by;
        return fits(parts[i]) && fits(parts[i + 1]);
    }

    bool divide()
    {
        const size_t i = draw((unsigned)parts.size());
        const int least = model.kernel->steps, room = parts[i].z1 - parts[i].z0 - 2 * least;
        if (room < 0)
            return false;
        air_span upper = parts[i];
        parts[i].z1 = upper.z0 = parts[i].z0 + least + (int)draw((unsigned)room + 1);
        parts.insert(parts.begin() + (ptrdiff_t)i + 1, upper);
        return true;
    }

    bool join()
    {
        size_t i;
        if (!draw_inner(&i))
            return false;
        parts[i].z1 = parts[i + 1].z1;
        parts.erase(parts.begin() + (ptrdiff_t)i + 1);
        return fits(parts[i]);
    }

    const chunk_model &model;
    std::vector<air_span> parts; /* by cluster and plane */
    chunk_list best;
    double cost;
    uint64_t state;
};

/* Starts from the best list of equal parts, and from spans in few parts. With many chunks, equal
 * ones leave little idle time; and a step of a small grid takes less time than a long search. */
chunk_list best_of_starts(const std::vector<air_span> &spans, const chunk_list &equal, const chunk_model &model,
                          double *time)
{
    const int tries_max = 3000, tries_min = 300, parts_max = 3;
    const int work = (int)std::min(1e5, (double)model.points / 500.0); /* number of chunks to examine */
    chunk_list best = equal;
    *time = time_of(equal, model).last;
    std::vector<chunk_list> starts = {equal, in_parts(spans, (size_t)model.at_once, parts_max, model)};
    for (int parts = 1; parts <= parts_max; parts++)
        starts.push_back(in_parts(spans, spans.size(), parts, model));
    for (const chunk_list &start : starts) {
        const int tries = start.spans.empty() ? 0 : std::min(tries_max, work / (int)start.spans.size());
        if (tries < tries_min || !chunk_fits(chunk_list_longest(start), model.kernel))
            continue;
        search uneven(start, model);
        uneven.run(tries);
        const double found = time_of(uneven.found(), model).last;
        if (found < *time) {
            *time = found;
            best = uneven.found();
        }
    }
    return best;
}

} // namespace

chunk_list chunk_list_equal(const std::vector<air_span> &spans, int planes, const chunk_model &model)
{
    std::vector<air_span> chunks;
    for (const air_span &span : spans)
        for (int z = span.z0, part = part_of(span, planes); z < span.z1; z += part)
            chunks.push_back({span.cluster, z, std::min(z + part, span.z1)});
    return in_order(chunks, starts_earlier, model.halos);
}

double chunk_list_time(const chunk_list &list, const chunk_model &model)
{
    return time_of(list, model).last;
}

double chunk_list_least_time(const std::vector<air_span> &spans, int planes, const chunk_model &model)
{
    double work = 0.0;
    for (const air_span &span : spans) {
        const int part = part_of(span, planes), parts = (span.z1 - span.z0 + part - 1) / part;
        work += span.z1 - span.z0 + parts * chunk_cost(0, {1.0, 0.0}, model.kernel, model.precision);
    }
    return work / model.at_once;
}

bool chunk_list_may_be_uneven(const struct tile_kernel *k)
{
    return k->stencil != STENCIL_19_POINT;
}

int chunk_list_longest(const chunk_list &list)
{
    int planes = 0;
    for (const air_span &one : list.spans)
        planes = std::max(planes, one.z1 - one.z0);
    return planes;
}

chunk_list chunk_list_best(const std::vector<air_span> &spans, int nz, const chunk_model &model, double to_beat,
                           double *time)
{
    const double worth = model.halos.any() ? 0.99 : 0.97; /* tiles in step share more */
    chunk_list best = chunk_list_equal(spans, nz, model);
    int last = 0;
    *time = HUGE_VAL;
    for (int chunks = 1; chunks == 1 || chunks <= nz / 4; chunks++) {
        const int planes = (nz + chunks - 1) / chunks;
        if (planes == last || !chunk_fits(planes, model.kernel) ||
            chunk_list_least_time(spans, planes, model) >= std::min(*time, to_beat))
            continue;
        last = planes;
        chunk_list list = chunk_list_equal(spans, planes, model);
        const double cost = chunk_list_time(list, model);
        if (cost < *time) {
            *time = cost;
            best = std::move(list);
        }
    }
    if (!std::isfinite(*time) || !chunk_list_may_be_uneven(model.kernel))
        return best;
    double uneven_time;
    chunk_list uneven = best_of_starts(spans, best, model, &uneven_time);
    if (uneven_time >= worth * *time)
        return best;
    *time = uneven_time;
    return uneven;
}
