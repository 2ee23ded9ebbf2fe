/* The table of keys in words: what a key expects, for messages, and the printed manual. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "room/keys.h"

void key_range_text(const struct key *key, char *text, size_t size)
{
    if (key->low == 0 && key->high == 0)
        snprintf(text, size, "%s", "");
    else if (isinf(key->high))
        snprintf(text, size, "at least %g", key->low);
    else if (key->flags & KEY_ABOVE)
        snprintf(text, size, "above %g, at most %g", key->low, key->high);
    else
        snprintf(text, size, "%g to %g", key->low, key->high);
}

void key_expected(const struct key *key, char *text, size_t size)
{
    const char *unit = key->unit ? key->unit : "", *in = *unit ? " in " : "";
    size_t used = 0;
    switch (key->type) {
    case KEY_GROUP:
        snprintf(text, size, "a group: %s: { .. };", key->name);
        break;
    case KEY_LIST:
        snprintf(text, size, "a list of groups: %s: ( { .. }, { .. } );", key->name);
        break;
    case KEY_DEFINITIONS:
        snprintf(text, size, "a group of groups: %s: { curtain = { absorption = [ .. ]; }; };", key->name);
        break;
    case KEY_PRESETS:
        snprintf(text, size, "a group of groups: %s: { small_tom = { type = \"membrane\"; .. }; };", key->name);
        break;
    case KEY_WHOLE:
        snprintf(text, size, "a whole number");
        break;
    case KEY_PAIR:
        snprintf(text, size, "two numbers%s%s such as [%s]", in, unit,
                 !strcmp(unit, "s")    ? "4.0, 1.0"
                 : !strcmp(unit, "Hz") ? "100.0, 1000.0"
                                       : "0.5, 0.4");
        break;
    case KEY_PLACE:
        snprintf(text, size,
                 "a place: one number on a string or bar such as 0.2, two on a membrane or plate such as "
                 "[0.3, -0.1]");
        break;
    case KEY_NOTE_NAME:
        snprintf(text, size, "the name of a note such as \"C#4\" or \"Bb3\", or its MIDI number, 0 to 127");
        break;
    case KEY_INSTRUMENT:
        snprintf(text, size, "the name of an instrument in \"\"");
        break;
    case KEY_NUMBER:
        snprintf(text, size, "a number%s%s%s%s%s", in, unit, key->zero ? ", or \"" : "", key->zero ? key->zero : "",
                 key->zero ? "\"" : "");
        break;
    case KEY_LOGICAL:
        snprintf(text, size, "true or false");
        break;
    case KEY_CHOICE:
        for (size_t i = 0; i < key->choice_count && used < size; i++)
            used += (size_t)snprintf(text + used, size - used, "%s\"%s\"",
                                     !i                          ? ""
                                     : i + 1 < key->choice_count ? ", "
                                                                 : " or ",
                                     key->choices[i]);
        break;
    case KEY_POSITION:
        snprintf(text, size, "three numbers in metres such as [3.4, 4.0, 2.8]");
        break;
    case KEY_POINTS:
        snprintf(text, size, "three whole numbers of grid points such as [256, 296, 212]");
        break;
    case KEY_BANDS:
        snprintf(text, size, "%d numbers, one for each octave from 63 Hz to 8 kHz", (int)OCTAVE_BANDS);
        break;
    case KEY_OCTAVES:
        snprintf(text, size, "centres of octave bands in Hz such as [125.0, 250.0, 500.0]");
        break;
    case KEY_BRANCHES:
        snprintf(text, size, "1 to %d branches ( [D, E, F], .. ): inertance in s, resistance, stiffness in 1/s",
                 (int)BRANCHES_MAX);
        break;
    case KEY_SPAN:
        snprintf(text, size, "two numbers in Hz such as [125.0, 4000.0]");
        break;
    case KEY_MATERIAL:
    case KEY_MATERIAL_NAME:
        snprintf(text, size, "the name of a material in \"\"");
        break;
    case KEY_NAME:
    case KEY_NOTE:
    case KEY_TEXT:
        snprintf(text, size, "a text in \"\"");
        break;
    case KEY_PATH:
        snprintf(text, size, "the name of a file in \"\"");
        break;
    }
}

static const char *const key_type_names[] = {
    [KEY_GROUP] = "group",        [KEY_LIST] = "list",
    [KEY_DEFINITIONS] = "groups", [KEY_NUMBER] = "number",
    [KEY_LOGICAL] = "logical",    [KEY_CHOICE] = "choice",
    [KEY_NAME] = "text",          [KEY_TEXT] = "text",
    [KEY_PATH] = "file",          [KEY_POSITION] = "3 numbers",
    [KEY_POINTS] = "3 integers",  [KEY_BANDS] = "numbers",
    [KEY_OCTAVES] = "numbers",    [KEY_BRANCHES] = "branches",
    [KEY_MATERIAL] = "material",  [KEY_MATERIAL_NAME] = "material",
    [KEY_NOTE] = "text",          [KEY_SPAN] = "2 numbers",
    [KEY_PRESETS] = "groups",     [KEY_WHOLE] = "integer",
    [KEY_PAIR] = "2 numbers",     [KEY_PLACE] = "1, 2 numbers",
    [KEY_NOTE_NAME] = "note",     [KEY_INSTRUMENT] = "instrument",
};

const char *key_type_text(const struct key *key)
{
    return key_type_names[key->type];
}

bool key_default_text(const struct key *key, char *text, size_t size)
{
    const char *given = key->fallback ? key->fallback : key->instead;
    if (!given)
        *text = '\0';
    else if (key->type == KEY_NAME)
        snprintf(text, size, "%s1, %s2 ..", given, given);
    else
        snprintf(text, size, "%s", given);
    return given != NULL;
}

void room_print_keys(FILE *stream)
{
    fprintf(stream, "%-28s %-10s %-11s %-9s %-28s %s\n", "key", "type", "unit", "default", "range", "meaning");
    for (size_t i = 0; i < key_count; i++) {
        const struct key *key = &keys[i];
        if (key->inner)
            continue;
        char path[80], range[160], fallback[32];
        snprintf(path, sizeof path, "%s.%s", key->group, key->name);
        if (key->type == KEY_CHOICE)
            key_expected(key, range, sizeof range);
        else
            key_range_text(key, range, sizeof range);
        if (!key_default_text(key, fallback, sizeof fallback))
            snprintf(fallback, sizeof fallback, "%s", key->flags & KEY_REQUIRED ? "required" : "-");
        fprintf(stream, "%-28s %-10s %-11s %-9s %-28s %s", path, key_type_text(key), key->unit ? key->unit : "",
                fallback, range, key->meaning);
        const struct key *list = key_list_of(key->group);
        for (unsigned kind = 0; list && key->uses && kind < list->kind_count; kind++)
            if (key_applies(key, kind))
                fprintf(stream, " (%s = \"%s\")", list->kind_key, list->kind_names[kind]);
        fputc('\n', stream);
    }
}
