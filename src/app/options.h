/* SPDX-License-Identifier: MIT */
/* Command lines by table: one row an option, used for parsing, for --help and for "did you mean". */
#ifndef AULA_APP_OPTIONS_H
#define AULA_APP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "solver/solver.h"

/* Values of options. Each command has a struct of its own for them, zeroed or as its defaults say, which begins with a
 * struct common_options; groups that several commands share are members of it. */
struct common_options {
    const char **arguments;
    size_t argument_count;
    const char **settings; /* --set, in order; of aula report --wet */
    size_t setting_count;
    bool help, quiet, verbose, json;
};

struct output_options {
    const char *path;   /* --output; NULL: not given, as all texts */
    const char *format; /* --format */
    const char *plot;   /* --plot */
    bool no_clobber;
};

/* Of bench and validate. */
struct trial_options {
    bool full;
    bool read_only, prefer_l1; /* variants of Webb's kernels */
};

/* Where the value of a row belongs. */
enum option_group {
    GROUP_OWN, /* the command's struct */
    GROUP_COMMON,
    GROUP_CHOICE, /* struct solver_options */
    GROUP_OUTPUT,
    GROUP_TRIAL,
    GROUP_CHECKPOINT, /* app/checkpoints.h */
    GROUP_HRTF,       /* app/hrtf.h */
    GROUP_CARD,       /* app/sound_card.h */
    OPTION_GROUPS
};

enum { PARTS_AUTO = -1 };

enum option_kind {
    OPTION_FLAG,
    OPTION_TEXT,
    OPTION_SETTING,
    OPTION_COUNT,
    OPTION_PARTS, /* a count, or auto: PARTS_AUTO */
    OPTION_INDEX,
    OPTION_DEVICES, /* of a choice */
    OPTION_BLOCK,
    OPTION_NUMBER,
    OPTION_ANGLE
};

struct option_row {
    const char *name; /* without the dashes */
    char letter;      /* or 0 */
    enum option_kind kind;
    enum option_group group;
    size_t offset; /* in the group's struct */
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
    const char *synopsis; /* after "aula name"; NULL: the words of argument_name, one of which may stand there */
    const char *(*argument_name)(size_t index); /* NULL beyond the last */
    const char *meaning;                        /* one line */
    void (*print_list)(void);                   /* list of --help below the options, from a table; may be NULL */
    const char *details;                        /* shown by --help below the options and the list; may be NULL */
    const struct option_row *const *options;    /* NULL-terminated */
    size_t arguments_min, arguments_max;
    size_t options_size;          /* of its struct */
    size_t groups[OPTION_GROUPS]; /* offset of each group in it, after the common one, which is the first; 0: none */
    const void *defaults;         /* the struct before the options are read; NULL: zeros */
    /* options: its struct, which it may change. Returns 0 or fills *e. Results go to stdout, messages to stderr. */
    int (*run)(void *options, struct error *e);
};

/* "[webb | room]" where it comes from argument_name; in a buffer of the caller. */
enum { SYNOPSIS = 256 };
const char *options_synopsis(const struct command *command, char text[SYNOPSIS]);

/* Parses the words after the subcommand's name into *options, the command's struct, which options_free frees also after
 * an error; NULL: there was no memory for it. */
int options_parse(void **options, const struct command *command, int count, char **words, struct error *e);
void options_free(void *options); /* NULL-safe */
/* The group of a command's options; NULL: it has none. */
void *options_group(void *options, const struct command *command, enum option_group group);
/* Bits of solver/schemes/leapfrog/leapfrog.h. */
unsigned options_webb_variant(const struct trial_options *o);
void options_print_help(const struct command *command);

#endif
