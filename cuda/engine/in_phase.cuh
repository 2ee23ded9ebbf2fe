/* SPDX-License-Identifier: MIT */
/* A phase of base/phase_timer.h, from here to the end of the block. */
#ifndef AULA_CUDA_IN_PHASE_CUH
#define AULA_CUDA_IN_PHASE_CUH

extern "C" {
#include "base/phase_timer.h"
}

class in_phase
{
  public:
    explicit in_phase(const char *name)
    {
        phase_begin(name);
    }
    ~in_phase()
    {
        phase_end();
    }
    in_phase(const in_phase &) = delete;
    in_phase &operator=(const in_phase &) = delete;
};

#endif
