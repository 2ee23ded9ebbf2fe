/* SPDX-License-Identifier: MIT */
/* NVIDIA's Multi-Process Service: with it, what several processes put on a GPU runs side by side, and without it in
 * turns. */
#ifndef AULA_RENDER_BATCH_DEVICE_SERVICE_H
#define AULA_RENDER_BATCH_DEVICE_SERVICE_H

#include <stdbool.h>
#include <sys/types.h>

struct device_service {
    bool shared;            /* processes started from now on share GPUs by it */
    bool started, sets_log; /* by this process; which has set CUDA_MPS_LOG_DIRECTORY, too */
    int lifeline;           /* closed when this process ends in whatever way; then the keeper ends the service */
    pid_t keeper;
};

/* Whether one runs that CUDA_MPS_PIPE_DIRECTORY in the environment or its usual folder tells of:
 * nvidia-cuda-mps-control, which must be in the PATH, is asked. */
void device_service_find(struct device_service *s);

/* Or starts one in a folder of its own, and changes the environment. This process must not have started threads. */
void device_service_start(struct device_service *s);

/* Ends the one that was started, and waits a while for it unless a stop is requested. The environment is as before.
 * Safe on a zeroed struct. */
void device_service_stop(struct device_service *s);

#endif
