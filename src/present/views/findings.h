/* SPDX-License-Identifier: MIT */
/* What the voxelizer found in a room, for people and programs. */
#ifndef AULA_PRESENT_VIEWS_FINDINGS_H
#define AULA_PRESENT_VIEWS_FINDINGS_H

#include <stdio.h>

#include "geometry/voxel_report.h"

struct cJSON;

/* Lines of `aula info`: areas of each material (of its surfaces, of what is of them in the room, of the voxels' faces,
 * of what absorbs) and what is buried; air that is closed off from the room, leaks. What else was found are notes of
 * the model (room/grid/voxel_notes.h). names: [material_count]. */
void findings_print(FILE *stream, const struct voxel_report *r, const char *const *names);

/* The same as an object: volume (m³), materials[] (areas in m²), covered[] (of
 * materials that lie on one another), closed_off[] (the largest
 * parts, with their count and volume), leaks[], sheets, thin gaps. Lack of memory is
 * recorded (io/json_build.h). */
struct cJSON *findings_json(const struct voxel_report *r, const char *const *names);

#endif
