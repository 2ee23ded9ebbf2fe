/* SPDX-License-Identifier: MIT */
#include "room/notes.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

bool midi_note_is_valid(double number)
{
    return number >= 0 && number <= MIDI_NOTE_MAX && number == floor(number);
}

double midi_note_pitch(double number)
{
    return 440.0 * exp2((number - 69.0) / 12.0);
}

/* One or more digits, with a sign for octaves; at most two, so that nothing overflows. */
static int whole(const char *text, bool sign, int *value)
{
    const bool below = sign && *text == '-';
    size_t digits = 0;
    *value = 0;
    for (text += below; isdigit((unsigned char)*text) && digits < 3; text++, digits++)
        *value = 10 * *value + (*text - '0');
    *value = below ? -*value : *value;
    return *text || !digits;
}

int note_number(const char *text, int *number)
{
    static const int above_c[] = {['A' - 'A'] = 9, 11, 0, 2, 4, 5, 7};
    int octave;
    if (isdigit((unsigned char)*text))
        return whole(text, false, number) || *number > MIDI_NOTE_MAX;
    const int letter = toupper((unsigned char)*text);
    if (letter < 'A' || letter > 'G')
        return -1;
    *number = above_c[letter - 'A'];
    const char accidental = *++text;
    for (int max = 2; max > 0 && *text == accidental && (accidental == '#' || accidental == 'b'); max--, text++)
        *number += accidental == '#' ? 1 : -1;
    if (whole(text, true, &octave))
        return -1;
    *number += 12 * (octave + 1);
    return *number < 0 || *number > MIDI_NOTE_MAX;
}

int note_pitch(const char *text, double *pitch)
{
    int number;
    if (note_number(text, &number))
        return -1;
    *pitch = midi_note_pitch(number);
    return 0;
}
