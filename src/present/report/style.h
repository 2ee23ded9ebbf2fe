/* SPDX-License-Identifier: MIT */
/* Style sheet of a report. */
#ifndef AULA_PRESENT_REPORT_STYLE_H
#define AULA_PRESENT_REPORT_STYLE_H

#include <stdio.h>

/* The style sheet, without <style>. */
void style_write(FILE *stream);

#endif
