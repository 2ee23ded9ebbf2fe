/* SPDX-License-Identifier: MIT */
/* Places the receivers of a map on a lattice in the air of its plane. */
#ifndef AULA_PRESENT_FILM_MAP_PLACES_H
#define AULA_PRESENT_FILM_MAP_PLACES_H

#include "present/film/map.h"

/* Fills in map->wish.at, wish.spacing, count, place, step, index, places and place_count, on the grid of the room
 * without its own receivers, which may affect the grid. */
int map_places_find(struct map *map, const struct room *room, struct error *e);

#endif
