/* SPDX-License-Identifier: MIT */
/* The section on methods and limits of a report for a client. */
#ifndef AULA_PRESENT_REPORT_METHODS_H
#define AULA_PRESENT_REPORT_METHODS_H

#include <stdio.h>

#include "present/report/cover.h"

void methods_write(FILE *stream, const struct cover *c, const struct subject *subjects, size_t count);

#endif
