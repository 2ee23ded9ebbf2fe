/* SPDX-License-Identifier: MIT */
/* Which IFC a file is: its header says it. */
#ifndef AULA_GEOMETRY_IFC_SCHEMA_H
#define AULA_GEOMETRY_IFC_SCHEMA_H

#include "base/error.h"

/* 0 for IFC 2x3. ERROR_INPUT for others, with what to do: the importer crashes on IFC 4. */
int ifc_schema_check(const char *path, struct error *e);

#endif
