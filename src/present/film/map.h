/* SPDX-License-Identifier: MIT */
/* Maps of acoustic parameters over a plane of receivers. */
#ifndef AULA_PRESENT_FILM_MAP_H
#define AULA_PRESENT_FILM_MAP_H

#include "dsp/measure/doubts.h"
#include "dsp/measure/metrics_table.h"
#include "render/watch.h"
#include "room/grid/model.h"

enum { MAP_FIGURES_MAX = 8, MAP_PLACES_MAX = 4096 };

/* Settings of a map; map_make replaces zeros by suitable values. */
struct map_wish {
    int axis;       /* of the plane */
    double at;      /* m; NaN: 1.2 m above the floor (ISO 3382-1), or through the source along x and y */
    double spacing; /* m between receivers */
    size_t source;
    const struct metric *metric[MAP_FIGURES_MAX]; /* of band_metrics or single_metrics; none: T30, C80, G and STI */
    size_t figure_count;
    double band; /* Hz: centre of the octave for parameters by band */
};

/* Adds the parameters of a list such as "t30,c80", by their names in JSON and CSV; NULL: none. ERROR_USAGE. */
int map_wish_figures(struct map_wish *w, const char *list, struct error *e);

struct map {
    struct map_wish wish;
    size_t count[2];                       /* receivers across and up, including positions outside the air */
    double place[2];                       /* m: of the first one */
    double step[2];                        /* m */
    uint32_t *index;                       /* [count[1]][count[0]]: of a place, or SCREEN_NONE */
    double (*places)[3];                   /* [place_count], m */
    struct metrics *metrics;               /* [place_count] */
    size_t place_count, band;              /* band: index in struct metrics */
    char *note;                            /* default parameters that are missing, and why; NULL: none */
    double valid_low, valid_high, seconds; /* Hz, Hz; s: of the response */
    struct doubts doubts;                  /* why values of octaves are doubtful */
};

/* Renders the response of one source at all positions of the plane in one run and measures each. The receivers of `room`
 * are ignored. map->wish receives the actual spacing, position and parameters. ERROR_USAGE with option and remedy,
 * ERROR_INPUT, ERROR_MEMORY, ERROR_STOPPED. Zero *map first; call map_free also after an error. */
int map_make(struct map *map, const struct map_wish *w, const struct room *room, const struct solver_options *choice,
             const struct watch *watch, struct error *e);
void map_free(struct map *map);

/* In the unit of metric->text; NaN: not measured. */
double map_value(const struct map *map, size_t metric, size_t place);

/* Places at which a parameter of the map is doubtful. *found: bits of enum doubt, of all of them. STI is doubtful where one of
 * its octaves, 125 Hz to 8 kHz, is. */
size_t map_doubtful(const struct map *map, size_t metric, unsigned *found);

struct map_files {
    const char *picture;  /* PNG; NULL: none */
    size_t columns, rows; /* of it, pixels; 0: what suits */
    const char *csv;      /* NULL: none */
    bool no_clobber;      /* as of struct output_set */
};

/* The picture has a window for each parameter with its colour scale, the edges of the room and marks. The CSV has a row for
 * each position and band: x, y, z, band, all parameters, empty for NaN, and the doubts about the band. The picture is renamed first. ERROR_OUTPUT,
 * ERROR_STOPPED. */
int map_write(const struct map *map, const struct room *room, const struct map_files *files, struct error *e);

#endif
