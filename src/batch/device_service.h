/* SPDX-License-Identifier: MIT */
/* NVIDIA's Multi-Process Service: with it, what several processes put on a GPU runs side by side, and without it in turns. */
#ifndef AULA_BATCH_DEVICE_SERVICE_H
#define AULA_BATCH_DEVICE_SERVICE_H

#include <stdbool.h>
#include <sys/types.h>

struct device_service {
    bool shared;  /* processes started from now on share GPUs by it */
    char *folder; /* of the service that this process has started; NULL: it is another's, or there is none */
    int lifeline; /* closed when this process ends in whatever way; then the keeper ends the service */
    pid_t keeper;
};

/* Uses the one that runs, as CUDA_MPS_PIPE_DIRECTORY in the environment or its usual folder says, or starts one in a folder of
 * its own, where nvidia-cuda-mps-control is in the PATH; changes the environment. This process must not have started
 * threads. */
void device_service_start(struct device_service *s);

/* Ends the one that was started, and waits a while for it unless a stop is requested. The environment is as before. Safe on
 * a zeroed struct. */
void device_service_stop(struct device_service *s);

#endif
