/* SPDX-License-Identifier: MIT */
/* The files of aula render: their names, and how those of a run are written. */
#ifndef AULA_APP_RENDER_FILES_H
#define AULA_APP_RENDER_FILES_H

#include "app/render_options.h"
#include "app/sofa_files.h"
#include "io/audio_file.h"
#include "io/sound_pair.h"
#include "render/render.h"

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
