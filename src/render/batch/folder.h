/* SPDX-License-Identifier: MIT */
/* The folder of a data set: one plan's, and one run's at a time. */
#ifndef AULA_RENDER_BATCH_FOLDER_H
#define AULA_RENDER_BATCH_FOLDER_H

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

#endif
