/* SPDX-License-Identifier: MIT */
/* Names and numbers of notes: equal temperament, A4 = 440 Hz = MIDI note 69, C4 is the middle C. */
#ifndef AULA_ROOM_NOTES_H
#define AULA_ROOM_NOTES_H

#include <stdbool.h>

enum { MIDI_NOTE_MAX = 127, MIDI_CHANNELS = 16 };

bool midi_note_is_valid(double number);          /* whole, 0 to 127 */
double midi_note_pitch(double number);           /* Hz */
int note_number(const char *text, int *number);  /* "C#4", "Bb3", "a4", "60"; 0: a MIDI note */
int note_pitch(const char *text, double *pitch); /* Hz; returns as note_number */

#endif
