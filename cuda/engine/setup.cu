/* Device memory of an open solver: grids, tables, map, audio channels. */
#include <algorithm>
#include <cstring>

#include "cuda/engine/energy.cuh"
#include "cuda/engine/state.cuh"

namespace
{

size_t padded(const struct layout *l, uint64_t point)
{
    return (size_t)(point / l->points[0]) * l->pitch + (size_t)(point % l->points[0]);
}

/* Drives merged by point, in the order of points; taps by channel. */
int upload_audio(cuda_state *s, struct error *e)
{
    const struct problem *p = s->problem;
    std::vector<term> drives, taps;
    std::vector<uint32_t> first;
    for (size_t c = 0; c < p->drive_count; c++)
        for (size_t i = 0; i < p->drives[c].count; i++) {
            const struct channel_entry *entry = &p->drives[c].entries[i];
            if (entry->array) /* on a body */
                continue;
            drives.push_back({entry->point, entry->weight, (uint32_t)c, 1});
        }
    std::stable_sort(drives.begin(), drives.end(), [](const term &a, const term &b) { return a.at < b.at; });
    for (size_t i = 0; i < drives.size();) {
        size_t end = i;
        while (end < drives.size() && drives[end].at == drives[i].at)
            end++;
        const double weight = layout_weight(&s->rows, p, drives[i].at); /* a/(1+a): 1 - it is 1/(1+a) */
        s->drive_at.push_back(drives[i].at);
        s->drive_points.push_back({padded(&s->layout, drives[i].at), 0, (uint32_t)i, (uint32_t)end, 1.0 - weight});
        i = end;
    }
    for (size_t c = 0; c < p->tap_count; c++) {
        first.push_back((uint32_t)taps.size());
        for (size_t i = 0; i < p->taps[c].count; i++) {
            const struct channel_entry *entry = &p->taps[c].entries[i];
            if (entry->array)
                continue;
            taps.push_back({padded(&s->layout, entry->point), entry->weight, (uint32_t)c, entry->level});
        }
    }
    first.push_back((uint32_t)taps.size());
    return upload(&s->drive_terms, drives.data(), drives.size(), "drive channels", e) ||
           upload(&s->tap_terms, taps.data(), taps.size(), "tap channels", e) ||
           upload(&s->tap_first, first.data(), first.size(), "tap channels", e) ||
           upload(&s->device_drive_points, s->drive_points.data(), s->drive_points.size(), "drive channels", e) ||
           upload<double>(&s->drive, nullptr, p->drive_count * BLOCK_STEPS, "drive signals", e) ||
           upload<double>(&s->taps, nullptr, p->tap_count * BLOCK_STEPS, "taps", e);
}

template <typename REAL> coefficients<REAL> coefficients_of(const struct point_kind &kind, const struct problem *p)
{
    const struct leapfrog_problem *l = leapfrog_of(p);
    const REAL side = (REAL)(l->courant_squared + l->viscosity);
    return {l->stencil == STENCIL_19_POINT ? REAL(kind.links) : REAL(2) - REAL(kind.links) * side, (REAL)kind.weight};
}

template <typename REAL> int upload_kinds(cuda_state *s, struct error *e)
{
    coefficients<REAL> states[STATES];
    std::vector<coefficients<REAL>> codes(s->layout.code_count);
    std::vector<REAL> old_states(STATES), old_codes(s->layout.code_count);
    const REAL old_side = (REAL)leapfrog_of(s->problem)->viscosity;
    for (int i = 0; i < STATES; i++) {
        states[i] = coefficients_of<REAL>(s->layout.states[i], s->problem);
        old_states[i] = REAL(1) - REAL(s->layout.states[i].links) * old_side;
    }
    for (size_t i = 0; i < s->layout.code_count; i++) {
        codes[i] = coefficients_of<REAL>(s->layout.codes[i], s->problem);
        old_codes[i] = REAL(1) - REAL(s->layout.codes[i].links) * old_side;
    }
    if (s->grid_count == 3 && (upload((REAL **)&s->old_states, old_states.data(), old_states.size(), "wall table", e) ||
                               upload((REAL **)&s->old_codes, old_codes.data(), old_codes.size(), "wall table", e)))
        return -1;
    return upload((coefficients<REAL> **)&s->states, states, STATES, "wall table", e) ||
           upload((coefficients<REAL> **)&s->codes, codes.data(), codes.size(), "wall table", e);
}

} // namespace

