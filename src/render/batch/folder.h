/* SPDX-License-Identifier: MIT */
/* The folder of a data set: one plan's, and one run's at a time. */
#ifndef AULA_RENDER_BATCH_FOLDER_H
#define AULA_RENDER_BATCH_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/checksum.h"
#include "base/error.h"
#include "render/batch/plan.h"

struct cJSON;

/* Makes the folder, if there is none, and locks it. One that has files of a data set's names and is none is refused,
 * before anything is written there. *lock: to be closed at the end, not before the workers have
 * ended, which share it. ERROR_OUTPUT; ERROR_USAGE while another run writes there. */
int folder_lock(int *lock, const char *folder, struct error *e);

/* Writes batch.json, which says whose rooms the folder has, or checks that it says the same. ERROR_USAGE names the
 * other plan and what differs. `bases`: rooms, and `inputs`: checksums by path, as of trial_run. */
int folder_claim(const char *folder, const struct plan *plan, const char *const *settings, size_t setting_count,
                 const struct cJSON *bases, const struct cJSON *inputs, struct error *e);

/* Files inside the folder of a data set: no link is followed on the way to them. */

/* Whether `name` is that of a file of this room, "rooms/0012/room_0012345_A.wav": below room_stem, and in no other
 * folder. */
bool inside_is_of_room(const char *name, size_t room);

/* A descriptor of the folder that the file `name`, relative to the data set's `folder`, is in. Folders that are not there,
 * the data set's own as well, are made. -1 with ERROR_OUTPUT where one of them is a link, or anything but a folder. */
int inside_make(const char *folder, const char *name, struct error *e);

/* Length in bytes and checksum of the file (NULL: not wanted). Returns whether it is there: neither it nor a folder on the way
 * to it is a link, it is a regular file and can be read. Not there, with e->code ERROR_STOPPED: on request. */
bool inside_look(const char *folder, const char *name, uint64_t *bytes, char checksum[CHECKSUM_TEXT], struct error *e);

#endif
