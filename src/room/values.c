#include <math.h>
#include <string.h>

#include "base/text.h"
#include "room/notes.h"
#include "room/reader.h"

const config_setting_t *member_of(const config_setting_t *group, const char *name)
{
    /* libconfig's own look-up takes "plaster.x" for "plaster". */
    int length = group ? config_setting_length(group) : 0;
    for (unsigned i = 0; i < (unsigned)length; i++) {
        const config_setting_t *member = config_setting_get_elem(group, i);
        if (!strcmp(member->name, name))
            return member;
    }
    return NULL;
}

/* libconfig gives 0 for 20 when asked for a float; this gives the number, however it was written. */
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

int refuse_type(struct reader *r, const struct key *key, const config_setting_t *setting)
{
    char expected[256];
    key_expected(key, expected, sizeof expected);
    return reader_refuse(r, setting, NULL, "expected %s", expected);
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

int read_numbers(struct reader *r, const struct key *key, const config_setting_t *setting, double *values, size_t count)
{
    if (!is_sequence(setting) || (size_t)config_setting_length(setting) != count)
        return refuse_type(r, key, setting);
    for (unsigned i = 0; i < count; i++) {
        const config_setting_t *element = config_setting_get_elem(setting, i);
        if (!number_of(element, &values[i]) || (key->type == KEY_POINTS && values[i] != floor(values[i])))
            return refuse_type(r, key, setting);
        if (check_range(r, key, element, values[i]))
            return -1;
    }
    return 0;
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

int read_choice(struct reader *r, const struct key *key, const config_setting_t *setting, unsigned *value)
{
    const char *text;
    char expected[256], given[QUOTED];
    if (read_text(r, key, setting, &text))
        return -1;
    for (unsigned i = 0; i < key->choice_count; i++)
        if (!strcmp(text, key->choices[i])) {
            *value = i;
            return 0;
        }
    quoted(given, text);
    if (key->choices == signal_names && strpbrk(text, "./"))
        return reader_refuse(r, setting, NULL, "to emit a sound file write signal = \"file\"; file = \"%s\";", given);
    key_expected(key, expected, sizeof expected);
    ptrdiff_t closest = text_closest(text, key->choices, key->choice_count);
    if (closest >= 0)
        return reader_refuse(r, setting, NULL, "\"%s\" is not known; did you mean \"%s\"? (%s)", given,
                             key->choices[closest], expected);
    return reader_refuse(r, setting, NULL, "\"%s\" is not known: expected %s", given, expected);
}

int read_place_on(struct reader *r, const struct key *key, const config_setting_t *setting, double place[2])
{
    place[1] = 0;
    if (is_sequence(setting))
        return read_numbers(r, key, setting, place, 2);
    return read_number(r, key, setting, &place[0]);
}

int read_note(struct reader *r, const struct key *key, const config_setting_t *setting, double *pitch)
{
    double number;
    if (config_setting_type(setting) == CONFIG_TYPE_STRING) {
        const char *text = config_setting_get_string(setting);
        char given[QUOTED], expected[256];
        if (text && !note_pitch(text, pitch))
            return 0;
        key_expected(key, expected, sizeof expected);
        return reader_refuse(r, setting, NULL, "\"%s\" is no note: expected %s", quoted(given, text ? text : ""),
                             expected);
    }
    if (!number_of(setting, &number) || !midi_note_is_valid(number))
        return refuse_type(r, key, setting);
    *pitch = midi_note_pitch(number);
    return 0;
}
