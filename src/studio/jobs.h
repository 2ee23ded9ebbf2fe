/* SPDX-License-Identifier: MIT */
/* The work that pages ask for: one list in order, of which one long and two short jobs run at a time, each as command
 * lines of this program. */
#ifndef AULA_STUDIO_JOBS_H
#define AULA_STUDIO_JOBS_H

#include "base/error.h"
#include "studio/events.h"

struct cJSON;
struct jobs;

/* folder: for the files of jobs, must outlive *jobs. ERROR_MEMORY, ERROR_FAILED. */
int jobs_start(struct jobs **jobs, const char *folder, struct events *events, struct error *e);
void jobs_end(struct jobs *jobs); /* stops all; NULL-safe */

/* Takes a request {kind, text, path, page, variant, ...} and returns its number, from 1; 0 with ERROR_INPUT, which names the
 * member, or ERROR_MEMORY. Only the page hears of it. A long job stops earlier ones of its kind, page and variant. */
unsigned jobs_add(struct jobs *jobs, const struct cJSON *request, struct error *e);

void jobs_stop(struct jobs *jobs, unsigned number);
void jobs_stop_page(struct jobs *jobs, const char *page); /* all of a page; NULL: of all pages */

/* Sends the state of a page's jobs to it, for one that listens again. */
void jobs_tell(struct jobs *jobs, const char *page);

/* Stops the jobs of pages that are gone; to be called about twice a second. */
void jobs_look(struct jobs *jobs);

#endif
