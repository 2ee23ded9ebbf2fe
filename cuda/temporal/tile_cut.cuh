/* The cut of a room into tiles, on the host. */
#ifndef AULA_CUDA_TILE_CUT_CUH
#define AULA_CUDA_TILE_CUT_CUH

#include <vector>

#include "cuda/temporal/tile_parts.cuh"
#include "cuda/temporal/tile_plan.cuh"

struct tile_cut {
    std::vector<tile_column> columns;   /* [along][across], first points ascending both ways */
    int across, along, cluster[2];      /* tiles along x and y; of a cluster */
    int chunk;                          /* planes of a chunk */
    int slab;                           /* in place: chunks of a launch */
    std::vector<uint8_t> flags;         /* [column][nz] */
    std::vector<tile_event> events;     /* by column and plane */
    std::vector<uint32_t> first_events; /* [column][nz + 1] */
    size_t events_max;                  /* of a column */
};

/* Columns, in the clusters that are done first, with chunk and slab; none if none fits. Flags and events are not filled. */
tile_cut tile_cut_best(const struct temporal_state *t, const cuda_state *s, const struct tile_kernel *k);

/* maps: tiles with irregular points read the map; else the boundary region is stepped again elsewhere. */
void tile_cut_flag(tile_cut &cut, const struct layout *l, const struct tile_kernel *k, bool maps);

/* Every tile that makes a driven point drives it; the tile that writes a heard point hears it. In a plane drives come first. */
void tile_cut_list_events(tile_cut &cut, const cuda_state *s, const struct tile_kernel *k);

/* Planes of a launch at most. */
int tile_launch_max(const cuda_state *s, const struct tile_kernel *k);

#endif
