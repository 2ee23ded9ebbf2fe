/* SPDX-License-Identifier: MIT */
/* Rows of the table of keys, and whether a value is one of theirs. */
#include <math.h>
#include <string.h>

#include "room/keys.h"

bool key_applies(const struct key *key, unsigned kind)
{
    return !key->uses || (key->uses >> kind & 1);
}

const struct key *key_find(const char *group, const char *name, unsigned kind)
{
    for (size_t i = 0; i < key_count; i++)
        if (!strcmp(keys[i].group, group) && !strcmp(keys[i].name, name) && key_applies(&keys[i], kind))
            return &keys[i];
    return NULL;
}

const struct key *key_list_of(const char *group)
{
    for (size_t i = 0; i < key_count; i++)
        if (keys[i].type == KEY_LIST && !strcmp(keys[i].inner, group))
            return &keys[i];
    return NULL;
}

bool key_in_range(const struct key *key, double value)
{
    if (key->low == 0 && key->high == 0)
        return isfinite(value);
    if (value == 0 && (key->flags & KEY_ZERO))
        return true;
    return isfinite(value) && value >= key->low && value <= key->high &&
           !(value == key->low && (key->flags & KEY_ABOVE));
}
