/* What the voxelizer found in a room, for people and programs. */
#ifndef AULA_VIEWS_FINDINGS_H
#define AULA_VIEWS_FINDINGS_H

#include <stdio.h>

#include "geometry/voxelize.h"

struct cJSON;

/* Lines of `aula info`: areas of each material (of its surfaces, those in the room, the voxels' faces, what absorbs), what is
 * buried, parts of the air, leaks, sheets, thin gaps; what is not there is not said. names: [material_count]. */
void findings_print(FILE *stream, const struct voxel_report *r, const char *const *names, double spacing);

/* The same as an object: volume (m³), materials[] (areas in m²), components[], leaks[], sheets, thin gaps. Lack of memory is
 * recorded (io/json_build.h). */
struct cJSON *findings_json(const struct voxel_report *r, const char *const *names);

#endif
