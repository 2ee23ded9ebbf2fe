/* SPDX-License-Identifier: MIT */
/* Members of a request of the page. */
#ifndef AULA_STUDIO_REQUEST_H
#define AULA_STUDIO_REQUEST_H

#include <cjson/cJSON.h>

enum { ROOM_TEXT_MAX = 1 << 24 }; /* bytes of a room file */

/* A text of the request, which has it; "" if the member is missing or no text. */
static inline const char *request_text(const cJSON *request, const char *member)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(request, member);
    return cJSON_IsString(item) ? item->valuestring : "";
}

#endif
