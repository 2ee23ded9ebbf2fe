/* SPDX-License-Identifier: MIT */
/* Places for subwoofers: every seat is a source and every candidate a receiver, by reciprocity; one run a seat. */
#ifndef AULA_RENDER_PLACE_PLACE_H
#define AULA_RENDER_PLACE_PLACE_H

#include "dsp/place/equaliser.h"
#include "dsp/place/search.h"
#include "render/place/pairs.h"
#include "render/place/points.h"
#include "render/place/wall_areas.h"
#include "render/watch.h"
#include "room/grid/model.h"

enum { PLACE_SEATS_MAX = 32, PLACE_CANDIDATES_MAX = 2000, PLACE_FILTERS = 8 };

/* Of aula place where nothing else is asked for: Hz, Hz, m, ms, dB, dB. */
#define PLACE_LOW 20.0
#define PLACE_HIGH 150.0
#define PLACE_CLEARANCE 0.25
#define PLACE_DELAY 20.0
#define PLACE_GAIN (-6.0)
#define PLACE_BOOST 3.0

struct place_wish {
    const char *seats;      /* NULL: all omnidirectional receivers */
    const char *candidates; /* NULL: a grid */
    double clearance;       /* m, from walls and objects */
    double low, high;       /* Hz: of the band */
    double max_frequency;   /* Hz: of the grid; 0: the room's, but 700 Hz at most where that holds the band */
    struct place_search search;
    double boost; /* dB, of the equaliser */
    bool walls;   /* rank areas of the walls */
    int facing;   /* of a pair of loudspeakers: index of place_facings; -1: subs, with the search */
};

/* What a user may choose of the search. */
struct place_limits {
    double subs;  /* 1 to PLACE_SUBS_MAX; not of a pair */
    double delay; /* ms: the longest */
    double gain;  /* dB: the lowest */
    bool equal;   /* the same signal from all subs, without delays, gains and polarity */
};

/* Fills wish->search, and checks limits, clearance, band, boost and max_frequency; `facing` is set. ERROR_USAGE names
 * the option of aula place. */
int place_wish_set(struct place_wish *wish, const struct place_limits *limits, struct error *e);

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

/* Adds lines about what is in doubt: levels that direct runs do not confirm, responses that end before they have
 * decayed, sets that were not scored one by one. ERROR_MEMORY. */
int place_doubts(char ***lines, size_t *count, const struct place *place, struct error *e);

/* ms, dB: of the sub k of a set. */
double place_delay(const struct place *place, const struct place_set *set, size_t k);
double place_gain(const struct place *place, const struct place_set *set, size_t k);

#endif
