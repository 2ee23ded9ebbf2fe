/* SPDX-License-Identifier: MIT */
/* The result of a search for places as a picture, CSV, JSON and a file of filters. */
#ifndef AULA_PRESENT_PLACE_FILES_H
#define AULA_PRESENT_PLACE_FILES_H

#include <stdio.h>

#include "render/place/place.h"

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

#endif
