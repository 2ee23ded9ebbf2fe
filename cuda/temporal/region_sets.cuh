/* SPDX-License-Identifier: MIT */
/* Sets of points of a room on the device, a bit a point, and lists of the vectors that hold them: what the levels of a
 * boundary region are planned with (region_levels.cuh). */
#ifndef AULA_CUDA_REGION_SETS_CUH
#define AULA_CUDA_REGION_SETS_CUH

#include <vector>

#include "cuda/step/boundary_points.cuh"
#include "cuda/step/branches.cuh"

/* Threads of a block of vectors, as many as of a block of boundary points: the same kernel steps both. */
enum { VECTOR_THREADS = BRANCH_THREADS };

/* Bricks of 32 points of so many rows and planes, a lane of a warp for each row. */
enum { BRICK_ROWS = 4, BRICK_PLANES = WARP / BRICK_ROWS };

/* Vectors of 16 bytes, brick by brick: those of a thread block share their neighbours in the first-level cache. Blocks
 * are filled up by vectors of which nothing is stepped. */
struct vector_list {
    uint32_t *vectors;               /* index in the padded grid, of vectors */
    uint8_t *masks;                  /* bit i: value i is of the set */
    uint32_t blocks, first_driven;   /* of VECTOR_THREADS vectors; from the latter on they have points with drives */
    std::vector<uint32_t> of_layers; /* [layer + 1] the first block of a layer of bricks */
};

/* A word for 32 points of a row: boundary_scan. Device memory is freed at its end, also after an exception. */
class region_sets
{
  public:
    explicit region_sets(const cuda_state *s);
    ~region_sets();
    region_sets(const region_sets &) = delete;
    region_sets &operator=(const region_sets &) = delete;

    int make(uint32_t **set, struct error *e); /* without points */

    /* Points of the air; points of its box without air; air with branches or irregular, which a temporal block takes
     * for other points; of these with branches; and points with drives. */
    void mark(const cuda_state *s, uint32_t *air, uint32_t *solid, uint32_t *wrong, uint32_t *branched,
              uint32_t *driven);

    /* Points of a set before plane `lower` and from plane `upper` on. */
    void keep_ends(const uint32_t *set, int lower, int upper, uint32_t *out);

    /* Points of `among` in a set or a link from it. */
    void widen(const uint32_t *set, const uint32_t *among, uint32_t *wider);

    void keep_both(const uint32_t *a, const uint32_t *b, uint32_t *out);
    void keep_either(const uint32_t *a, const uint32_t *b, uint32_t *out);
    void keep_first(const uint32_t *a, const uint32_t *without, uint32_t *out);

    /* driven: NULL where drives do not matter. */
    int list_vectors(vector_list *list, const uint32_t *set, const uint32_t *driven, struct error *e);

    /* On the host. */
    int read(std::vector<uint32_t> *words, const uint32_t *set, struct error *e);
    bool has(const std::vector<uint32_t> &set, uint64_t at) const;

  private:
    unsigned blocks() const;

    boundary_scan scan;
    uint64_t words;
    int values; /* of a vector */
    bool diagonals;
    std::vector<uint32_t *> sets;
    uint64_t *by_brick = nullptr;
};

void vector_list_drop(vector_list *list);

#endif
