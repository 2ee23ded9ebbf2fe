/* SPDX-License-Identifier: MIT */
/* data.json: the files that were made from finished rooms, with their checksums and that of the manifest that they were made
 * from. It is written last, and a set whose list does not hold is made anew. */
#ifndef AULA_RENDER_BATCH_LOADER_LIST_H
#define AULA_RENDER_BATCH_LOADER_LIST_H

#include <stdbool.h>

#include "render/batch/manifest.h"

#define LOADER_LIST "data.json"

struct cJSON;

/* *holds: the list is of this manifest and of the plan's format, and each of its files has its checksum. ERROR_STOPPED,
 * ERROR_MEMORY. */
int loader_list_check(bool *holds, const struct manifest *m, struct error *e);

/* Removes the list, and then the files on it. */
void loader_list_remove(const struct manifest *m);

/* Adds the file `name` of the folder, if it is there, with its size and checksum. The item, for further members; NULL: it is
 * not there, or an error with *status -1. */
struct cJSON *loader_list_add(struct cJSON *files, const struct manifest *m, const char *name, int *status,
                              struct error *e);

/* Writes the list; takes `files`, an array. ERROR_OUTPUT, ERROR_MEMORY. */
int loader_list_write(const struct manifest *m, struct cJSON *files, struct error *e);

#endif
