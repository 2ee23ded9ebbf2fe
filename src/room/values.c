/* SPDX-License-Identifier: MIT */
/* Reads values of settings, whatever numeric type libconfig gave them, and refuses wrong types and
 * ranges. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "room/reader.h"

const config_setting_t *member_of(const config_setting_t *group, const char *name)
{
    /* libconfig's own look-up mistakes "plaster.x" for "plaster". */
    int length = group ? config_setting_length(group) : 0;
    for (unsigned i = 0; i < (unsigned)length; i++) {
        const config_setting_t *member = config_setting_get_elem(group, i);
        if (!strcmp(member->name, name))
            return member;
    }
    return NULL;
}

/* libconfig returns 0 for the float value of an integer setting; this accepts both types. */
bool number_of(const config_setting_t *setting, double *value)
{
    switch (config_setting_type(setting)) {
    case CONFIG_TYPE_INT:
        *value = config_setting_get_int(setting);
        return true;
    case CONFIG_TYPE_INT64:
        *value = (double)config_setting_get_int64(setting);
        return true;
    case CONFIG_TYPE_FLOAT:
        *value = config_setting_get_float(setting);
        return isfinite(*value);
    default:
        return false;
    }
}

bool is_sequence(const config_setting_t *setting)
{
    return config_setting_is_array(setting) || config_setting_is_list(setting);
}

/* Whether it is a number in quotes. */
static bool is_quoted_number(const config_setting_t *setting)
{
    const char *text = config_setting_type(setting) == CONFIG_TYPE_STRING ? config_setting_get_string(setting) : NULL;
    double value;
    return text && !text_number(text, &value);
}

int refuse_type(struct reader *r, const struct key *key, const config_setting_t *setting)
{
    char expected[256];
    key_expected(key, expected, sizeof expected);
    return reader_refuse(r, setting, NULL, "expected %s%s", expected,
                         is_quoted_number(setting) ? "; remove the quotes" : "");
}

static bool are_whole(const config_setting_t *list)
{
    for (unsigned i = 0; i < (unsigned)config_setting_length(list); i++)
        if (config_setting_type(config_setting_get_elem(list, i)) != CONFIG_TYPE_INT)
            return false;
    return true;
}

int refuse_length(struct reader *r, const struct key *key, const config_setting_t *list, size_t count)
{
    const size_t given = (size_t)config_setting_length(list);
    char expected[256];
    key_expected(key, expected, sizeof expected);
    return reader_refuse(r, list, NULL, "expected %s, not %zu%s", expected, given,
                         given == 2 * count && are_whole(list) ? "; decimals take a point: write 5.0, not 5,0" : "");
}

int check_range(struct reader *r, const struct key *key, const config_setting_t *setting, double value)
{
    char range[96];
    if (key_in_range(key, value))
        return 0;
    key_range_text(key, range, sizeof range);
    const char *unit = key->unit ? key->unit : "";
    return reader_refuse(r, setting, NULL, "%.9g is out of range: expected %s%s%s%s%s", value, range, *unit ? " " : "",
                         unit, key->reason ? "; " : "", key->reason ? key->reason : "");
}

int read_number(struct reader *r, const struct key *key, const config_setting_t *setting, double *value)
{
    if (key->zero && config_setting_type(setting) == CONFIG_TYPE_STRING &&
        !strcmp(config_setting_get_string(setting), key->zero)) {
        *value = 0;
        return 0;
    }
    if (!number_of(setting, value))
        return refuse_type(r, key, setting);
    return check_range(r, key, setting, *value);
}

int read_text(struct reader *r, const struct key *key, const config_setting_t *setting, const char **text)
{
    *text = "";
    if (config_setting_type(setting) != CONFIG_TYPE_STRING)
        return refuse_type(r, key, setting);
    const char *value = config_setting_get_string(setting);
    if (value) /* libconfig may keep an empty text as NULL */
        *text = value;
    return 0;
}

int keep_text(struct reader *r, char *text, char **target)
{
    if (!text)
        return reader_no_memory(r);
    free(*target);
    *target = text;
    return 0;
}
