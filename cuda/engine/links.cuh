/* SPDX-License-Identifier: MIT */
/* Links between the GPUs of parts that are processes. */
#ifndef AULA_CUDA_LINKS_CUH
#define AULA_CUDA_LINKS_CUH

extern "C" {
#include "solver/links.h"
}

extern const struct link_access cuda_links;

#endif
