/* SPDX-License-Identifier: MIT */
/* Reports the findings of the voxelizer as text and as JSON. */
#ifndef AULA_PRESENT_VIEWS_FINDINGS_H
#define AULA_PRESENT_VIEWS_FINDINGS_H

#include <stdio.h>

#include "geometry/voxel_report.h"

struct cJSON;

/* Lines of `aula info`: areas of each material (its surfaces, their part in the room, the voxel faces, the absorbing area)
 * and buried area; air closed off from the room; leaks. Other findings are notes of the model (room/grid/voxel_notes.h).
 * names: [material_count]. */
void findings_print(FILE *stream, const struct voxel_report *r, const char *const *names);

/* The same as a JSON object: volume (m³), materials[] (areas in m²), covered[] (coincident surfaces), closed_off[] (largest
 * parts, with total count and volume), leaks[], sheets, thin gaps. A failed allocation is recorded (io/json_build.h). */
struct cJSON *findings_json(const struct voxel_report *r, const char *const *names);

#endif