int setup_map(cuda_state *s, struct error *e)
{
    const struct layout *l = &s->layout;
    const size_t plane = l->pitch * l->points[1];
    std::vector<point_code> codes(plane);
    if (device_pages_make(&s->map_memory, {s->problem, l, &s->rows, sizeof(point_code), 0}, "voxel map", e))
        return -1;
    s->map = (point_code *)s->map_memory.at;
    for (size_t z = 0; z < l->points[2]; z++) {
        layout_codes(l, &s->rows, s->problem, z, codes.data());
        if (cuda_check(cudaMemcpy(s->map + z * plane, codes.data(), plane * sizeof(point_code), cudaMemcpyHostToDevice),
                       "voxel map", e))
            return -1;
    }
    return 0;
}

int setup_grids(cuda_state *s, struct error *e)
{
    const size_t real = precision_bytes(s->problem->precision), plane = s->layout.pitch * s->layout.points[1] * real;
    for (int i = 0; i < s->grid_count; i++) {
        if (device_pages_make(&s->memory[i], {s->problem, &s->layout, &s->rows, real, s->spare}, "grid", e))
            return -1;
        s->grids[i] = (char *)s->memory[i].at + s->spare * plane;
    }
    return 0;
}

int setup_other_grids(cuda_state *s, struct error *e)
{
    const size_t real = precision_bytes(s->problem->precision);
    for (int i = 2; i < 4; i++) {
        if (!s->spare && device_pages_make(&s->memory[i], {s->problem, &s->layout, &s->rows, real, 0}, "grid", e))
            return -1;
        s->grids[i] = s->memory[s->spare ? i - 2 : i].at;
    }
    return 0;
}

void setup_free_grids(cuda_state *s)
{
    for (int i = 0; i < 4; i++) {
        device_pages_free(&s->memory[i]);
        s->grids[i] = nullptr;
    }
}

int setup_device(cuda_state *s, struct error *e)
{
    if (cuda_check(cudaStreamCreateWithFlags(&s->stream, cudaStreamNonBlocking), "stream", e) || setup_grids(s, e))
        return -1;
    if (upload<unsigned long long>(&s->base, nullptr, 1, "step counter", e) ||
        (s->problem->precision == PRECISION_DOUBLE ? upload_kinds<double>(s, e) : upload_kinds<float>(s, e)) ||
        (s->layout.irregular_count && setup_map(s, e)) || upload_audio(s, e) || energy_set_up(s, e) ||
        branches_setup(&s->branches, &s->rows, s->layout.pitch, s->problem->precision, s->audited, e))
        return -1;
    return cuda_check(cudaDeviceSynchronize(), "set-up", e);
}

void setup_free_map(cuda_state *s)
{
    device_pages_free(&s->map_memory);
    s->map = nullptr;
}

void setup_free(cuda_state *s)
{
    branches_drop(&s->branches);
    bodies_drop(s->bodies);
    energy_drop(s);
    setup_free_grids(s);
    setup_free_map(s);
    void *const blocks[] = {s->old_states,  s->old_codes, s->states,    s->codes, s->base, s->device_drive_points,
                            s->drive_terms, s->tap_terms, s->tap_first, s->drive, s->taps};
    for (void *block : blocks)
        if (block)
            cudaFree(block);
    if (s->stream)
        cudaStreamDestroy(s->stream);
}
