/* SPDX-License-Identifier: MIT */
/* JSON that is complete or an error. A cJSON call that runs out of memory leaves its item out silently; in files that
 * include this header each such call records the failure, which json_text reports. */
#ifndef AULA_IO_JSON_BUILD_H
#define AULA_IO_JSON_BUILD_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "base/error.h"

/* Returns item, and records NULL, per thread. */
cJSON *json_noted(cJSON *item);

/* Add an item, or record the failure and delete it. */
bool json_add_to_object(cJSON *object, const char *name, cJSON *item);
bool json_add_to_array(cJSON *array, cJSON *item);

/* The document as text of visible characters in fresh memory; NULL when memory ran out here or since the last document.
 * Deletes the document and clears the record. */
char *json_text(cJSON *document);

/* The same as one line, without a newline. */
char *json_line(cJSON *document);

#define cJSON_CreateObject() json_noted(cJSON_CreateObject())
#define cJSON_CreateArray() json_noted(cJSON_CreateArray())
#define cJSON_CreateNull() json_noted(cJSON_CreateNull())
#define cJSON_CreateBool(...) json_noted(cJSON_CreateBool(__VA_ARGS__))
#define cJSON_CreateNumber(...) json_noted(cJSON_CreateNumber(__VA_ARGS__))
#define cJSON_CreateString(...) json_noted(cJSON_CreateString(__VA_ARGS__))
#define cJSON_CreateRaw(...) json_noted(cJSON_CreateRaw(__VA_ARGS__))
#define cJSON_CreateDoubleArray(...) json_noted(cJSON_CreateDoubleArray(__VA_ARGS__))
#define cJSON_CreateStringArray(...) json_noted(cJSON_CreateStringArray(__VA_ARGS__))
#define cJSON_AddNullToObject(...) json_noted(cJSON_AddNullToObject(__VA_ARGS__))
#define cJSON_AddBoolToObject(...) json_noted(cJSON_AddBoolToObject(__VA_ARGS__))
#define cJSON_AddNumberToObject(...) json_noted(cJSON_AddNumberToObject(__VA_ARGS__))
#define cJSON_AddStringToObject(...) json_noted(cJSON_AddStringToObject(__VA_ARGS__))
#define cJSON_AddRawToObject(...) json_noted(cJSON_AddRawToObject(__VA_ARGS__))
#define cJSON_AddObjectToObject(...) json_noted(cJSON_AddObjectToObject(__VA_ARGS__))
#define cJSON_AddArrayToObject(...) json_noted(cJSON_AddArrayToObject(__VA_ARGS__))
#define cJSON_AddItemToObject(...) json_add_to_object(__VA_ARGS__)
#define cJSON_AddItemToArray(...) json_add_to_array(__VA_ARGS__)

/* JSON on standard output. */

/* Prints and deletes it. ERROR_MEMORY, and nothing printed, when a part of it was lost. */
int json_print(cJSON *json, struct error *e);

#endif
