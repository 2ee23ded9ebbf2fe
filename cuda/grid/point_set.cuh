/* SPDX-License-Identifier: MIT */
/* Sets of points of a grid, and boxes of them; host only. */
#ifndef AULA_CUDA_POINT_SET_CUH
#define AULA_CUDA_POINT_SET_CUH

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cuda/engine/in_parallel.cuh"

/* Points low .. high - 1. */
struct box {
    int low[3], high[3];
};

/* Rows y0 <= y < y1, z0 <= z < z1 of a grid. */
struct row_window {
    int y0, y1, z0, z1;
};

/* With `by` rows more on each side, as far as the grid goes. */
static inline row_window widened(const row_window &w, int by, const size_t points[3])
{
    return {std::max(w.y0 - by, 0), std::min(w.y1 + by, (int)points[1]), std::max(w.z0 - by, 0),
            std::min(w.z1 + by, (int)points[2])};
}

/* One bit for each point of the grid, or of a window of its rows: other rows must not be asked for. */
class point_set
{
  public:
    point_set() = default;
    explicit point_set(const size_t points[3])
    {
        clear(points, {0, (int)points[1], 0, (int)points[2]});
    }

    /* Makes it a set of these rows, without points. */
    void clear(const size_t points[3], const row_window &of)
    {
        y_first = of.y0;
        z_first = of.z0;
        ny = of.y1 - of.y0;
        nz = of.z1 - of.z0;
        words = (points[0] + 63) / 64;
        last = mask_of(0, (int)((points[0] - 1) % 64) + 1);
        bits.assign(words * (size_t)ny * (size_t)nz, 0);
    }

    /* Points x0 .. x1 - 1 of a row. */
    void add(int x0, int x1, int y, int z)
    {
        each_word(x0, x1, y, z, [](uint64_t &word, uint64_t mask) { word |= mask; });
    }

    void remove(int x0, int x1, int y, int z)
    {
        each_word(x0, x1, y, z, [](uint64_t &word, uint64_t mask) { word &= ~mask; });
    }

    /* Calls with the x of each point of the set in a row. */
    template <typename CALL> void each(int y, int z, CALL call) const
    {
        const uint64_t *row = row_of(y, z);
        for (size_t i = 0; i < words; i++)
            for (uint64_t word = row[i]; word; word &= word - 1)
                call((int)(64 * i) + __builtin_ctzll(word));
    }

    void keep_only(const point_set &other)
    {
        each_bits([&](size_t i) { bits[i] &= other.bits[i]; });
    }

    void drop(const point_set &other)
    {
        each_bits([&](size_t i) { bits[i] &= ~other.bits[i]; });
    }

    void add(const point_set &other)
    {
        each_bits([&](size_t i) { bits[i] |= other.bits[i]; });
    }

    /* Adds all points within `reach` links of the set: links along the axes, or along the diagonals of faces, too. */
    void widen(int reach, bool diagonals)
    {
        for (int i = 0; i < reach; i++)
            widen_by_one(diagonals);
    }

    bool has(int x, int y, int z) const
    {
        return row_of(y, z)[x / 64] >> (x % 64) & 1;
    }

    /* Shrinks b to the bounding box of the set's points in it; false when there are none. */
    bool shrink(box &b) const
    {
        box found = {{b.high[0], b.high[1], b.high[2]}, {b.low[0], b.low[1], b.low[2]}};
        for (int z = b.low[2]; z < b.high[2]; z++)
            for (int y = b.low[1]; y < b.high[1]; y++) {
                int first = b.high[0], last = b.low[0];
                const uint64_t *row = row_of(y, z);
                for (int x = b.low[0]; x < b.high[0]; x = (x / 64 + 1) * 64) {
                    const uint64_t word = row[x / 64] & mask_of(x, std::min((x / 64 + 1) * 64, b.high[0]));
                    if (!word)
                        continue;
                    first = std::min(first, x / 64 * 64 + __builtin_ctzll(word));
                    last = x / 64 * 64 + 64 - __builtin_clzll(word);
                }
                if (first >= last)
                    continue;
                const int from[3] = {first, y, z}, to[3] = {last, y + 1, z + 1};
                for (int axis = 0; axis < 3; axis++) {
                    found.low[axis] = std::min(found.low[axis], from[axis]);
                    found.high[axis] = std::max(found.high[axis], to[axis]);
                }
            }
        b = found;
        return found.low[0] < found.high[0];
    }

