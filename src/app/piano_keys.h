/* SPDX-License-Identifier: MIT */
/* The keys of a computer as those of a piano: two rows of white keys, each with its black ones above. */
#ifndef AULA_APP_PIANO_KEYS_H
#define AULA_APP_PIANO_KEYS_H

/* Semitones above the lowest key, z; -1: the key plays no note. */
int piano_key(int key);

#endif
