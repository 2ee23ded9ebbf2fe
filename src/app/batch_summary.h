/* SPDX-License-Identifier: MIT */
/* The summary of aula batch: files in the folder of the data set, and a table on standard
 * output. */
#ifndef AULA_APP_BATCH_SUMMARY_H
#define AULA_APP_BATCH_SUMMARY_H

#include <stdbool.h>

#include "render/batch/summary.h"

/* Writes FOLDER/summary.csv, .json and .svg, all or none. ERROR_OUTPUT, ERROR_MEMORY. */
int batch_summary_write(const struct summary *s, const char *folder, struct error *e);

/* Prints the lines and tables on standard output, notes and warnings on standard error.
 * ERROR_MEMORY. */
int batch_summary_print(const struct summary *s, const char *folder, bool quiet, struct error *e);

#endif
