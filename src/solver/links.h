/* SPDX-License-Identifier: MIT */
/* Links between the devices of parts that are processes, which pass halos without the host. */
#ifndef AULA_SOLVER_LINKS_H
#define AULA_SOLVER_LINKS_H

#include <stddef.h>

#include "base/error.h"

enum { LINK_DEVICE_BYTES = 64, LINK_NAME_BYTES = 128 };

/* An engine's access to its links. All parts open them together, and each its end of them. */
struct link_access {
    /* What tells a device from all others, on any host. An error: it has no links, and why. */
    int (*identify)(char id[LINK_DEVICE_BYTES], int device, struct error *e);
    /* A name for links to be, made by one part for all. */
    int (*make_name)(char name[LINK_NAME_BYTES], struct error *e);
    /* Waits for the other parts, for a minute at most. No two parts may use the same device. ERROR_DEVICE: the device
     * is lost to this program, since other parts did not answer; after other errors it is as before. */
    int (*open)(void **links, const char name[LINK_NAME_BYTES], int part, int count, int device, struct error *e);
    /* NULL-safe. broken: other parts may have failed, and nothing that is on its way is waited for. */
    void (*close)(void *links, int broken);
    void (*describe)(char *text, size_t size);
};

#endif
