/* SPDX-License-Identifier: MIT */
/* Models that were dropped on the page find a place beside the room file that uses them. */
#ifndef AULA_STUDIO_MODELS_H
#define AULA_STUDIO_MODELS_H

#include "base/error.h"

/* Copies each file of a drop in the folder `temporary` that the text names to `folder`, with its companions, and names the
 * copy in its place. The text after that, fresh; NULL with ERROR_OUTPUT, which names the file. A file of the same name and
 * other content is refused. */
char *models_settle(const char *text, const char *temporary, const char *folder, struct error *e);

#endif
