/* What the files of this folder share while a room file is read. */
#ifndef AULA_ROOM_READER_H
#define AULA_ROOM_READER_H

#include <libconfig.h>

#include "base/complaints.h"
#include "base/text.h"
#include "room/keys.h"
#include "room/room.h"

/* In a group { }: libconfig looks through all of them for each that it adds. */
enum { KEYS_MAX = 4096 };

/* A file of definitions that ships with aula, read once it is needed. */
struct library {
    const char *name;  /* "rooms/materials.cfg" */
    const char *group; /* "materials": the group of that name in it, or all of it */
    config_t config;
    bool read;
    char *path;
};

/* A file that the room file includes. */
struct inclusion {
    char *path;
    int line; /* of the room file, whatever stands between */
};

struct reader {
    struct room *room;
    char *folder; /* of the room file: @include and sound files are named relative to it */
    config_t config;
    struct library materials, instruments;
    const config_setting_t *definition; /* of the material that is being read; NULL: none */
    struct error *error;
    struct inclusion *inclusions;
    size_t inclusion_count;
    struct complaints complaints;      /* mistakes that did not keep the rest from being read */
    struct origin refused;             /* where the last mistake is; file NULL: not known */
    const void *wrong[COMPLAINTS_MAX]; /* items of lists with a mistake in them */
    size_t wrong_count;
};

/* unknown_keys.c: keys that a mistake was about already, such as what an unknown one was taken for */
enum { MEANT_MAX = 8 };
struct meant {
    const char *names[MEANT_MAX];
    size_t count;
};

/* A group that is being read. */
struct place {
    const char *group;
    const config_setting_t *setting; /* NULL: the group is not in the file, every key takes its default */
    char *base;                      /* the struct of this group */
    const struct key *list;          /* the list it is an item of, or NULL */
    size_t number;                   /* its index there */
    const config_setting_t *preset;  /* what an item of a list takes the keys from that it does not give; NULL: none */
    const config_setting_t *around;  /* the closest setting there is, for messages about what is missing */
    struct meant meant;
};

/* origin.c: where things were said, and messages about them */
const char *reader_keep(struct reader *r,
                        const char *text); /* a copy that lives as long as the room; NULL: no memory */
struct origin reader_origin(struct reader *r, const config_setting_t *setting);
/* "sources[0].position" of a setting, or of its member; from below `top` on, NULL: from the root. */
void setting_path(const config_setting_t *setting, const config_setting_t *top, const char *member, char *text,
                  size_t size);
/* Fails with "file:line: key: ...", inside a definition with "file:line: material NAME: key: ..."; `member` (may be
 * NULL) is a key that is missing in the group `setting`. */
int reader_refuse(struct reader *r, const config_setting_t *setting, const char *member, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
int reader_refuse_at(struct reader *r, const struct origin *origin, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int reader_no_memory(struct reader *r);
/* Keeps what was just refused, to be told with the others. false: that was no mistake in the file, or there are too many
 * of them: give up. */
bool reader_goes_on(struct reader *r);
/* An item of a list (in its array) of which something is wrong: nothing that follows from it is to be told too. */
void reader_mark_wrong(struct reader *r, const void *item);
bool reader_found_wrong(const struct reader *r, const void *item);
/* -1 with all that was kept and with what ended the reading (`status` not 0), or 0. */
int reader_tell(struct reader *r, int status);

/* load.c: a room file into a tree */
int load_file(struct reader *r, config_t *config, const char *path, const char *folder);
/* config_read_string, which leaves the thread in the locale of the program, whatever its own was: that is put back. */
bool parse_text(config_t *config, const char *text);

/* scan.c: reads a file and refuses what libconfig would misread or never be done with, in included files too */
int scan_room_file(struct reader *r, const char *path, const char *folder, char **text);
bool text_is_json(const char *text);
const char *text_after_mark(const char *text); /* some editors put a byte order mark before it */
/* The same look at one line that came from elsewhere, called `name` in messages. */
int check_text(struct reader *r, const char *name, const char *text);

/* library.c: the group of definitions of a library, and what the room file defines itself under the same name */
void library_init(struct library *l, const char *name, const char *group);
int library_open(struct reader *r, struct library *l, const config_setting_t **group);
void library_free(struct library *l);
const config_setting_t *own_definitions(const struct reader *r, const struct library *l); /* NULL: none */

/* json_read.c: a JSON text into the same kind of tree */
int load_json(struct reader *r, config_t *config, const char *path, const char *text);

/* settings.c: one "key.path=value" of --set */
int apply_setting(struct reader *r, const char *text);

/* values.c: values of any of libconfig's types */
const config_setting_t *member_of(const config_setting_t *group, const char *name); /* NULL-safe */
bool number_of(const config_setting_t *setting, double *value);                     /* however it is written */
bool is_sequence(const config_setting_t *setting);                                  /* [ ] or ( ) */
int refuse_type(struct reader *r, const struct key *key, const config_setting_t *setting);
int check_range(struct reader *r, const struct key *key, const config_setting_t *setting, double value);
int read_number(struct reader *r, const struct key *key, const config_setting_t *setting, double *value);
int read_text(struct reader *r, const struct key *key, const config_setting_t *setting, const char **text);
int keep_text(struct reader *r, char *text, char **target); /* takes fresh memory, NULL when there was none */

/* unknown_keys.c: members of a group that are no keys of it, or not of its kind. Refuses and keeps them; -1: give up. */
void meant_add(struct meant *meant, const char *name);
bool meant_has(const struct meant *meant, const char *name);
int refuse_unknown_members(struct reader *r, const char *group, const config_setting_t *setting, struct meant *meant);
int refuse_unused_members(struct reader *r, const struct key *list, unsigned kind, const config_setting_t *setting);

/* parse.c: a group by the table of keys. 0, whatever was refused and kept; -1: give up. */
int read_place(struct reader *r, struct place *place);
void read_item_name(struct reader *r, struct place *place); /* of an item of which nothing else can be read */
bool is_spared(const struct place *place,
               const struct key *key); /* a list that spares the key is there and not empty */
/* For a required list that is not there, when the one that would spare it is there and empty: a piece that plays nothing. */
bool spare_is_empty(const struct place *place, const struct key *key);

/* materials.c */
int material_use(struct reader *r, const config_setting_t *setting, const char *name, size_t *index);
int material_check_name(struct reader *r, const config_setting_t *setting, const char *name);
int materials_check(struct reader *r, const config_setting_t *group); /* all that the room file defines */
int materials_all(struct reader *r);                                  /* takes every one of the library into the room */
void material_clear(struct material *material);

/* presets.c: the preset that an item names under `key`; *preset stays NULL when it names none */
int preset_find(struct reader *r, const config_setting_t *item, const char *key, const config_setting_t **preset);
/* The text of a room with every preset of the library, in place of a file. */
int presets_all(struct reader *r);
/* Index of an instrument that was read, by its name. */
int instrument_use(struct reader *r, const config_setting_t *setting, const char *name, size_t *index);

/* check_instruments.c: the same for instruments, pickups and events */
int check_instruments(struct reader *r);

/* check.c: what concerns more than one key. Refuses and keeps; -1: give up. */
int check_room(struct reader *r);

/* names.c */
struct named {
    const char *name; /* NULL: none */
    const struct origin *origin;
    const void *item; /* of the array it is in */
};
/* Names in an array of the file: letters that suit, each taken once. `in_file_names`: they become parts of file names.
 * Refuses and keeps; -1: give up. */
int check_names(struct reader *r, const char *what, bool in_file_names, const struct named *given, size_t count);

#endif
