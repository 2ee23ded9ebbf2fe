/* SPDX-License-Identifier: MIT */
/* Copies of texts that are not saved: beside the room file, as ".hall.cfg.autosave" and, of further variants,
 * ".hall.cfg.B.autosave"; those of rooms that ship with aula in $XDG_STATE_HOME/aula or ~/.local/state/aula. */
#ifndef AULA_STUDIO_AUTOSAVE_H
#define AULA_STUDIO_AUTOSAVE_H

#include <stdbool.h>

#include "base/error.h"

struct cJSON;

/* path: of the room file, absolute; variant: "A" to "C"; text: NULL removes the copy. ERROR_OUTPUT: it cannot be written. */
int autosave_keep(const char *path, bool shipped, const char *variant, const char *text, struct error *e);

/* [{variant, text, time}] of the copies that differ from the text of the file, time in s since 1970; fresh. */
struct cJSON *autosave_list(const char *path, bool shipped, const char *text);

#endif
