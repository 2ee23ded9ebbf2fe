/* SPDX-License-Identifier: MIT */
/* Files that are dropped on the page: those of one drop lie in one folder, where a model finds its companions. */
#ifndef AULA_STUDIO_UPLOADS_H
#define AULA_STUDIO_UPLOADS_H

#include <pthread.h>
#include <stdint.h>

#include "base/error.h"

struct uploads {
    pthread_mutex_t lock;
    const char *folder; /* has one folder for each drop */
    uint64_t most;      /* bytes of all together */
    uint64_t bytes;
    unsigned drops;
};

/* Keeps the bytes of the descriptor `from` under a name: "hall.gltf" begins a drop, "2/hall.bin" belongs to the second. The
 * path, fresh, and *drop; NULL with ERROR_INPUT for a wrong name, ERROR_OUTPUT where there is no space. */
char *uploads_keep(struct uploads *u, const char *name, int from, unsigned *drop, struct error *e);

#endif
