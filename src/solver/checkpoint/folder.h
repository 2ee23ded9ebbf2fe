/* SPDX-License-Identifier: MIT */
/* Internal interface between checkpoint.c and the files that read and write checkpoints. */
#ifndef AULA_SOLVER_CHECKPOINT_FOLDER_H
#define AULA_SOLVER_CHECKPOINT_FOLDER_H

#include <stdint.h>

#include "solver/checkpoint/blocks_file.h"
#include "solver/checkpoint/checkpoint.h"

enum { GENERATIONS = 2 };

/* A generation, as found in the folder. */
struct generation {
    char *path;
    uint64_t serial;     /* 0: absent or damaged */
    size_t first, count; /* sources */
};

/* Sources whose complete traces are stored in a file. */
struct complete_sources {
    size_t first, count;
};

struct checkpoint {
    struct checkpoint_settings settings; /* `run` and `folder` point to the copies below */
    char *folder, *run;
    int descriptor; /* of the locked folder */
    struct generation generations[GENERATIONS];
    struct complete_sources *complete;
    size_t complete_count;
    bool asked;     /* a job has been looked up */
    bool failed;    /* the last write failed */
    double written; /* clock: time of the last state written */
    double took;    /* s: duration of that write */
};

/* Records that the complete traces of these sources are stored; no effect if recorded already. */
int checkpoint_add_complete(struct checkpoint *c, size_t first, size_t count, struct error *e);
bool checkpoint_has_complete(const struct checkpoint *c, size_t first, size_t count);

/* "FOLDER/source-3", or "FOLDER/sources-0-4", in new memory. */
char *checkpoint_source_path(const struct checkpoint *c, size_t first, size_t count);

void checkpoint_say(const struct checkpoint *c, enum checkpoint_news news, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reads a whole file and fills in its description. serial is 0 if the file is damaged or does
 * not name its sources, which is reported. ERROR_USAGE if it belongs to another run or format;
 * ERROR_STOPPED. */
int checkpoint_survey(struct generation *g, const struct checkpoint *c, const char *path, struct error *e);

/* Writes the state of a solver as blocks: arrays by planes, then pieces by planes. */
int solver_blocks_put(struct blocks_out *f, const struct problem *p, struct solver *s, struct error *e);

/* How much of a state has been restored. */
struct solver_blocks {
    size_t planes, pieces;
};
/* Restores a block of the state into the solver. */
int solver_blocks_take(struct solver_blocks *b, const struct blocks_in *f, const struct problem *p, struct solver *s,
                       struct error *e);
/* Whether the whole state has been restored. */
bool solver_blocks_are_all(const struct solver_blocks *b, const struct problem *p);

#endif
