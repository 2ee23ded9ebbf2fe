/* SPDX-License-Identifier: MIT */
/* Looks up instruments by name, checks positions and events on them, and bounds their losses. */
#ifndef AULA_ROOM_INSTRUMENT_H
#define AULA_ROOM_INSTRUMENT_H

#include "room/room.h"

enum { INSTRUMENT_WHY = 256 };

#define J0_FIRST_ZERO 2.40482555769577277 /* of the Bessel function J0: the lowest mode of a round membrane */

/* Index of the instrument of this name; SIZE_MAX: there is none, and `why` is a message with the closest name. */
size_t instrument_find(const struct room *room, const char *name, char why[INSTRUMENT_WHY]);

/* Whether an event may set a pitch: by the tension of a string or membrane, by the length of a bar; not on a plate. */
bool instrument_has_pitches(const struct instrument *instrument);

/* Returns 0 if the position lies on the instrument; otherwise `why` is a message. */
int instrument_check_place(const struct instrument *instrument, const double place[2], char why[INSTRUMENT_WHY]);

/* Returns 0 if the event suits its instrument; otherwise *key names the wrong key and `why` is a
 * message about it. */
int event_check(const struct event *event, const struct instrument *played, const char **key, char why[INSTRUMENT_WHY]);

/* (k_low/k_high)² of the wavenumbers at the frequencies `low` and `high` (Hz), by tension and stiffness:
 * theory (60). The decay time at `high` is at least this times that at `low`; a shorter one would need a negative
 * loss. */
double instrument_loss_ratio(const struct instrument *instrument, double low, double high);

#endif