  private:
    template <typename CHANGE> void each_bits(CHANGE change)
    {
        const size_t part = (size_t)1 << 16;
        in_parallel((bits.size() + part - 1) / part, 1, [&](size_t k) {
            for (size_t i = k * part; i < std::min((k + 1) * part, bits.size()); i++)
                change(i);
        });
    }

    /* The points of a row and their neighbours in it, and those that are joined to the row from others. */
    static void widen_row(uint64_t *out, const uint64_t *row, const uint64_t *others, size_t words, uint64_t last)
    {
        const size_t end = words - 1;
        for (size_t i = 1; i < end; i++)
            out[i] = others[i] | row[i] | row[i] << 1 | row[i] >> 1 | row[i - 1] >> 63 | row[i + 1] << 63;
        out[0] = others[0] | row[0] | row[0] << 1 | row[0] >> 1 | (end ? row[1] << 63 : 0);
        if (end)
            out[end] = others[end] | row[end] | row[end] << 1 | row[end] >> 1 | row[end - 1] >> 63;
        out[end] &= last;
    }

    void widen_by_one(bool diagonals)
    {
        const size_t plane = words * (size_t)ny, grain = 1 + ((size_t)1 << 14) / plane;
        old.resize(bits.size());
        old.swap(bits);
        none.assign(words, 0);
        const auto row_at = [&](int y, int z) {
            return y < 0 || y >= ny || z < 0 || z >= nz ? none.data()
                                                        : old.data() + (size_t)z * plane + (size_t)y * words;
        };
        const auto make = [&] { return std::vector<uint64_t>(2 * words); };
        in_parallel_with((size_t)nz, grain, make, [&](std::vector<uint64_t> &own, size_t at) {
            const int z = (int)at;
            uint64_t *row = own.data(), *others = row + words;
            for (int y = 0; y < ny; y++) {
                const uint64_t *here = row_at(y, z), *front = row_at(y - 1, z), *back = row_at(y + 1, z),
                               *below = row_at(y, z - 1), *above = row_at(y, z + 1);
                uint64_t *out = bits.data() + at * plane + (size_t)y * words;
                if (!diagonals) {
                    for (size_t i = 0; i < words; i++)
                        others[i] = front[i] | back[i] | below[i] | above[i];
                    widen_row(out, here, others, words, last);
                    continue;
                }
                const uint64_t *a = row_at(y - 1, z - 1), *b = row_at(y + 1, z - 1), *c = row_at(y - 1, z + 1),
                               *d = row_at(y + 1, z + 1);
                for (size_t i = 0; i < words; i++) { /* the diagonals along x are neighbours in x of these */
                    row[i] = here[i] | front[i] | back[i] | below[i] | above[i];
                    others[i] = a[i] | b[i] | c[i] | d[i];
                }
                widen_row(out, row, others, words, last);
            }
        });
    }

    template <typename CHANGE> void each_word(int x0, int x1, int y, int z, CHANGE change)
    {
        uint64_t *row = row_of(y, z);
        while (x0 < x1) {
            const int end = std::min((x0 / 64 + 1) * 64, x1);
            change(row[x0 / 64], mask_of(x0, end));
            x0 = end;
        }
    }
    /* Points x0 .. x1 - 1 within one 64-bit word. */
    static uint64_t mask_of(int x0, int x1)
    {
        return (x1 - x0 == 64 ? ~(uint64_t)0 : ((uint64_t)1 << (x1 - x0)) - 1) << (x0 % 64);
    }
    size_t place_of(int y, int z) const
    {
        return ((size_t)(z - z_first) * (size_t)ny + (size_t)(y - y_first)) * words;
    }
    uint64_t *row_of(int y, int z)
    {
        return bits.data() + place_of(y, z);
    }
    const uint64_t *row_of(int y, int z) const
    {
        return bits.data() + place_of(y, z);
    }

    int y_first = 0, z_first = 0, ny = 0, nz = 0; /* rows that it has */
    size_t words = 0;
    uint64_t last = 0;                     /* mask of the points in a row's last word */
    std::vector<uint64_t> bits, old, none; /* the latter two while it widens: kept, as sets are used again */
};

#endif
