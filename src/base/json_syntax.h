/* SPDX-License-Identifier: MIT */
/* JSON syntax check. */
#ifndef AULA_BASE_JSON_SYNTAX_H
#define AULA_BASE_JSON_SYNTAX_H

#include <stdbool.h>

/* True for one value by RFC 8259 with nothing but white space after it, limited nesting and no escaped surrogates.
 * Needs no memory: if cJSON fails on such a text, it was out of memory. */
bool json_is_sound(const char *text);

#endif
