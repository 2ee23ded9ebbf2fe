/* SPDX-License-Identifier: MIT */
/* Transport between threads of one process. The receiver copies each message once, directly from the sender's memory. */
#ifndef AULA_BASE_TRANSPORT_THREAD_TRANSPORT_H
#define AULA_BASE_TRANSPORT_THREAD_TRANSPORT_H

#include "base/transport/transport.h"

struct thread_hub;

int thread_hub_open(struct thread_hub **hub, int count, struct error *e);
/* The endpoint of a part, for one thread at a time; it lives as long as the hub. */
struct transport *thread_hub_end(struct thread_hub *hub, int part);
void thread_hub_close(struct thread_hub *hub); /* when no thread uses its ends; NULL-safe */

#endif
