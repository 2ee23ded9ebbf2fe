/* SPDX-License-Identifier: MIT */
/* The voxel set of a scene, and what it was made from. */
#ifndef AULA_VALIDATE_SCENE_SCENE_SET_H
#define AULA_VALIDATE_SCENE_SCENE_SET_H

struct scene_set;
void scene_set_free(struct scene_set *set); /* NULL-safe */

#endif
