/* SPDX-License-Identifier: MIT */
/* The voxel set of a scene, and a copy of the data that it was made from. */
#ifndef AULA_VALIDATE_SCENE_SCENE_SET_H
#define AULA_VALIDATE_SCENE_SCENE_SET_H

struct scene_set;
void scene_set_free(struct scene_set *set); /* NULL-safe */

#endif
