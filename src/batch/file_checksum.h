/* SPDX-License-Identifier: MIT */
/* The checksum of a file of a data set: SHA-256, as sha256sum prints it. */
#ifndef AULA_BATCH_FILE_CHECKSUM_H
#define AULA_BATCH_FILE_CHECKSUM_H

#include <stdint.h>

#include "base/sha256.h"

/* And its length. ERROR_INPUT, ERROR_STOPPED. */
int file_checksum(const char *path, char text[CHECKSUM_TEXT], uint64_t *bytes, struct error *e);

#endif
