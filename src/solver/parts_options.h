/* SPDX-License-Identifier: MIT */
/* How a grid is cut into parts, each stepped by a solver of its own (solver/parts/), and what that takes. Members of
 * struct solver_options and struct solver_plan. */
#ifndef AULA_SOLVER_PARTS_OPTIONS_H
#define AULA_SOLVER_PARTS_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct transport; /* base/transport/transport.h */

/* How a part takes halos of its neighbours, where its engine has halos of its own. */
enum halo_way {
    HALOS_READ,   /* it reads their memory */
    HALOS_LINKED, /* links bring them into its own */
    HALOS_STAGED  /* they pass through the host's memory */
};

/* Zeroed: the grid is not cut. */
struct parts_options {
    int count;                   /* of parts; 0, 1: the grid is not cut */
    int halo;                    /* steps between two exchanges; 0: what suits */
    struct transport *transport; /* to parts that are there already, which `count` follows; NULL: they are threads */
    bool through_host;           /* halos of processes, though links between their devices could pass them */
    enum halo_way way;           /* of a part */
};

/* Zero where the grid is not cut. Else the bytes of struct solver_plan are of all parts in this process, or of the
 * largest where each has its own. */
struct parts_plan {
    int count;
    int halo;                               /* planes of each side, and steps between two exchanges */
    uint64_t halo_bytes;                    /* sent across a cut in an exchange, each way */
    char halo_path[192];                    /* how halos pass from part to part, and why so */
    bool linked;                            /* by links between devices of processes */
    uint64_t largest_bytes, largest_points; /* of the largest part; points of air that it steps, its halos' included */
};

#endif
