/* Questions about instruments of a room that several stages ask. */
#ifndef AULA_ROOM_INSTRUMENT_H
#define AULA_ROOM_INSTRUMENT_H

#include "room/room.h"

enum { INSTRUMENT_WHY = 256 };

#define J0_FIRST_ZERO 2.40482555769577277 /* of the Bessel function J0: the lowest mode of a round membrane */

/* Index of the instrument of this name, or SIZE_MAX, and then `why` says so and names the closest. */
size_t instrument_find(const struct room *room, const char *name, char why[INSTRUMENT_WHY]);

/* Whether an event may give a pitch: strings and membranes by their tension, bars by their length; a plate has no such
 * handle. */
bool instrument_has_pitches(const struct instrument *instrument);

/* 0 when the place is on the instrument; else `why` says what is wrong. */
int instrument_check_place(const struct instrument *instrument, const double place[2], char why[INSTRUMENT_WHY]);

/* 0 when what the event says suits its instrument; else `why` says what is wrong with the key of that name. */
int event_check(const struct event *event, const struct instrument *played, const char **key, char why[INSTRUMENT_WHY]);

/* The ratio of how the two losses of PHYSICS.md section 3 see the frequencies `low` and `high` (Hz): (k_low/k_high)² of
 * the waves there, by stiffness and tension. At `high` a decay cannot be shorter than this times the one at `low`:
 * another would take a negative loss. */
double instrument_loss_ratio(const struct instrument *instrument, double low, double high);

#endif
