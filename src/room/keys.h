/* SPDX-License-Identifier: MIT */
/* The table of all keys of a room file. Reading, unknown keys, defaults, ranges, JSON and aula info
 * --keys all follow from it: a new key is one row in keys.c and one member of a struct. */
#ifndef AULA_ROOM_KEYS_H
#define AULA_ROOM_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "room/room.h"

/* Tag and row: type_ROW reads, writes and describes keys of this type (key_types.h). */
#define KEY_TYPES(X)                                                                                                   \
    X(GROUP, group)                 /* { }: keys of `inner`, in the same struct */                                     \
    X(LIST, list)                   /* ( { }, .. ): keys of `inner`, an array of structs */                            \
    X(DEFINITIONS, definitions)     /* { name = { }; .. }: materials, by name */                                       \
    X(CLASSES, classes)             /* { name = { }; .. }: classes of scattering, by name */                           \
    X(PRESETS, presets)             /* { name = { }; .. }: keys of `inner`, taken by items that name it */             \
    X(NUMBER, number)               /* double */                                                                       \
    X(WHOLE, whole)                 /* size_t */                                                                       \
    X(PAIR, pair)                   /* double[2] */                                                                    \
    X(PLACE, place)                 /* double[2]: on an instrument; a number alone is the first of the two */          \
    X(NOTE_NAME, note_name)         /* double, Hz, as the name of a note or its MIDI number */                         \
    X(LOGICAL, logical)             /* bool */                                                                         \
    X(CHOICE, choice)               /* enum, by its name; without a fallback CHOICE_OPEN until a check decides */      \
    X(PATTERN, pattern)             /* enum directivity, by its name, or a file, whose path is at `count` */           \
    X(INSTRUMENT, instrument)       /* size_t, index into room.instruments, given by name */                           \
    X(NAME, name)                   /* char *; the default is a letter and the number in the list */                   \
    X(TEXT, text)                   /* char * */                                                                       \
    X(PATH, path)                   /* char *, resolved against the folder of the room file */                         \
    X(POSITION, position)           /* double[3] */                                                                    \
    X(POSITIONS, positions)         /* double (*)[3], their number at `count` */                                       \
    X(ANGLES, angles)               /* double[3], degrees; left out where all are 0 */                                 \
    X(POINTS, points)               /* size_t[3] */                                                                    \
    X(CURVE, curve)                 /* struct curve: values over time */                                               \
    X(BORE, bore)                   /* double (*)[2]: distances and diameters, their number at `count` */              \
    X(HOLES, holes)                 /* double (*)[4]: tone holes, their number at `count` */                           \
    X(CORNERS, corners)             /* double (*)[2], their number at `count` */                                       \
    X(HEIGHTS, heights)             /* double *, their number at `count`; one number stands for all */                 \
    X(SIDES, sides)                 /* size_t *, indices into room.materials, their number at `count` */               \
    X(BANDS, bands)                 /* double[OCTAVE_BANDS], of the octaves that the key named by `octaves` gives */   \
    X(SPECTRUM, spectrum)           /* double[OCTAVE_BANDS] likewise; one number stands for all */                     \
    X(SCATTERING, scattering)       /* double[OCTAVE_BANDS] likewise, or the name of a class of them */                \
    X(OCTAVES, octaves)             /* centres of octave bands; read by the KEY_BANDS that names it */                 \
    X(BRANCHES, branches)           /* struct branch[BRANCHES_MAX], their number at `count` */                         \
    X(MATERIAL, material)           /* size_t, index into room.materials, given by name */                             \
    X(MATERIAL_NAME, material_name) /* name of a material, for the keys whose `instead` it is */                       \
    X(NOTE, note)                   /* free text: checked, but not stored */                                           \
    X(SPAN, span)                   /* two numbers for the reader: checked, but not stored */

enum key_type_tag {
#define X(tag, row) KEY_##tag,
    KEY_TYPES(X)
#undef X
};

#define CHOICE_OPEN ((unsigned)-1)

enum { RIVALS_MAX = 4 }; /* keys that exclude a key */

enum key_flag {
    KEY_REQUIRED = 1,  /* an error when missing; for a list, also when empty; but see `spared_by` */
    KEY_ABOVE = 2,     /* `low` itself is outside the range */
    KEY_ZERO = 4,      /* 0 may be written too, and means the default */
    KEY_OMIT_ZERO = 8, /* 0 means not given: left out of the JSON, as is a group without members */
    KEY_OPTIONAL = 16, /* a group: where it is not `given`, its keys are not read, and it is left out of the JSON */
};

struct key {
    const char *group; /* "" at the top; "sources[]" for the members of a list */
    const char *name;
    enum key_type_tag type;
    size_t offset; /* of the value in the struct of its group */
    const char *unit;
    const char *fallback; /* default, as it would be written; NULL: none */
    double low, high;     /* both 0: any finite number; high INFINITY: no upper end, but finite */
    unsigned flags;
    const char *meaning;
    const char *reason; /* why the range ends where it does */

    const char *const *choices; /* KEY_CHOICE, by the values of the enum */
    size_t choice_count;
    const char *zero;      /* a word that may be written for 0 */
    unsigned uses;         /* bit k: used when the kind of its group (signal, shape) is k; 0: always */
    unsigned forms;        /* bit f: used in a room of enum room_form f; 0: always */
    const char *needs;     /* a key of the same group without which this one is not used */
    const char *spared_by; /* a list of the same group: when it is not empty, this key is not required */
    const char *instead;   /* KEY_MATERIAL: the key of the same group that is read when this one is missing */
    const char *octaves;   /* of values by octave: the key of the same group that lists the octaves; missing: all */
    const char *unless[RIVALS_MAX + 1]; /* keys of the same group that exclude this one, NULL after the last */
    size_t given;                       /* offset of a bool: it was given; 0: none */
    size_t origin;                      /* offset of its struct origin; 0: none */

    const char *inner; /* KEY_GROUP, KEY_LIST, KEY_DEFINITIONS, KEY_CLASSES: the group inside */
    size_t count;      /* KEY_LIST, KEY_CORNERS ..: offset of the number of items; below: size, kind */
    size_t item_size;
    size_t kind;
    const char *kind_key;          /* "signal"; NULL: of one kind */
    const char *const *kind_names; /* names of the kinds */
    size_t kind_count;
    const char *preset; /* KEY_LIST: the key of an item that names its preset; NULL: none */
};

extern const struct key keys[];
extern const size_t key_count;
extern const char *const array_shape_names[];

/* The entry that applies to an item of this kind; NULL: none. */
const struct key *key_find(const char *group, const char *name, unsigned kind);
/* The list whose items are this group; NULL: none. */
const struct key *key_list_of(const char *group);
bool key_applies(const struct key *key, unsigned kind);
bool key_in_range(const struct key *key, double value); /* false for NaN */
/* "0.01 to 10000", "above 0, at most 3600"; "" for any finite number. */
void key_range_text(const struct key *key, char *text, size_t size);
const char *key_type_text(const struct key *key); /* "number", "3 numbers" */
/* The default as text; false: none, and the text is empty. */
bool key_default_text(const struct key *key, char *text, size_t size);
/* "a number in Hz", "three numbers in metres such as [3.4, 4.0, 2.8]" */
void key_expected(const struct key *key, char *text, size_t size);

#endif
