/* SPDX-License-Identifier: MIT */
/* Command lines by table: one row per option drives parsing, --help, completion and "did you mean". */
#ifndef AULA_APP_OPTIONS_H
#define AULA_APP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "solver/solver.h"

/* Option values. Each command has a struct for them, which begins with a struct common_options and is zeroed or copied
 * from the command's defaults. Groups that several commands share are members of that struct. */
struct common_options {
    const char **arguments;
    size_t argument_count;
    const char **settings; /* --set, in order; aula report: --wet */
    size_t setting_count;
    const char **names; /* of a row of OPTION_NAME, in order */
    size_t name_count;
    bool help, quiet, verbose, json;
};

struct output_options {
    const char *path;   /* --output; every text is NULL if its option is absent */
    const char *format; /* --format */
    const char *plot;   /* --plot */
    bool no_clobber;
};

/* Options of bench and validate. */
struct trial_options {
    bool full;
    bool read_only, prefer_l1; /* variants of Webb's kernels */
};

/* The struct that a row's value is stored in. */
enum option_group {
    GROUP_OWN, /* the command's own struct */
    GROUP_COMMON,
    GROUP_CHOICE, /* struct solver_options */
    GROUP_OUTPUT,
    GROUP_TRIAL,
    GROUP_CHECKPOINT, /* app/checkpoints.h */
    GROUP_HRTF,       /* app/hrtf.h */
    GROUP_CARD,       /* app/sound_card.h */
    GROUP_TARGET,     /* app/target.h */
    GROUP_SWEEP,      /* app/sweeps.h */
    OPTION_GROUPS
};

enum { PARTS_AUTO = -1 };

enum option_kind {
    OPTION_FLAG,
    OPTION_TEXT,
    OPTION_ONCE, /* a text; a second one is refused */
    OPTION_SETTING,
    OPTION_NAME, /* may be repeated; at most one row of a command */
    OPTION_COUNT,
    OPTION_PARTS, /* a count, or "auto": PARTS_AUTO */
    OPTION_INDEX,
    OPTION_DEVICES, /* the GPUs of a struct solver_options */
    OPTION_BLOCK,
    OPTION_NUMBER,
    OPTION_POSITIVE, /* a number above 0 */
    OPTION_ANGLE
};

struct option_row {
    const char *name; /* without the dashes */
    char letter;      /* 0: no short form */
    enum option_kind kind;
    enum option_group group;
    size_t offset; /* within the group's struct */
    const char *argument;
    const char *meaning;
};
/* The group and offset of a row. */
#define OPTION_AT(group, type, member) GROUP_##group, offsetof(struct type, member)

/* Rows that several subcommands share. */
extern const struct option_row option_help, option_json, option_quiet, option_verbose, option_set, option_engine,
    option_kernel, option_threads, option_parts, option_parts_or_auto, option_device, option_devices,
    option_through_host, option_block, option_time_block, option_in_place, option_no_tune, option_read_only,
    option_prefer_l1, option_output, option_no_clobber, option_format, option_full, option_plot;

struct command {
    const char *name;
    const char *synopsis;                       /* follows "aula name"; NULL: one optional word of argument_name */
    const char *(*argument_name)(size_t index); /* NULL beyond the last */
    const char *meaning;                        /* one line */
    void (*print_list)(void);                   /* prints a table below the options in --help; may be NULL */
    const char *details;                        /* ends --help; may be NULL */
    const struct option_row *const *options;    /* NULL-terminated */
    size_t arguments_min, arguments_max;
    size_t options_size;          /* bytes of the command's struct */
    bool many_processes;          /* knows what to do as several processes of mpirun; others are refused there */
    size_t groups[OPTION_GROUPS]; /* offset of each group in that struct; 0: the common group, or none */
    const void *defaults;         /* initial value of the struct; NULL: zeros */
    /* `options` is the command's struct, which it may change. Returns 0 or fills *e. Results go to stdout, messages to
     * stderr. */
    int (*run)(void *options, struct error *e);
};

/* The synopsis, or "[webb | room]" made from argument_name in the caller's buffer. */
enum { SYNOPSIS = 256 };
const char *options_synopsis(const struct command *command, char text[SYNOPSIS]);

/* Parses the words after the subcommand's name into *options, the command's struct. The caller frees it with
 * options_free, also after an error. ERROR_USAGE; ERROR_MEMORY, *options may then be NULL. */
int options_parse(void **options, const struct command *command, int count, char **words, struct error *e);
void options_free(void *options); /* NULL-safe */
/* A group within a command's options; NULL if the command does not have it. */
void *options_group(void *options, const struct command *command, enum option_group group);
/* The WEBB_ bits of the leapfrog scheme. */
unsigned options_webb_variant(const struct trial_options *o);
void options_print_help(const struct command *command);

#endif
