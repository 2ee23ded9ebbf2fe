/* SPDX-License-Identifier: MIT */
/* The temporary folders of a session: one for each job, named by its number. */
#ifndef AULA_STUDIO_FOLDERS_H
#define AULA_STUDIO_FOLDERS_H

#include <stdbool.h>
#include <stdint.h>

/* Removes a folder with all in it. What cannot be removed stays. */
void folder_remove(const char *path);

/* Marks the folder as used at this moment. */
void folder_use(const char *path);

/* Removes numbered folders inside `path`, those used longest ago first, until the files of all numbered folders have `most`
 * bytes or less. Those that `keeps` wants stay. */
void folders_limit(const char *path, uint64_t most, bool (*keeps)(const void *context, unsigned number),
                   const void *context);

#endif
