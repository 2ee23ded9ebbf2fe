/* Whether a text is JSON, by its syntax alone. */
#ifndef AULA_BASE_JSON_SYNTAX_H
#define AULA_BASE_JSON_SYNTAX_H

#include <stdbool.h>

/* True for one value by RFC 8259, with nothing but space after it, nested no deeper than a parser follows and without escapes of
 * surrogates. Needs no memory: what cJSON fails to parse though this is true, it had no memory for. */
bool json_is_sound(const char *text);

#endif
