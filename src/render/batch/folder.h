/* SPDX-License-Identifier: MIT */
/* The folder of a data set, which belongs to one plan. */
#ifndef AULA_RENDER_BATCH_FOLDER_H
#define AULA_RENDER_BATCH_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/checksum.h"
#include "base/error.h"
#include "render/batch/plan.h"

struct cJSON;

/* Creates the folder if necessary and locks its file `name`: batch.lock, or PARTS/SHARD.lock of a shard, so that no two
 * runs write to one manifest. Refuses a folder that is no data set but contains files of its names, before writing
 * anything. File systems without locks have none. *lock: close it at the end, after the workers, which share it, have
 * ended. ERROR_OUTPUT; ERROR_USAGE while another run has it. */
int folder_lock(int *lock, const char *folder, const char *name, struct error *e);

/* Names of the manifests of shards for manifest_open, in fresh memory, in the order of the names; free with lines_free,
 * after errors too. */
int folder_list_shards(char ***names, size_t *count, const char *folder, struct error *e);

/* Writes batch.json, which identifies the plan of the folder, or checks that it agrees. Shards may do so at once. A plan
 * with more rooms and no other difference takes its place. ERROR_USAGE names the other plan and the difference. `bases`: rooms, and `inputs`: checksums by path, from
 * trial_run. */
int folder_claim(const char *folder, const struct plan *plan, const char *const *settings, size_t setting_count,
                 const struct cJSON *bases, const struct cJSON *inputs, struct error *e);

/* ERROR_USAGE unless the folder is a data set of this plan, of any base rooms and settings. */
int folder_check(const char *folder, const struct plan *plan, struct error *e);

/* Files inside the folder of a data set; no link is followed on the way to them. */

/* Whether `name` is that of a file of this room, such as "rooms/0012/room_0012345_A.wav": it begins
 * with room_stem and lies in no other folder. */
bool inside_is_of_room(const char *name, size_t room);

/* Opens the folder that contains the file `name`, relative to the data set's `folder`, creating
 * missing folders including the data set's own. -1 with ERROR_OUTPUT if one of them is a link or
 * not a folder. */
int inside_make(const char *folder, const char *name, struct error *e);

/* Length in bytes and checksum of the file (NULL: not needed). Returns whether it exists: it is a
 * readable regular file, and neither it nor a folder on the way is a link. False with e->code
 * ERROR_STOPPED: on request. */
bool inside_look(const char *folder, const char *name, uint64_t *bytes, char checksum[CHECKSUM_TEXT], struct error *e);

#endif
