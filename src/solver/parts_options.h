/* SPDX-License-Identifier: MIT */
/* Options and plan for a grid in parts, each stepped by a solver of its own (solver/parts/).
 * Members of struct solver_options and struct solver_plan. */
#ifndef AULA_SOLVER_PARTS_OPTIONS_H
#define AULA_SOLVER_PARTS_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct transport; /* base/transport/transport.h */

/* How a part receives the halos of its neighbours, if its engine supports halos of its own. */
enum halo_way {
    HALOS_READ,   /* reads the neighbour's memory */
    HALOS_LINKED, /* links copy them into its own memory */
    HALOS_STAGED  /* they pass through the host's memory */
};

/* Zero-initialized: a single part. */
struct parts_options {
    int count;                   /* number of parts; 0, 1: the grid is not cut */
    int halo;                    /* steps between two exchanges; 0: automatic */
    struct transport *transport; /* to parts that already exist, and whose number is `count`; NULL: parts are threads */
    bool through_host;           /* pass halos through the host even if links between devices are available */
    enum halo_way way;           /* halo path of a part */
};

/* Zero if the grid is not cut. Otherwise the bytes of struct solver_plan cover all parts in this
 * process, or the largest part if each has a process of its own. */
struct parts_plan {
    int count;
    int halo;            /* planes on each side, equal to the number of steps between two exchanges */
    uint64_t halo_bytes; /* bytes sent across a cut per exchange in each direction */
    char halo_path[192]; /* path of halos between parts, with the reason */
    bool linked;         /* through links between devices of processes */
    uint64_t largest_bytes, largest_points; /* of the largest part; points include its halos */
};

#endif
