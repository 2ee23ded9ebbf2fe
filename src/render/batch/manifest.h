/* SPDX-License-Identifier: MIT */
/* The manifest of a data set: manifest.jsonl with a line of JSON for each room, and manifest.csv, a
 * table made from it.
 *
 * A line is appended and flushed after the files of its room. A room counts if its line is complete
 * and its files have the recorded bytes and checksums. An incomplete line of a killed run is cut
 * off. Lines are in the order in which rooms finished, until manifest_finish sorts them by number. */
#ifndef AULA_RENDER_BATCH_MANIFEST_H
#define AULA_RENDER_BATCH_MANIFEST_H

#include <stdint.h>

#include "render/batch/plan.h"

enum room_state { ROOM_OPEN, ROOM_DONE, ROOM_FAILED };

struct manifest_line {
    uint64_t offset; /* in the file */
    uint32_t length; /* newline included */
    uint8_t state;   /* enum room_state */
};

struct manifest {
    const struct plan *plan;
    char *folder, *path, *csv;
    int descriptor, place;       /* of the file and of the folder */
    uint64_t end;                /* bytes of complete lines */
    struct manifest_line *lines; /* [plan->count] */
    size_t done, failed;
};

enum manifest_use {
    MANIFEST_READ,   /* it must exist, and another run may be writing: changes nothing */
    MANIFEST_WRITE,  /* cuts off an incomplete last line */
    MANIFEST_VERIFY, /* likewise; rooms count only if the checksums of their files match */
};

/* Opens DIR/NAME.jsonl, where NAME may begin with a folder, and which need not exist, and registers its rooms if their files have the
 * recorded length. Failed rooms are open again. ERROR_OUTPUT, also for links and files that are no
 * manifest, which stay unchanged; ERROR_MEMORY, ERROR_STOPPED. Close in any case. */
int manifest_open(struct manifest *m, const struct plan *plan, const char *folder, const char *name,
                  enum manifest_use use, struct error *e);
void manifest_close(struct manifest *m);

/* Appends the record of a room, one line without newline. ERROR_OUTPUT. */
int manifest_add(struct manifest *m, const char *line, struct error *e);

/* Takes over the lines of another manifest in the folder, which may be written meanwhile, and stays. */
int manifest_merge(struct manifest *m, const char *name, struct error *e);

/* Rewrites both files in the order of rooms. */
int manifest_finish(struct manifest *m, struct error *e);

/* manifest_csv.c: the table of all records, and whether it is writable. ERROR_OUTPUT, also for a
 * link. */
int manifest_write_csv(const struct manifest *m, struct error *e);
int manifest_try_csv(const struct manifest *m, struct error *e);

/* The line of a room in fresh memory, without newline; NULL with *e set. */
char *manifest_line(const struct manifest *m, size_t room, struct error *e);

#endif
