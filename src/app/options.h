/* SPDX-License-Identifier: MIT */
/* Command lines by table: one row an option, used for parsing, for --help and for "did you mean". */
#ifndef AULA_APP_OPTIONS_H
#define AULA_APP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "solver/solver.h"

/* Values of options. A subcommand uses those in its table. */
struct options {
    const char *output;
    const char **settings; /* --set, in order */
    size_t setting_count;
    struct solver_options choice; /* --engine, --kernel, --threads */
    bool read_only, prefer_l1;    /* variants of Webb's kernels */
    const char *source;           /* --source */
    const char *plot;             /* --plot */
    const char *model;            /* --model */
    const char *format;           /* --format */
    bool together, normalise, play, instruments_alone, quiet, verbose, json, csv, full, help, keys, rooms, example,
        materials, scenario;
    double seed; /* --seed; -1: draw one */
    const char *basin, *models;
    const char *hrtf, *osc;         /* --hrtf, --osc */
    double yaw, pitch, roll;        /* of a head; degrees */
    double distance;                /* of an HRTF, m; 0: its own default */
    const char *dry, *sound_device; /* --dry, --device of a sound card */
    bool input, live, list, no_clobber, sofa;
    double latency, seconds; /* ms; s */
    int workers;             /* --workers; 0: what suits */
    int cases;               /* --cases; 0: each check's own number */
    const char **arguments;
    size_t argument_count;
    const char *voice, *speech_level, *noise_level; /* of aula metrics: see metrics_wanted.h */
    bool at_one_metre, unmasked, third_octaves, stage;
    const char *checkpoint, *every; /* --checkpoint, --every */
    bool resume;
    const char *plane, *size;         /* of aula film and map */
    bool walls, levels;               /* of aula film */
    double milliseconds, speed, fps;  /* likewise: ms; ms a second of film; frames a second */
    double top, span, pulse;          /* likewise: Pa or dB, dB, Hz; top NaN: not given */
    int strip;                        /* likewise: pictures of a still; 0: a film */
    const char *figures, *csv_file;   /* of aula map */
    double band, spacing;             /* likewise: Hz; m */
    const char *film_file, *map_file; /* of aula report */
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
    size_t offset; /* in struct options */
    const char *argument;
    const char *meaning;
};

/* Rows that several subcommands share. */
extern const struct option_row option_help, option_json, option_quiet, option_verbose, option_set, option_engine,
    option_kernel, option_threads, option_parts, option_parts_or_auto, option_device, option_devices,
    option_through_host, option_block, option_time_block, option_in_place, option_no_tune, option_read_only,
    option_prefer_l1, option_output, option_no_clobber, option_format, option_full, option_seed, option_plot,
    option_sound_device;

struct command {
    const char *name;
    const char *synopsis; /* after "aula name"; NULL: the words of argument_name, one of which may stand there */
    const char *(*argument_name)(size_t index); /* NULL beyond the last */
    const char *meaning;                        /* one line */
    void (*print_list)(void);                   /* list of --help below the options, from a table; may be NULL */
    const char *details;                        /* shown by --help below the options and the list; may be NULL */
    const struct option_row *const *options;    /* NULL-terminated */
    size_t arguments_min, arguments_max;
    /* Returns 0 or fills *e. Results go to stdout, messages to stderr. */
    int (*run)(const struct options *o, struct error *e);
};

/* "[webb | room]" where it comes from argument_name; in a buffer of the caller. */
enum { SYNOPSIS = 256 };
const char *options_synopsis(const struct command *command, char text[SYNOPSIS]);

/* Parses the words after the subcommand's name. */
int options_parse(struct options *o, const struct command *command, int count, char **words, struct error *e);
void options_free(struct options *o);
/* Bits of solver/schemes/leapfrog/webb.h. */
unsigned options_webb_variant(const struct options *o);
void options_print_help(const struct command *command);

#endif
