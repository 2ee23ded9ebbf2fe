/* SPDX-License-Identifier: MIT */
/* Where the receivers of a map are. */
#ifndef AULA_PRESENT_FILM_MAP_PLACES_H
#define AULA_PRESENT_FILM_MAP_PLACES_H

#include "present/film/map.h"

/* Fills in map->wish.at, wish.spacing, count, place, step, index, places and place_count, on the grid of the room
 * without its own receivers, which have no say. */
int map_places_find(struct map *map, const struct room *room, struct error *e);

#endif
