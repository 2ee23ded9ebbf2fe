/* SPDX-License-Identifier: MIT */
/* Parts that are threads of this process but communicate as processes do: halos pass through the
 * host. */
#ifndef AULA_VALIDATE_PARTS_HOST_PARTS_H
#define AULA_VALIDATE_PARTS_HOST_PARTS_H

#include "base/transport/transport.h"

struct host_parts;

int host_parts_open(struct host_parts **parts, int count, struct error *e);
struct transport *host_parts_leader(struct host_parts *parts);
int host_parts_close(struct host_parts *parts, struct error *e); /* e NULL: its errors are ignored; NULL-safe */

#endif
