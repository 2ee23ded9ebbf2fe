/* SPDX-License-Identifier: MIT */
/* What checkpoint.c shares with the files that write and read a checkpoint. */
#ifndef AULA_SOLVER_CHECKPOINT_FOLDER_H
#define AULA_SOLVER_CHECKPOINT_FOLDER_H

#include <stdint.h>

#include "solver/checkpoint/blocks_file.h"
#include "solver/checkpoint/checkpoint.h"

enum { GENERATIONS = 2 };

/* What is known of a generation. */
struct generation {
    char *path;
    uint64_t serial;     /* 0: absent, or damaged */
    size_t first, count; /* sources */
};

/* The sources whose complete traces a file has, by its name and its content. */
struct complete_sources {
    size_t first, count;
};

struct checkpoint {
    struct checkpoint_settings settings; /* `run` and `folder` are copies */
    char *folder, *run;
    int descriptor; /* of the folder, locked */
    struct generation generations[GENERATIONS];
    struct complete_sources *complete;
    size_t complete_count;
    bool asked;     /* whether a job has been looked for */
    bool failed;    /* the last write */
    double written; /* clock: when the last state was taken */
    double took;    /* s: to write it */
};

/* Notes that there is a file of them, unless it is noted. */
int checkpoint_add_complete(struct checkpoint *c, size_t first, size_t count, struct error *e);
bool checkpoint_has_complete(const struct checkpoint *c, size_t first, size_t count);

/* "FOLDER/source-3", or "FOLDER/sources-0-4". Fresh memory. */
char *checkpoint_source_path(const struct checkpoint *c, size_t first, size_t count);

void checkpoint_say(const struct checkpoint *c, enum checkpoint_news news, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reads a whole file, and fills in what is known of it: serial 0 when it is damaged or does not say of which sources it
 * is, which is told. ERROR_USAGE when
 * it is of another run or format; ERROR_STOPPED. */
int checkpoint_survey(struct generation *g, const struct checkpoint *c, const char *path, struct error *e);

/* The state of a solver, as blocks: arrays by planes, then pieces by planes. */
int solver_blocks_put(struct blocks_out *f, const struct problem *p, struct solver *s, struct error *e);

/* How much of a state has been read. */
struct solver_blocks {
    size_t planes, pieces;
};
/* Puts a block of this kind into the solver. */
int solver_blocks_take(struct solver_blocks *b, const struct blocks_in *f, const struct problem *p, struct solver *s,
                       struct error *e);
/* Whether all of it has been read. */
bool solver_blocks_are_all(const struct solver_blocks *b, const struct problem *p);

#endif
