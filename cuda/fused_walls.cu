/* Cuts walls with branches into the tiles of a fused kernel. */
#include <algorithm>

#include "fused_walls.cuh"
#include "fused_walls_plan.cuh"

namespace {

/* The point's state in the box of air. */
unsigned state_at(const struct layout *l, size_t x, size_t y, size_t z)
{
    const size_t at[3] = {x, y, z};
    unsigned state = 0;
    for (int axis = 0; axis < 3; axis++) {
        state |= (unsigned)(at[axis] == l->from[axis]) << (2 * axis);
        state |= (unsigned)(at[axis] + 1 == l->to[axis]) << (2 * axis + 1);
    }
    return state & l->missing;
}

/* What the faces of a state are made of: 0 when none of them has branches. */
uint64_t key_of_state(const struct leapfrog_problem *l, unsigned state)
{
    uint8_t codes[FACES];
    int count = 0;
    for (int face = 0; face < FACES; face++)
        if (state >> face & 1u)
            codes[count++] = l->outside[face];
    return branches_key(l, codes, count);
}

struct box_walls {
    const struct layout *l;
    uint64_t keys[STATES];
};

/* Points of a column in plane z that have branches if the box of air says it all. */
size_t expected_points(const box_walls &box, const fused_column &column, const struct fused_kernel *k, size_t z)
{
    const struct layout *l = box.l;
    const size_t x0 = (size_t)std::max((int64_t)l->from[0], (int64_t)column.x), x1 = (size_t)std::min((int64_t)l->to[0], (int64_t)column.x + k->width);
    const size_t y0 = (size_t)std::max((int64_t)l->from[1], (int64_t)column.y), y1 = (size_t)std::min((int64_t)l->to[1], (int64_t)column.y + k->height);
    const bool face = z == l->from[2] || z + 1 == l->to[2];
    const size_t ends[2] = {l->from[0], l->to[0] - 1};
    size_t count = 0;
    for (size_t y = y0; y < y1; y++) {
        if (face || y == l->from[1] || y + 1 == l->to[1])
            for (size_t x = x0; x < x1; x++)
                count += box.keys[state_at(l, x, y, z)] != 0;
        else
            for (int end = 0; end < (ends[0] < ends[1] ? 2 : 1); end++)
                count += ends[end] >= x0 && ends[end] < x1 && box.keys[state_at(l, ends[end], y, z)] != 0;
    }
    return count;
}

/* In the arrays that field and keepers share: the rows of the tile at the two faces x, then its columns at the two faces y. */
uint16_t side_place(const struct fused_kernel *k, int x, int y, unsigned state)
{
    if (state & 1u)
        return (uint16_t)y;
    if (state & 2u)
        return (uint16_t)(k->height + y);
    return (uint16_t)(2 * k->height + (state & 4u ? 0 : k->width) + x);
}

/* The columns, laid out [along][across], that a point lies in. */
std::vector<size_t> columns_at(const std::vector<fused_column> &columns, size_t across, const struct fused_kernel *k, int x, int y)
{
    std::vector<size_t> found;
    for (size_t j = 0; j < columns.size(); j += across)
        if (columns[j].y <= y && y < columns[j].y + k->height)
            for (size_t i = j; i < j + across; i++)
                if (columns[i].x <= x && x < columns[i].x + k->width)
                    found.push_back(i);
    return found;
}

struct found_item {
    uint64_t list; /* column * nz + z */
    fused_wall_item item;
    uint16_t x, y; /* in the tile */
    unsigned state;
};

uint32_t filled_up(uint32_t count, unsigned at_once)
{
    return (count + at_once - 1) / at_once * at_once;
}

template <typename REAL> int upload_factors(fused_walls_device *d, const fused_wall_lists &lists, const struct branches *b, struct error *e)
{
    std::vector<fused_branch<REAL>> factors(lists.factor_count, fused_branch<REAL>{});
    for (size_t kind = 0; kind < b->kind_count; kind++)
        for (uint32_t i = 0; i < b->kinds[kind].count; i++) {
            const struct branch_factors f = b->factors[b->kinds[kind].first + i];
            const double share = 1.0 - b->kinds[kind].weight;
            factors[lists.factors_at[kind] + i] = {(REAL)f.b, (REAL)f.four_bd, (REAL)f.twice_bf, (REAL)(share * f.push_v), (REAL)(share * f.push_g)};
        }
    return upload((fused_branch<REAL> **)&d->factors, factors.data(), factors.size(), "walls", e);
}

/* Most branches of a material at one point, but no more than the kernel can take at once, and even. */
unsigned branches_at_once(const struct branches *b)
{
    uint32_t most = 1;
    for (size_t kind = 0; kind < b->kind_count; kind++)
        most = std::max(most, b->kinds[kind].count);
    return std::min(filled_up(most, 2), 8u);
}

/* Weights of the points of a dense plane that the map says nothing of. */
template <typename REAL>
int upload_weights(fused_walls_device *d, const fused_wall_lists &lists, const struct branches *b, const struct fused_kernel *k, uint32_t dense,
                   uint64_t list, struct error *e)
{
    std::vector<REAL> weights((size_t)k->width * (size_t)k->height, REAL(0));
    for (uint32_t i = lists.first[list]; i < lists.first[list + 1]; i++)
        weights[lists.items[i].place & FUSED_PLACE_MOST] = (REAL)b->kinds[lists.items[i].kind].weight;
    return cuda_check(cudaMemcpy((REAL *)d->dense + ((size_t)dense * fused::DENSE_ARRAYS + fused::DENSE_WEIGHT) * weights.size(), weights.data(),
                                 weights.size() * sizeof(REAL), cudaMemcpyHostToDevice),
                      "walls", e);
}

uint32_t most_branches(const fused_wall_lists &lists, const struct branches *b, uint64_t list)
{
    uint32_t most = 0;
    for (uint32_t i = lists.first[list]; i < lists.first[list + 1]; i++)
        most = std::max(most, filled_up(b->kinds[lists.items[i].kind].count, lists.at_once));
    return most;
}

/* Whether the states of a plane can stay in shared memory between levels. */
bool near(const fused_wall_lists &lists, const std::vector<uint8_t> &flags, uint64_t list)
{
    return !(flags[list] & FUSED_DENSE) && lists.first[list + 1] - lists.first[list] <= FUSED_SLOT_POINTS;
}

} // namespace

