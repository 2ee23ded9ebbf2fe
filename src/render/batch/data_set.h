/* SPDX-License-Identifier: MIT */
/* All rooms of a data set in one netCDF-4 (HDF5) file. */
#ifndef AULA_RENDER_BATCH_DATA_SET_H
#define AULA_RENDER_BATCH_DATA_SET_H

#include "io/sofa/library.h"
#include "render/batch/manifest.h"

/* Writes DIR/rooms.nc with the finished rooms: `response` [room][channel][sample] in single
 * precision and, by room, its number, rate, frames, volume, valid band and varied keys. ERROR_OUTPUT, ERROR_MEMORY, ERROR_STOPPED. */
int data_set_write(const struct manifest *m, struct error *e);

/* Adds title, source, `about` and the dimensions to a file's attributes, and the unit of the responses and what stands
 * `beyond` them to those of their array. ERROR_MEMORY. */
int data_set_describe(struct sofa_attributes *file, struct sofa_attributes *responses, const struct plan *plan,
                      const char *dimensions, const char *beyond, struct error *e);

/* Writes the arrays to `path` in `folder`, in place of an older file when they are complete. Errors likewise. */
int data_set_write_arrays(const char *folder, const char *path, const struct sofa_document *document,
                          const struct sofa_stream *stream, struct error *e);

#endif
