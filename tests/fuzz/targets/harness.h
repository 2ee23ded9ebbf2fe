/* SPDX-License-Identifier: MIT */
/* What the libFuzzer targets share: input files in a folder of memory, and pieces of an input.
 *
 * Each target is a file of this folder. It hands the bytes of LLVMFuzzerTestOneInput to the public reader of one format; the
 * sanitizers, and the limits on time and memory that tools/fuzz sets, say what is wrong. */
#ifndef AULA_FUZZ_HARNESS_H
#define AULA_FUZZ_HARNESS_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
/* Optional: replaces libFuzzer's own mutations. Returns the new size, at most `room`. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);
/* Of libFuzzer, for custom mutators. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);

/* The path of NAME in a folder of this process in $TMPDIR, which is removed at the end. Valid until the next call. */
const char *harness_path(const char *name);

/* Writes a file there, in folders that are made, and returns its path. */
const char *harness_write(const char *name, const void *bytes, size_t size);

/* The next piece of an input that is several files, with 0x0c between them. Returns its start; NULL: none is left. */
const uint8_t *harness_piece(const uint8_t **data, size_t *left, size_t *size);

/* The bytes as fresh text that ends at the first 0. */
char *harness_text(const uint8_t *data, size_t size);

#endif
