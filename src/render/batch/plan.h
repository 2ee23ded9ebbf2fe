/* SPDX-License-Identifier: MIT */
/* A plan defines the rooms of a data set. Its syntax is that of room files; it names base rooms and
 * the keys that vary.
 *
 *   seed = 1; rooms = 1000; base = "small_room.cfg";
 *   vary: ( { key = "room.size"; uniform = ([3.0, 2.5, 2.3], [6.0, 5.0, 3.2]); },
 *           { key = "sources[0].position"; place = "room"; } );
 *   constraints: { from_walls = 0.5; from_each_other = 1.0; };
 *
 * base = "generate" furnishes a room by rules instead (render/batch/furnished).
 *
 * With `rooms`, that many rooms are drawn at random, including the items of lists. Without it there
 * are `repeat` rooms for each combination of base rooms, values and ranges; the first list changes
 * slowest. A draw depends only on the seed, the number of the room and the key
 * (render/batch/draw.h). */
#ifndef AULA_RENDER_BATCH_PLAN_H
#define AULA_RENDER_BATCH_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "render/batch/furnished/furnished.h"

enum vary_kind {
    VARY_VALUES, /* a list, or a range of numbers: a dimension of the combinations */
    VARY_CHOICE, /* an item of a list, by weight */
    VARY_UNIFORM,
    VARY_LOG_UNIFORM,
    VARY_NORMAL,
    VARY_WHOLE, /* uniform integers */
    VARY_PLACE, /* a position in the room that satisfies the constraints */
    VARY_KINDS
};

enum { VARY_WIDTH = 3 };

/* A varied key of the room file. */
struct variation {
    char *key;    /* path of the key, as for --set */
    char *origin; /* "plan.cfg:12" */
    enum vary_kind kind;
    char **values;   /* [value_count], as for --set: of a list */
    double *weights; /* [value_count], sum 1: of a choice */
    size_t value_count;
    size_t width;                             /* drawn numbers: 1, or 3 as [x, y, z] */
    double low[VARY_WIDTH], high[VARY_WIDTH]; /* limits of the draw; of a position: [2] limits its height, m */
    double mean, deviation;                   /* VARY_NORMAL */
    bool receiver;                            /* VARY_PLACE: of a receiver; false: of a source */
    size_t index;                             /* VARY_PLACE: index of the source or receiver */
};

enum plan_files { PLAN_WAV, PLAN_SOFA, PLAN_NETCDF, PLAN_HDF5, PLAN_WEBDATASET, PLAN_PARQUET, PLAN_FILES };
extern const char *const plan_file_names[PLAN_FILES];

/* A part of the data set, which holds all rooms of its base rooms. */
struct split {
    char *name;
    double share; /* of the base rooms */
};

enum plan_about { ABOUT_LICENCE, ABOUT_AUTHOR, ABOUT_ORGANISATION, ABOUT_CITATION, ABOUT_TEXTS };
extern const char *const about_names[ABOUT_TEXTS];

struct plan {
    char *path;
    char *note;        /* on deprecated keys (room.h); NULL: none */
    char **bases;      /* [base_count]: paths of room files */
    char **base_names; /* [base_count]: as written in the plan */
    size_t base_count;
    bool generated;                 /* base = "generate": each room has a base room of its own, made by rules */
    struct furnished_wishes wishes; /* of those rooms */
    uint64_t seed;
    bool drawn;    /* `rooms` is set */
    size_t repeat; /* rooms per combination */
    size_t count;  /* number of rooms */
    struct variation *variations;
    size_t variation_count;
    double from_walls,
        from_each_other; /* m: minimum distances of sources and receivers from surfaces, and from each other */
    size_t tries;        /* draws of the positions of a room before it fails */
    enum plan_files files;
    double shard_bytes;   /* after which an archive or a table ends */
    struct split *splits; /* [split_count]; 0: one split, "train" */
    size_t split_count;
    char *about[ABOUT_TEXTS]; /* NULL: not given */
};

enum { PLAN_ROOMS_MAX = 10000000 };

/* ERROR_INPUT names file, line, key and remedy. Free with plan_free in any case. */
int plan_read(struct plan *plan, const char *path, struct error *e);
void plan_free(struct plan *plan);

/* Whether a --set text sets the key or a part of it, such as room.size[0]=3 for room.size. */
bool plan_setting_gives(const char *setting, const char *key);

/* Refuses a --set key that the plan varies. ERROR_USAGE. */
int plan_check_settings(const struct plan *plan, const char *const *settings, size_t count, struct error *e);

/* All that the rooms depend on, except the files it names, for comparison and for the user: fresh
 * cJSON; NULL: out of memory. */
struct cJSON;
struct cJSON *plan_json(const struct plan *plan);

/* plan_card.c. */

/* The split of a base room, which depends on its name, the seed and the shares alone. */
const char *plan_split(const struct plan *plan, const char *base_name);

/* The names of splits that no base room has, as "validation, test", in fresh memory; NULL: none, or out of memory. */
char *plan_empty_splits(const struct plan *plan);

/* about.NAME="TEXT" as a setting of a room, fresh; NULL: not given. *lost: out of memory. */
char *plan_about_setting(const struct plan *plan, enum plan_about which, bool *lost);

/* For plan.c: the keys `split` and `about`; their part of plan_json. */
struct reader;
struct config_setting_t;
int plan_read_card(struct plan *plan, struct reader *r, const struct config_setting_t *root);
void plan_add_card(struct cJSON *json, const struct plan *plan);
void plan_free_card(struct plan *plan);

/* Base rooms in all; each generated room is one. */
static inline size_t plan_base_count(const struct plan *plan)
{
    return plan->generated ? plan->count : plan->base_count;
}

/* Name of the base room of a room: as the plan has it, or "generated-0000017". Returns text or a name of the plan. */
enum { BASE_NAME = 40 };
const char *plan_base_name(char text[BASE_NAME], const struct plan *plan, size_t base, size_t room);

/* plan_generate.c: the key `generate`; its part of plan_json. */
int plan_read_generate(struct plan *plan, struct reader *r, const struct config_setting_t *root);
void plan_add_generate(struct cJSON *json, const struct plan *plan);

/* plan_vary.c: an item of `vary`. */
int variation_read(struct variation *v, struct reader *r, const struct config_setting_t *item);
void variation_free(struct variation *v);

/* Refuses members of a group that are not among names [count]. */
int plan_refuse_unknown(struct reader *r, const struct config_setting_t *group, const char *const *names, size_t count);

#endif
