/* SPDX-License-Identifier: MIT */
#include "app/piano_keys.h"

#include <string.h>

int piano_key(int key)
{
    static const char lower[] = "zsxdcvgbhnjm,l.;/", upper[] = "q2w3er5t6y7ui9o0p";
    const char *found = key > 0 && key < 128 ? strchr(lower, key) : NULL;
    if (found)
        return (int)(found - lower);
    found = key > 0 && key < 128 ? strchr(upper, key) : NULL;
    return found ? 12 + (int)(found - upper) : -1;
}
