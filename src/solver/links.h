/* SPDX-License-Identifier: MIT */
/* Links between the devices of parts in separate processes, which pass halos without the host. */
#ifndef AULA_SOLVER_LINKS_H
#define AULA_SOLVER_LINKS_H

#include <stddef.h>

#include "base/error.h"

enum { LINK_DEVICE_BYTES = 64, LINK_NAME_BYTES = 128 };

/* An engine's access to links. All parts open their ends of the links together. */
struct link_access {
    /* An identifier of the device, unique across hosts. On failure, the device has no links; the
     * error is the reason. */
    int (*identify)(char id[LINK_DEVICE_BYTES], int device, struct error *e);
    /* Creates a name for new links; one part does so for all. */
    int (*make_name)(char name[LINK_NAME_BYTES], struct error *e);
    /* Waits for the other parts, for at most a minute. No two parts may use the same device.
     * ERROR_DEVICE: other parts did not answer, and the device is lost to this program; after
     * other errors the device remains usable. */
    int (*open)(void **links, const char name[LINK_NAME_BYTES], int part, int count, int device, struct error *e);
    /* NULL-safe. broken: other parts may have failed; messages in flight are not waited for. */
    void (*close)(void *links, int broken);
    void (*describe)(char *text, size_t size);
};

#endif
