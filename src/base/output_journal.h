/* SPDX-License-Identifier: MIT */
/* The journal of files that take their names together: what a run writes down before the first rename, so that the next
 * one can give the older files back if it is killed between two. */
#ifndef AULA_BASE_OUTPUT_JOURNAL_H
#define AULA_BASE_OUTPUT_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "base/error.h"

#define OUTPUT_JOURNAL_MARK ".part-set"

/* A file of the set: its name in the journal's folder, and what tells the new file of that name from others. */
struct journal_entry {
    char *name;
    char *kept; /* name of a second link to the older file meanwhile; NULL: there was none */
    int64_t bytes;
    struct timespec modified;
    uint64_t inode;
};

/* One folder's files. Its file FIRST.part-set is there, and locked, from begin to end: only one run at a time renames
 * files after FIRST. */
struct output_journal {
    char *folder, *name;
    int place; /* the folder, for the names; < 0: not open */
    int descriptor;
    bool open;
    struct journal_entry *entries;
    size_t count;
    size_t written; /* bytes, up to the mark of completion */
};

/* Makes the file for the set whose first file is `target`, of which `said` is the name for messages. A dead run's
 * journal of that name is undone first; for a living one's it waits up to 10 s. ERROR_OUTPUT, ERROR_STOPPED,
 * ERROR_MEMORY. Free in any case. */
int output_journal_begin(struct output_journal *j, const char *target, const char *said, struct error *e);

/* Adds the file that `descriptor` has, which is complete and is to be named `target`, in the journal's folder. */
int output_journal_add(struct output_journal *j, const char *target, int descriptor, struct error *e);

/* Writes the entries to disk, then gives the older files their second names, and flushes the folder: from then on files
 * may be renamed. */
int output_journal_keep(struct output_journal *j, struct error *e);

/* All files have their names: flushes the folder and marks the journal. Then the older files are dropped and the
 * journal is removed. On failure nothing is dropped. */
int output_journal_complete(struct output_journal *j, struct error *e);

/* Gives the older files back and removes the new ones where there were none. Nonzero: some could not be, and the
 * journal stays for the next run. Nothing where the journal is complete or not open. */
int output_journal_undo(struct output_journal *j);

/* Undoes the journal `name` in the folder `place`, if the run that wrote it is dead and it is the user's own. */
enum journal_found { JOURNAL_GONE, JOURNAL_ALIVE, JOURNAL_STUCK };
enum journal_found output_journal_recover(int place, const char *name);

/* Safe on a zeroed struct. */
void output_journal_free(struct output_journal *j);

#endif
