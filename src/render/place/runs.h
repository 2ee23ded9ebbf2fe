/* SPDX-License-Identifier: MIT */
/* Transfer functions from omnidirectional sources to places, one wave run a source. */
#ifndef AULA_RENDER_PLACE_RUNS_H
#define AULA_RENDER_PLACE_RUNS_H

#include "dsp/place/bands.h"
#include "render/watch.h"
#include "room/grid/model.h"

/* A room of its own for the runs; borrows the walls and objects of another. */
struct place_room {
    struct room room;
    struct source *sources;
    struct receiver listeners; /* an array of all places */
};

/* The room with other sources and one array of places (both borrowed), no instruments, waves only, at the grid's rate.
 * max_frequency: of its grid, Hz; 0: as in the room. ERROR_MEMORY. Free it after failures too. */
int place_room_make(struct place_room *r, const struct room *room, double (*sources)[3], size_t source_count,
                    double (*places)[3], size_t place_count, double max_frequency, struct error *e);
void place_room_free(struct place_room *r);

struct place_runs {
    const struct place_bands *bands;
    double *values; /* [place][re, im][source][band][line]: re that of the source at 1 m in free air */
    size_t sources, places;
    double seconds;     /* of the responses */
    double tail;        /* dB: largest energy of a last tenth over that of its response */
    size_t done, total; /* runs, for the progress of the whole */
};

/* Runs all sources of the model; values [places]... must have room. ERROR_STOPPED, and the errors of the solver. */
int place_runs_make(struct place_runs *runs, const struct model *m, const struct solver_options *choice,
                    const struct watch *watch, struct error *e);

#endif
