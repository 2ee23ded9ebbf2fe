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

/* One bit for each point of the grid. */
class point_set
{
  public:
    explicit point_set(const size_t points[3])
        : ny((int)points[1]), nz((int)points[2]), words((points[0] + 63) / 64),
          last(mask_of(0, (int)((points[0] - 1) % 64) + 1)), bits(words * points[1] * points[2], 0)
    {
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
    /* A word of a plane and its neighbours: in its row, along both axes, and along the diagonals, too. */
    uint64_t in_row(const uint64_t *plane, int y, size_t i) const
    {
        const uint64_t *at = plane + (size_t)y * words + i;
        return *at | *at << 1 | *at >> 1 | (i ? at[-1] >> 63 : 0) | (i + 1 < words ? at[1] << 63 : 0);
    }
    uint64_t in_cross(const uint64_t *plane, int y, size_t i) const
    {
        const uint64_t *at = plane + (size_t)y * words + i;
        return in_row(plane, y, i) | (y ? *(at - words) : 0) | (y + 1 < ny ? at[words] : 0);
    }
    uint64_t in_square(const uint64_t *plane, int y, size_t i) const
    {
        return in_row(plane, y, i) | (y ? in_row(plane, y - 1, i) : 0) | (y + 1 < ny ? in_row(plane, y + 1, i) : 0);
    }

    template <typename CHANGE> void each_bits(CHANGE change)
    {
        const size_t part = (size_t)1 << 16;
        in_parallel((bits.size() + part - 1) / part, 1, [&](size_t k) {
            for (size_t i = k * part; i < std::min((k + 1) * part, bits.size()); i++)
                change(i);
        });
    }

    void widen_by_one(bool diagonals)
    {
        const size_t plane = words * (size_t)ny;
        const std::vector<uint64_t> old(bits), none(plane, 0);
        in_parallel((size_t)nz, 1 + ((size_t)1 << 14) / plane, [&](size_t z) {
            const uint64_t *here = old.data() + z * plane, *before = z ? here - plane : none.data(),
                           *after = z + 1 < (size_t)nz ? here + plane : none.data();
            uint64_t *out = bits.data() + z * plane;
            for (int y = 0; y < ny; y++)
                for (size_t i = 0; i < words; i++) {
                    const size_t at = (size_t)y * words + i;
                    const uint64_t wide = diagonals
                                              ? in_square(here, y, i) | in_cross(before, y, i) | in_cross(after, y, i)
                                              : in_cross(here, y, i) | before[at] | after[at];
                    out[at] = i + 1 < words ? wide : wide & last;
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
    uint64_t *row_of(int y, int z)
    {
        return bits.data() + ((size_t)z * (size_t)ny + (size_t)y) * words;
    }
    const uint64_t *row_of(int y, int z) const
    {
        return bits.data() + ((size_t)z * (size_t)ny + (size_t)y) * words;
    }

    const int ny, nz;
    const size_t words;
    const uint64_t last; /* mask of the points in a row's last word */
    std::vector<uint64_t> bits;
};

#endif
