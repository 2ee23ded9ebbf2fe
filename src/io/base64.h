/* SPDX-License-Identifier: MIT */
/* Base64 encoding for data: URLs inside pages and pictures. */
#ifndef AULA_IO_BASE64_H
#define AULA_IO_BASE64_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* RFC 4648, with padding and without line ends. */
void base64_write(FILE *stream, const uint8_t *bytes, size_t count);

/* bytes has room for as many as `text` has letters. Padding may be missing. Nonzero: the text is not base64. */
int base64_read(uint8_t *bytes, size_t *count, const char *text);

#endif
