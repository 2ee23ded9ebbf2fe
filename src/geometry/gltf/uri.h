/* SPDX-License-Identifier: MIT */
/* Loads the bytes that a URI in a glTF file refers to (glTF 2.0, section 2.8). */
#ifndef AULA_GEOMETRY_GLTF_URI_H
#define AULA_GEOMETRY_GLTF_URI_H

#include "geometry/gltf/document.h"

/* Of "data:..;base64,..", or of a file beside the model `path`: its name is percent-encoded (RFC 3986), though some
 * write it as it is. Fresh memory. ERROR_INPUT: neither, damaged, cannot be read, or longer than `max` bytes;
 * ERROR_MEMORY. */
int uri_read(struct gltf_bytes *bytes, const char *path, const char *uri, size_t max, struct error *e);

/* The whole of a file. */
int uri_read_file(struct gltf_bytes *bytes, const char *path, size_t max, struct error *e);

#endif
