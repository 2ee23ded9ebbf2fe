/* SPDX-License-Identifier: MIT */
/* NVIDIA's Multi-Process Service, with which the work of several processes runs on a GPU
 * concurrently instead of in turns. */
#ifndef AULA_RENDER_BATCH_DEVICE_SERVICE_H
#define AULA_RENDER_BATCH_DEVICE_SERVICE_H

#include <stdbool.h>
#include <sys/types.h>

struct device_service {
    bool shared;            /* processes started from here on share GPUs through it */
    bool started, sets_log; /* by this process; it has set CUDA_MPS_LOG_DIRECTORY too */
    int lifeline;           /* closed when this process ends for any reason; the keeper then ends the service */
    pid_t keeper;
};

/* Takes a service that runs in CUDA_MPS_PIPE_DIRECTORY or the default folder, as nvidia-cuda-mps-control answers, which
 * must be in the PATH; else starts one in a folder of its own and changes the environment. This process must not have
 * started threads. */
void device_service_start(struct device_service *s);

/* Ends the service it started, waits a moment unless a stop is requested, and restores the
 * environment. Safe on a zeroed struct. */
void device_service_stop(struct device_service *s);

#endif
