/* SPDX-License-Identifier: MIT */
/* Places for subwoofers: every seat is a source and every candidate a receiver, by reciprocity; one run a seat. */
#ifndef AULA_PRESENT_PLACE_PLACE_H
#define AULA_PRESENT_PLACE_PLACE_H

#include <stdio.h>

#include "dsp/place/equaliser.h"
#include "dsp/place/search.h"
#include "present/place/pairs.h"
#include "present/place/points.h"
#include "present/place/wall_areas.h"
#include "render/watch.h"
#include "room/grid/model.h"

enum { PLACE_SEATS_MAX = 32, PLACE_CANDIDATES_MAX = 2000, PLACE_FILTERS = 8 };

struct place_wish {
    const char *seats;      /* NULL: all omnidirectional receivers */
    const char *candidates; /* NULL: a grid */
    double clearance;       /* m, from walls and objects */
    double low, high;       /* Hz */
    double max_frequency;   /* Hz: of the grid; 0: the room's, but 700 Hz at most where that holds the band */
    struct place_search search;
    double boost; /* dB, of the equaliser */
    bool walls;   /* rank areas of the walls */
    int facing;   /* of a pair of loudspeakers: index of place_facings; -1: subs, with the search */
};

struct place {
    struct place_wish wish;
    struct place_points seats;                 /* of a pair: its own alone */
    struct place_points listeners, candidates; /* listeners: of a pair, all that were compared */
    struct place_bands bands;
    double *values; /* of transfers */
    struct place_transfers transfers;
    struct place_found found;
    struct place_set winner; /* found.sets[0] */
    double *levels;          /* [seats][bands], dB: of the winner, from the runs of the seats */
    double *direct;          /* the same, from runs of its subs */
    double *mean;            /* [bands], dB: |H|² averaged over the seats */
    double difference;       /* dB: largest between levels and direct */
    struct equaliser equaliser;
    struct wall_areas walls; /* by rising change of the spread */
    double spacing, valid;   /* m, Hz: of the grid */
    double seconds;          /* of the responses */
    double tail;             /* dB: energy of the last tenth of the loudest ending over that of the response */
};

/* Runs, searches, checks the winner by runs of its own, and fits the equaliser. ERROR_USAGE with option and remedy,
 * ERROR_INPUT, ERROR_MEMORY, ERROR_STOPPED. Zero *place first; call place_free also after an error. */
int place_make(struct place *place, const struct place_wish *wish, const struct room *room,
               const struct solver_options *choice, const struct watch *watch, struct error *e);
void place_free(struct place *place);

struct place_files {
    const char *picture; /* SVG; NULL: none, as the others */
    const char *csv;     /* all sets that were kept, a row each */
    const char *equaliser;
    enum equaliser_format format;
    bool no_clobber; /* as of struct output_set */
};
int place_write(const struct place *place, const struct room *room, const struct place_files *files, struct error *e);

/* The floor as SVG: each candidate in the colour of the least spread of a set that holds it, seats, winner. */
int place_picture(FILE *stream, const struct place *place, const struct room *room, struct error *e);

/* The document of --json; NULL: out of memory (io/json_build.h). */
struct cJSON;
struct cJSON *place_json(const struct place *place, const struct room *room);

/* ms, dB: of the sub k of a set. */
double place_delay(const struct place *place, const struct place_set *set, size_t k);
double place_gain(const struct place *place, const struct place_set *set, size_t k);

#endif