void fused_walls_list(fused_wall_lists &lists, const cuda_state *s, const struct fused_kernel *k, std::vector<fused_column> &columns,
                      size_t across, std::vector<uint8_t> &flags)
{
    const struct layout *l = &s->layout;
    const struct branches *b = &s->rows.branches;
    const struct leapfrog_problem *leapfrog = &s->problem->as.leapfrog;
    const size_t nz = l->points[2];
    box_walls box = {l, {}};
    lists.fits = true;
    for (unsigned state = 0; state < STATES; state++) {
        struct branch_kind kind;
        const uint64_t key = key_of_state(leapfrog, state & l->missing);
        box.keys[state] = key;
        lists.weights[state] = l->states[state].weight;
        if (key) {
            branches_weigh(&kind, leapfrog, key, s->problem->precision);
            lists.weights[state] = kind.weight;
        }
    }
    lists.at_once = branches_at_once(b);
    for (size_t kind = 0; kind < b->kind_count; kind++) {
        lists.factors_at.push_back((uint32_t)lists.factor_count);
        lists.factor_count += filled_up(b->kinds[kind].count, lists.at_once);
    }
    lists.places = branches_places(&s->rows, l->pitch);
    std::vector<found_item> found;
    for (const branch_place &place : lists.places) {
        const uint64_t row = place.at / l->pitch;
        const int x = (int)(place.at % l->pitch), y = (int)(row % l->points[1]);
        const size_t z = (size_t)(row / l->points[1]);
        lists.fits = lists.fits && place.pair <= UINT32_MAX;
        for (const size_t c : columns_at(columns, across, k, x, y)) {
            fused_column &column = columns[c];
            const bool mine = x >= column.x0 && x < column.x1 && y >= column.y0 && y < column.y1;
            const unsigned state = state_at(l, (size_t)x, (size_t)y, z);
            column.walled = 1;
            const struct branch_kind &kind = b->kinds[place.kind];
            found.push_back({c * nz + z, {(uint32_t)place.pair, lists.factors_at[place.kind], (uint16_t)kind.count, (uint16_t)(mine ? FUSED_PLACE_MINE : 0), place.kind},
                             (uint16_t)(x - column.x), (uint16_t)(y - column.y), state});
            if (box.keys[state] != kind.key)
                flags[c * nz + z] |= FUSED_MAP;
        }
    }
    std::stable_sort(found.begin(), found.end(), [](const found_item &a, const found_item &b) { return a.list < b.list; });
    size_t next = 0;
    for (size_t c = 0; c < columns.size(); c++)
        for (size_t z = 0; z < nz; z++) {
            const uint64_t list = c * nz + z;
            uint8_t &flag = flags[list];
            lists.first.push_back((uint32_t)next);
            size_t end = next;
            while (end < found.size() && found[end].list == list)
                end++;
            if (!(flag & FUSED_OUTSIDE) && expected_points(box, columns[c], k, z) != end - next)
                flag |= FUSED_MAP;
            if (end > next && flag & (FUSED_MAP | FUSED_LOW | FUSED_HIGH))
                flag |= FUSED_DENSE;
            for (; next < end; next++) {
                const found_item &f = found[next];
                const uint16_t place = flag & FUSED_DENSE ? (uint16_t)(f.y * k->width + f.x) : side_place(k, f.x, f.y, f.state);
                lists.items.push_back(f.item);
                lists.items.back().place |= place;
            }
        }
    lists.first.push_back((uint32_t)next);
    lists.fits = lists.fits && found.size() < UINT32_MAX && k->width * k->height <= FUSED_PLACE_MOST;
}

