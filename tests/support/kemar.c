/* SPDX-License-Identifier: MIT */
#include "support/kemar.h"

#include <unistd.h>

#include "io/sofa/library.h"

const char *kemar_missing(void)
{
    if (sofa_library.unavailable())
        return sofa_library.unavailable();
    return access(KEMAR_PATH, R_OK) ? KEMAR_PATH " is not there: install libmysofa1" : (const char *)0;
}
