/* SPDX-License-Identifier: MIT */
/* The state of reading a room file, and the functions that the files of this folder share. */
#ifndef AULA_ROOM_READER_H
#define AULA_ROOM_READER_H

#include <libconfig.h>

#include "base/diagnostics.h"
#include "base/text.h"
#include "room/keys.h"
#include "room/room.h"

/* Of a group { }: libconfig compares each key with all before it. */
enum { KEYS_MAX = 4096 };

/* A file of definitions supplied with aula, read on first use. */
struct library {
    const char *name;  /* "rooms/materials.cfg" */
    const char *group; /* "materials": the group of that name in it, or all of it */
    config_t config;
    bool read;
    char *path;
    const char *adopted; /* its path as the file of definitions that the room has adopted; NULL: of none */
};

/* A file that the room file includes. */
struct inclusion {
    char *path;
    int line; /* of the room file, for nested inclusions too */
};

struct reader {
    struct room *room;
    char *folder;        /* of the room file: @include and sound files are named relative to it */
    char *former_folder; /* of the JSON that a render wrote, where it wrote it; NULL: not known */
    config_t config;
    struct library materials, instruments;
    const config_setting_t *definition; /* of the material that is being read; NULL: none */
    struct error *error;
    struct inclusion *inclusions;
    size_t inclusion_count;
    struct diagnostics diagnostics;    /* mistakes after which reading went on */
    const char *setting_origin;        /* of the setting that is being applied; NULL: --set */
    bool unplaced;                     /* sources and receivers may be anywhere */
    struct origin refused;             /* where the last mistake is; file NULL: not known */
    const void *wrong[COMPLAINTS_MAX]; /* items of lists with a mistake in them */
    size_t wrong_count;
};

/* unknown_keys.c: keys that a reported mistake is about, such as the closest one to an unknown key */
enum { MEANT_MAX = 8 };
struct meant {
    const char *names[MEANT_MAX];
    size_t count;
};

/* A group while it is read. */
struct place {
    const char *group;
    const config_setting_t *setting; /* NULL: the group is not in the file, every key takes its default */
    char *base;                      /* the struct of this group */
    const struct key *list;          /* the list it is an item of, or NULL */
    size_t number;                   /* its index there */
    const config_setting_t *preset;  /* source of keys that an item of a list does not give; NULL: none */
    const config_setting_t *around;  /* the nearest setting that exists, for messages about missing keys */
    struct meant meant;
};

/* room.c: opens and closes a reader of the file `path`. Close it after any failure, too. */
int reader_open(struct reader *r, const char *path, struct error *e);
void reader_close(struct reader *r);

/* origin.c: origins of settings, and messages that name them */
const char *reader_keep(struct reader *r,
                        const char *text); /* a copy that lives as long as the room; NULL: no memory */
struct origin reader_origin(struct reader *r, const config_setting_t *setting);
/* "sources[0].position": path of a setting, or of its `member` (may be NULL), below `top` (NULL: the root). */
void setting_path(const config_setting_t *setting, const config_setting_t *top, const char *member, char *text,
                  size_t size);
/* Fails with "file:line: key: ...", inside a definition with "file:line: material NAME: key: ..."; `member` (may be
 * NULL) is a key that is missing in the group `setting`. */
