/* SPDX-License-Identifier: MIT */
/* The folder of temporary files of a session, which is its user's alone and marked as in use while the program runs. */
#ifndef AULA_STUDIO_TEMPORARY_H
#define AULA_STUDIO_TEMPORARY_H

#include "base/error.h"

struct temporary {
    char *path;
    int lock; /* held until the program ends, however it ends */
};

/* Makes a folder in $TMPDIR or /tmp, after it has removed those of this user whose program was killed. ERROR_OUTPUT. */
int temporary_make(struct temporary *t, struct error *e);
void temporary_remove(struct temporary *t); /* with all in it; also of one that was not made */

#endif
