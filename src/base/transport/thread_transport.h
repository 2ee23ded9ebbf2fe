/* SPDX-License-Identifier: MIT */
/* The transport between threads of one process. What is sent is copied once, by the receiver, from where it lies. */
#ifndef AULA_BASE_TRANSPORT_THREAD_TRANSPORT_H
#define AULA_BASE_TRANSPORT_THREAD_TRANSPORT_H

#include "base/transport/transport.h"

struct thread_hub;

int thread_hub_open(struct thread_hub **hub, int count, struct error *e);
/* The end of a part: for one thread at a time, as long as the hub. */
struct transport *thread_hub_end(struct thread_hub *hub, int part);
void thread_hub_close(struct thread_hub *hub); /* when no thread uses its ends; NULL-safe */

#endif
