/* SPDX-License-Identifier: MIT */
/* The manifest of a data set: a line of JSON for each room in manifest.jsonl, and manifest.csv, a row for each, made
 * of it.
 *
 * A line is appended, and on disk, after the files of its room are: a room counts when its line is whole and its
 * files have the bytes and the checksums that stand in it. A line that a killed run left unfinished is cut off.
 * Lines are in the order in which rooms were ready until manifest_finish puts them into the order of their numbers. */
#ifndef AULA_RENDER_BATCH_MANIFEST_H
#define AULA_RENDER_BATCH_MANIFEST_H

#include <stdint.h>

#include "render/batch/plan.h"

enum room_state { ROOM_OPEN, ROOM_DONE, ROOM_FAILED };

struct manifest_line {
    uint64_t offset; /* in the file */
    uint32_t length; /* with its newline */
    uint8_t state;   /* enum room_state */
};

struct manifest {
    const struct plan *plan;
    char *folder, *path, *csv;
    int descriptor, place;       /* of the file, and of the folder */
    uint64_t end;                /* bytes of whole lines */
    struct manifest_line *lines; /* [plan->count] */
    size_t done, failed;
};

enum manifest_use {
    MANIFEST_LOOK,   /* another process may write there: nothing is changed */
    MANIFEST_WRITE,  /* half a line at the end is cut off */
    MANIFEST_VERIFY, /* likewise, and a room counts when its files have their checksums */
};

/* Opens DIR/NAME.jsonl, which may not be there, and takes its rooms: those whose files have the right length. Rooms
 * that failed are open again. ERROR_OUTPUT: also for what is no manifest, or a link, which stays as it is;
 * ERROR_MEMORY, ERROR_STOPPED. Close in any case. */
int manifest_open(struct manifest *m, const struct plan *plan, const char *folder, const char *name,
                  enum manifest_use use, struct error *e);
void manifest_close(struct manifest *m);

/* Appends the record of a room, one line without newline. ERROR_OUTPUT. */
int manifest_add(struct manifest *m, const char *line, struct error *e);

/* Takes the lines of another manifest of the folder, and removes it. */
int manifest_merge(struct manifest *m, const char *name, struct error *e);

/* Writes both files anew, in the order of rooms. */
int manifest_finish(struct manifest *m, struct error *e);

/* manifest_csv.c: the table of all records; and whether it could be written. ERROR_OUTPUT also for a link. */
int manifest_write_csv(const struct manifest *m, struct error *e);
int manifest_try_csv(const struct manifest *m, struct error *e);

/* The text of a room's line, fresh and without newline; NULL with *e. */
char *manifest_line(const struct manifest *m, size_t room, struct error *e);

#endif
