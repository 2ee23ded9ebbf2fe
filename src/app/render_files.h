/* SPDX-License-Identifier: MIT */
/* The output files of aula render: their names, and writing them as sets that are complete or absent. */
#ifndef AULA_APP_RENDER_FILES_H
#define AULA_APP_RENDER_FILES_H

#include "app/checkpoints.h"
#include "app/options.h"
#include "base/output_set.h"
#include "io/audio_file.h"
#include "io/sound_pair.h"
#include "render/render.h"
#include "room/grid/model.h"

struct render_options {
    struct common_options common;
    struct solver_options choice;
    struct output_options output;
    struct checkpoint_options checkpoint;
    const char *source;
    bool together, sofa, positions;
};

/* The SOFA files of --sofa: NAME.sofa beside NAME.wav for the omni receivers, NAME_RECEIVER.sofa for every other
 * receiver. Each holds all sources. */
struct sofa_files {
    char **paths;     /* [count], by file of the room; NULL: these receivers have none */
    size_t *channels; /* [count] receiver channels, set when the file is written */
    size_t count;
};

/* Names and checks the files before any work; none without --sofa. ERROR_USAGE, ERROR_INPUT, ERROR_OUTPUT. */
int sofa_files_plan(struct sofa_files *s, const struct room *room, const struct render_options *o, struct error *e);
void sofa_files_free(struct sofa_files *s);

/* Adds the files to the set. renderings[count]: one per source. */
int sofa_files_write(struct output_set *set, const struct sofa_files *s, const struct model *m,
                     const struct rendering *const *renderings, size_t count, double gain, struct error *e);

/* Prints a line about each file after the set is committed. */
void sofa_files_say(const struct sofa_files *s, size_t sources, bool quiet);

struct checkpoint;
struct cJSON;

/* One file of a job, with the facts that are printed after it is committed. */
struct job_file {
    struct sound_names names;
    struct cJSON *described; /* with --json: the document to print */
    struct audio_written written;
    size_t channels;
    double peak;
};

/* One render: sources [first, first + count) and its files. */
struct job {
    size_t first, count;
    struct job_file *files; /* [file_count] */
    char *positions;        /* path of its SOFA file of --sofa-positions; NULL: none */
    struct rendering rendering;
    bool rendered, written;
};

struct work {
    struct room *room;
    struct model *model;
    struct job *jobs;
    size_t job_count, file_count; /* file_count: files per job */
    struct sofa_files sofa;
    struct checkpoint *checkpoint; /* NULL: none */
    bool suggested;                /* whether checkpoints were suggested */
};

/* Names the files NAME_SOURCE_RECEIVER: the source if there are several jobs, the receiver for all files except the one
 * of the omni receivers. ERROR_USAGE, ERROR_MEMORY. */
int render_files_name(const struct work *w, struct job *job, const struct render_options *o, struct error *e);
void render_files_free(struct job *job, size_t file_count);

/* Names and checks the SOFA files of --sofa-positions, one for each job: NAME_positions.sofa, or
 * NAME_SOURCE_positions.sofa where there are several sources. None without the option. ERROR_USAGE, ERROR_OUTPUT,
 * ERROR_MEMORY. */
int positions_plan(struct work *w, const struct render_options *o, struct error *e);

/* Writes jobs [first, first + count) as one set: their sounds, each with its JSON; with the first job also the picture,
 * with the last also the SOFA files. The files take their names in this order after all are complete. */
int render_files_write(struct work *w, size_t first, size_t count, double gain, const struct render_options *o,
                       struct error *e);

/* Prints the document of --json: the JSON of the file, or a list of them for several files. */
int render_files_print(struct work *w, struct error *e);

/* Adds to the message of a stopped run which files were written. */
void render_files_say_kept(const struct work *w, struct error *e);

#endif
