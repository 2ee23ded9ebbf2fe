/* SPDX-License-Identifier: MIT */
/* All rooms of a data set in one netCDF-4 (HDF5) file. */
#ifndef AULA_RENDER_BATCH_DATA_SET_H
#define AULA_RENDER_BATCH_DATA_SET_H

#include "io/sofa/library.h"
#include "render/batch/manifest.h"

/* Writes DIR/rooms.nc with the finished rooms: `response` [room][channel][sample] in single
 * precision and, by room, its number, rate, frames, volume, valid band and varied keys. Does
 * nothing if the file is newer than the manifest. ERROR_OUTPUT, ERROR_MEMORY, ERROR_STOPPED. */
int data_set_write(const struct manifest *m, struct error *e);

/* Writes the arrays to `path` in `folder`, in place of an older file when they are complete. Errors likewise. */
int data_set_write_arrays(const char *folder, const char *path, const struct sofa_document *document,
                          const struct sofa_stream *stream, struct error *e);

#endif