int reader_refuse(struct reader *r, const config_setting_t *setting, const char *member, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
int reader_refuse_at(struct reader *r, const struct origin *origin, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int reader_no_memory(struct reader *r);
/* Keeps the last refusal, to be reported with the others. false: stop reading (no mistake of the file, or too many). */
bool reader_goes_on(struct reader *r);
/* Marks an item of a list (in its array), or the key of an optional group, as wrong: mistakes that follow from it are
 * not reported. */
void reader_mark_wrong(struct reader *r, const void *item);
bool reader_found_wrong(const struct reader *r, const void *item);
/* 0, or -1 with all refusals that were kept and the one that ended the reading (`status` not 0). */
int reader_tell(struct reader *r, int status);

/* load.c: a room file into a tree */
int load_file(struct reader *r, config_t *config, const char *path, const char *folder);
/* The same of a text; `name` stands for its path. */
int load_text(struct reader *r, config_t *config, const char *name, const char *folder, const char *text);
/* config_read_string, and restores the thread's locale, which libconfig replaces by that of the program. */
bool parse_text(config_t *config, const char *text);

/* scan.c: reads a file and all that it includes into *x, and refuses text that libconfig would misread or not finish;
 * free x after a failure too */
struct expansion;
int scan_room_file(struct reader *r, const char *path, const char *folder, struct expansion *x);
int scan_room_text(struct reader *r, const char *name, const char *folder, const char *text, struct expansion *x);
const char *text_after_mark(const char *text); /* skips a byte order mark */
/* The same checks for a line that is in no file; messages call it `name`. */
int check_text(struct reader *r, const char *name, const char *text);

/* library.c: the group of definitions of a library, and that of the same name in the room file */
void library_init(struct library *l, const char *name, const char *group);
int library_open(struct reader *r, struct library *l, const config_setting_t **group);
/* Before a key of a definition is set: one that the file lacks and a library has becomes the file's own. *unused:
 * nothing of this file would read it. */
int library_adopt(struct reader *r, const char *group, const char *name, const char *key, bool *unused);
bool is_of_library(const struct library *l, const config_setting_t *setting); /* adopted, or in it */
void library_free(struct library *l);
const config_setting_t *own_definitions(const struct reader *r, const struct library *l); /* NULL: none */

/* json.c: loads a JSON text into the same kind of tree */
int load_json(struct reader *r, config_t *config, const char *path, const char *text);

/* settings.c: the value of a setting, of its type, for an empty one of the same type; -1: no memory */
int copy_value(config_setting_t *target, const config_setting_t *from);
/* and one "key.path=value" of --set, or of a plan, at `origin` in it (NULL: of --set) */
int apply_setting(struct reader *r, const char *text, const char *origin);

/* unknown_keys.c: keys by their names in the previous release. Returns the current name of the
 * group at the start of a path, and the length of its former name; NULL: the name is not a former
 * one. */
const char *former_key(const char *path, size_t *length);
void former_keys_found(struct reader *r, const struct origin *origin); /* the first of them is the room's */
/* Of the tree that was loaded. Refuses a group under both names. */
int former_keys_rename(struct reader *r);

/* values.c: values of any of libconfig's types */
const config_setting_t *member_of(const config_setting_t *group, const char *name); /* NULL-safe */
bool number_of(const config_setting_t *setting, double *value);                     /* integer or decimal */
bool is_sequence(const config_setting_t *setting);                                  /* [ ] or ( ) */
int refuse_type(struct reader *r, const struct key *key, const config_setting_t *setting);
int refuse_length(struct reader *r, const struct key *key, const config_setting_t *list,
                  size_t count); /* not `count` */
int check_range(struct reader *r, const struct key *key, const config_setting_t *setting, double value);
int read_number(struct reader *r, const struct key *key, const config_setting_t *setting, double *value);
int read_text(struct reader *r, const struct key *key, const config_setting_t *setting, const char **text);
int keep_text(struct reader *r, char *text, char **target); /* takes the text; NULL: out of memory */

/* unknown_keys.c: members of a group that are no keys of it, or not of its kind. Refuses and keeps them; -1: stop
 * reading. */
void meant_add(struct meant *meant, const char *name);
bool meant_has(const struct meant *meant, const char *name);
int refuse_unknown_members(struct reader *r, const char *group, const config_setting_t *setting, struct meant *meant);
int refuse_unused_members(struct reader *r, const struct key *list, unsigned kind, const config_setting_t *setting);

/* parse.c: reads a group by the table of keys. 0, also with mistakes kept; -1: stop reading. */
int read_place(struct reader *r, struct place *place);
void read_item_name(struct reader *r, struct place *place);            /* of an item whose other keys cannot be read */
bool is_spared(const struct place *place, const struct key *key);      /* spared_by is given and not empty */
bool spare_is_empty(const struct place *place, const struct key *key); /* spared_by is given and empty */

/* materials.c */
int material_use(struct reader *r, const config_setting_t *setting, const char *name, size_t *index);
int material_check_name(struct reader *r, const config_setting_t *setting, const char *name);
int materials_check(struct reader *r, const config_setting_t *group); /* all of the room file */
int materials_all(struct reader *r);                                  /* adds all of the library to the room */
void material_clear(struct material *material);

/* layers.c: checks the layers of a material and reads their tables. */
int material_layers_make(struct reader *r, const config_setting_t *definition, struct material *material);
void material_layers_free(struct material *material);
void materials_set_air(struct room *room); /* of all layers, once the room is read */

/* materials.c: names of all materials (built in, of the room file, and of the library if it can be
 * read), and the synonyms of the library. They live as long as the reader. */
struct material_words {
    const char **names; /* [count] */
    size_t count;
    struct synonym *aliases; /* ends with word NULL */
};
int material_words_list(struct material_words *w, struct reader *r);
void material_words_free(struct material_words *w);

/* scattering.c: classes of scattering */
void scattering_class_clear(struct scattering_class *c);
int scattering_classes_all(struct reader *r); /* adds all of the library to the room */

/* library.c: finds the preset that an item names under `key`; *preset stays NULL if it names none */
int preset_find(struct reader *r, const config_setting_t *item, const char *key, const config_setting_t **preset);
/* Parses a room that contains every preset of the library, in place of a file. */
int presets_all(struct reader *r);
/* Index of an instrument that was read before, by its name. */
int instrument_use(struct reader *r, const config_setting_t *setting, const char *name, size_t *index);

/* check_instruments.c: instruments, pickups and events; as check_room */
int check_instruments(struct reader *r);

/* check.c: conditions on several keys. Refuses and keeps; -1: stop reading. */
int check_room(struct reader *r);

/* plan.c: a floor plan that crosses itself, of the room or of an object called `what`; the room's own, which is then
 * cut into triangles and gives lower and size. */
int refuse_floor_plan(struct reader *r, const struct origin *origin, const char *what, const double (*corners)[2],
                      size_t count);
int check_plan(struct reader *r);

/* geometry.c: reads the model, with its materials, and gives lower and size */
int read_geometry(struct reader *r);

/* receivers.c: the places of an array; nothing for other receivers */
int receiver_make_places(struct reader *r, size_t index, struct receiver *receiver);

/* sources.c: reads and fits the pattern of a source from its file; checks the order of others */
int source_make_pattern(struct reader *r, size_t index, struct source *source);

/* names.c */
struct named {
    const char *name; /* NULL: none */
    const struct origin *origin;
    const void *item; /* in its array */
};
/* Checks the names of an array of the file: permitted letters, no name twice. `in_file_names`: they become parts of
 * file names. Refuses and keeps; -1: stop reading. */
int check_names(struct reader *r, const char *what, bool in_file_names, const struct named *given, size_t count);

#endif
