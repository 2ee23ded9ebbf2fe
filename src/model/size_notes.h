/* SPDX-License-Identifier: MIT */
/* Notes on sizes that may come from a mistaken unit or axis: very large rooms, cells above 1 m, models with y up. */
#ifndef AULA_MODEL_SIZE_NOTES_H
#define AULA_MODEL_SIZE_NOTES_H

#include "model/model.h"

int size_notes(struct model *m, struct error *e);

#endif