double fused_walls_share(const fused_wall_lists &lists, const cuda_state *s, uint64_t at)
{
    const auto place = std::lower_bound(lists.places.begin(), lists.places.end(), at,
                                        [](const branch_place &p, uint64_t wanted) { return p.at < wanted; });
    return place == lists.places.end() || place->at != at ? 1.0 : 1.0 - s->rows.branches.kinds[place->kind].weight;
}

size_t fused_walls_slot(const fused_wall_lists &lists, const cuda_state *s, const std::vector<uint8_t> &flags)
{
    size_t most = 0;
    for (size_t list = 0; list + 1 < lists.first.size(); list++)
        if (near(lists, flags, list))
            most = std::max(most, (size_t)most_branches(lists, &s->rows.branches, list));
    return most;
}

int fused_walls_upload(fused_walls_device *d, const fused_wall_lists &lists, const cuda_state *s, const struct fused_kernel *k,
                       const std::vector<fused_column> &columns, const std::vector<uint8_t> &flags, int chunk, int chunks, size_t slot_branches,
                       struct error *e)
{
    const struct branches *b = &s->rows.branches;
    const bool wide = s->problem->precision == PRECISION_DOUBLE;
    const int nz = (int)s->layout.points[2];
    const size_t plane_values = (size_t)k->width * (size_t)k->height;
    std::vector<fused_wall_plane> planes;
    std::vector<std::pair<uint32_t, uint64_t>> weighted; /* dense planes whose weights are not the box's, and their lists */
    uint64_t scratch = 0;
    uint32_t dense = 0;
    for (int block = 0; block < chunks * (int)columns.size(); block++) {
        const int column = block % (int)columns.size(), z0 = block / (int)columns.size() * chunk;
        for (int z = z0 - k->steps; z < z0 + chunk + k->steps; z++) {
            fused_wall_plane plane = {0, 0, FUSED_NOWHERE, FUSED_NOWHERE};
            if (z >= 0 && z < nz) {
                const uint64_t list = (uint64_t)column * (uint64_t)nz + (uint64_t)z;
                const uint32_t end = lists.first[list + 1];
                plane.first = lists.first[list];
                plane.count = end - plane.first;
                if (flags[list] & FUSED_DENSE) {
                    if (flags[list] & FUSED_MAP)
                        weighted.push_back({dense, list});
                    plane.dense = dense++;
                }
                if (plane.count && !(slot_branches && near(lists, flags, list))) {
                    plane.states = (uint32_t)scratch;
                    scratch += (uint64_t)plane.count * most_branches(lists, b, list);
                }
            }
            planes.push_back(plane);
        }
    }
    if (scratch >= FUSED_NOWHERE)
        return fail(e, ERROR_ENGINE, "too many wall points for passes of several steps: use --fuse 1");
    d->slot_branches = (unsigned)slot_branches;
    d->branches_at_once = lists.at_once;
    const size_t real = wide ? sizeof(double) : sizeof(float);
    if (upload(&d->planes, planes.data(), planes.size(), "walls", e) || upload(&d->items, lists.items.data(), lists.items.size(), "walls", e) ||
        (wide ? upload_factors<double>(d, lists, b, e) : upload_factors<float>(d, lists, b, e)) ||
        upload<char>((char **)&d->scratch, nullptr, scratch * 2 * real, "walls", e) ||
        upload<char>((char **)&d->dense, nullptr, dense * fused::DENSE_ARRAYS * plane_values * real, "walls", e))
        return -1;
    for (const auto &plane : weighted)
        if (wide ? upload_weights<double>(d, lists, b, k, plane.first, plane.second, e)
                 : upload_weights<float>(d, lists, b, k, plane.first, plane.second, e))
            return -1;
    return 0;
}

void fused_walls_drop(fused_walls_device *d)
{
    void *const all[] = {d->planes, d->items, d->factors, d->scratch, d->dense};
    for (void *memory : all)
        if (memory)
            cudaFree(memory);
    *d = {};
}
