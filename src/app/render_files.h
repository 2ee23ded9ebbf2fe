/* SPDX-License-Identifier: MIT */
/* The files of aula render: their names, and how those of a run are written. */
#ifndef AULA_APP_RENDER_FILES_H
#define AULA_APP_RENDER_FILES_H

#include "app/checkpoints.h"
#include "app/options.h"
#include "base/output_set.h"
#include "io/audio_file.h"
#include "io/sound_pair.h"
#include "render/render.h"
#include "room/grid/model.h"

/* The options of aula render, which its files read. */

struct render_options {
    struct common_options common;
    struct solver_options choice;
    struct output_options output;
    struct checkpoint_options checkpoint;
    const char *source;
    bool together, sofa;
};

/* The SOFA files of aula render --sofa: NAME.sofa beside NAME.wav for the omni receivers, NAME_RECEIVER.sofa for each
 * other, with all sources in each. */

struct sofa_files {
    char **paths;     /* [count], by file of the room; NULL: none for these receivers */
    size_t *channels; /* [count], of receivers, once it is written */
    size_t count;
};

/* Names and checks them, before any work; none without --sofa. ERROR_USAGE, ERROR_INPUT, ERROR_OUTPUT. */
int sofa_files_plan(struct sofa_files *s, const struct room *room, const struct render_options *o, struct error *e);
void sofa_files_free(struct sofa_files *s);

/* Adds them to the set. renderings: one for each source. */
int sofa_files_write(struct output_set *set, const struct sofa_files *s, const struct model *m,
                     const struct rendering *const *renderings, size_t count, double gain, struct error *e);

/* A line about each, once they have their names. */
void sofa_files_say(const struct sofa_files *s, size_t sources, bool quiet);

struct checkpoint;
struct cJSON;

/* One file of a job; what is said of it once it has its name. */
struct job_file {
    struct sound_names names;
    struct cJSON *described; /* with --json: what to print */
    struct audio_written written;
    size_t channels;
    double peak;
};

/* What is rendered at once: its sources, and its files. */
struct job {
    size_t first, count;
    struct job_file *files; /* [file_count] */
    struct rendering rendering;
    bool rendered, written;
};

struct work {
    struct room *room;
    struct model *model;
    struct job *jobs;
    size_t job_count, file_count; /* files: of a job */
    struct sofa_files sofa;
    struct checkpoint *checkpoint; /* NULL: none */
    bool suggested;                /* that there be one */
};

/* NAME_SOURCE_RECEIVER: the source where there are several, the receiver of all but that of the omni receivers. */
int render_files_name(const struct work *w, struct job *job, const struct render_options *o, struct error *e);
void render_files_free(struct job *job, size_t file_count);

/* Writes jobs [first, first + count) as one set: their sounds, each with its JSON; with the first job the picture, and
 * with the last the SOFA files. They get their names in this order once all are complete. */
int render_files_write(struct work *w, size_t first, size_t count, double gain, const struct render_options *o,
                       struct error *e);

/* --json: one document, the JSON beside the file, or for several files a list of them. */
int render_files_print(struct work *w, struct error *e);

/* Adds to a message of a stop what was kept until then. */
void render_files_say_kept(const struct work *w, struct error *e);

#endif
