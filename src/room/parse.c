/* Walks the tree of the room file by the table of keys. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/stop.h"
#include "base/text.h"
#include "room/reader.h"

struct place {
    const char *group;
    const config_setting_t *setting; /* NULL: the group is not in the file, every key takes its default */
    char *base;                      /* the struct of this group */
    const struct key *list;          /* the list it is an item of, or NULL */
    size_t number;                   /* its index there */
    const config_setting_t *preset;  /* what an item of a list takes the keys from that it does not give; NULL: none */
    const config_setting_t *around;  /* the closest setting there is, for messages about what is missing */
    struct meant meant;
};

static int read_place(struct reader *r, struct place *place);
static void read_name(struct reader *r, struct place *place);

static unsigned kind_of(const struct place *place)
{
    unsigned kind = 0;
    if (place->list && place->list->kind_key)
        memcpy(&kind, place->base + place->list->kind, sizeof kind);
    return kind;
}

/* The setting of a key of this name: of the group itself, else of its preset. */
static const config_setting_t *setting_of(const struct place *place, const char *name)
{
    const config_setting_t *own = member_of(place->setting, name);
    return own ? own : member_of(place->preset, name);
}

/* The presets of this file, whether they are used or not; values are checked where they are. */
static int check_presets(struct reader *r, const struct key *key, const config_setting_t *presets)
{
    for (unsigned i = 0; i < (unsigned)config_setting_length(presets); i++) {
        const config_setting_t *preset = config_setting_get_elem(presets, i);
        struct meant meant = {0};
        if (!config_setting_is_group(preset)) {
            reader_refuse(r, preset, NULL, "expected a group { .. } of keys of an instrument");
            if (!reader_goes_on(r))
                return -1;
        } else if (refuse_unknown_members(r, key->inner, preset, &meant)) {
            return -1;
        }
    }
    return 0;
}

static bool is_spared(const struct place *place, const struct key *key)
{
    const config_setting_t *other = key->spared_by ? member_of(place->setting, key->spared_by) : NULL;
    return other && is_sequence(other) && config_setting_length(other);
}

/* For a required list that is not there, when the one that would spare it is there and empty: a piece that plays nothing. */
static bool spare_is_empty(const struct place *place, const struct key *key)
{
    const config_setting_t *other = key->spared_by ? member_of(place->setting, key->spared_by) : NULL;
    return other && is_sequence(other) && !config_setting_length(other);
}

static int read_item(struct reader *r, const struct key *list, const config_setting_t *item, size_t number, char *base)
{
    struct origin origin = reader_origin(r, item);
    const config_setting_t *preset = NULL;
    memcpy(base + list->origin, &origin, sizeof origin);
    if (!config_setting_is_group(item))
        return reader_refuse(r, item, NULL, "expected a group { .. }");
    const bool lacks_preset = list->preset && preset_find(r, item, list->preset, &preset);
    struct place place = {.group = list->inner,
                          .setting = item,
                          .base = base,
                          .list = list,
                          .number = number,
                          .preset = preset,
                          .around = item};
    if (!lacks_preset)
        return read_place(r, &place);
    read_name(r, &place); /* others may name it */
    return -1;
}

static int read_list(struct reader *r, const struct place *place, const struct key *key,
                     const config_setting_t *setting)
{
    char *base = place->base;
    size_t count = (size_t)config_setting_length(setting);
    char expected[256];
    key_expected(key, expected, sizeof expected);
    if (!config_setting_is_list(setting) && !(config_setting_is_array(setting) && !count))
        return reader_refuse(r, setting, NULL, "expected %s", expected);
    if (!count && key->flags & KEY_REQUIRED && spare_is_empty(place, key))
        return reader_refuse(r, setting, NULL, "is empty, and so is %s; expected %s, or %s for aula synth",
                             key->spared_by, expected, key->spared_by);
    if (!count)
        return key->flags & KEY_REQUIRED && !is_spared(place, key)
                   ? reader_refuse(r, setting, NULL, "is empty; expected %s", expected)
                   : 0;
    char *items = calloc(count, key->item_size);
    if (!items)
        return reader_no_memory(r);
    memcpy(base + key->offset, &items, sizeof items);
    memcpy(base + key->count, &count, sizeof count);
    for (size_t i = 0; i < count; i++) {
        const size_t before = r->complaints.count;
        const config_setting_t *item = config_setting_get_elem(setting, (unsigned)i);
        if (stop_check(r->error) || (read_item(r, key, item, i, items + i * key->item_size) && !reader_goes_on(r)))
            return -1;
        if (r->complaints.count > before)
            reader_mark_wrong(r, items + i * key->item_size);
    }
    return 0;
}

static int keep_text(struct reader *r, char *text, char **target)
{
    if (!text)
        return reader_no_memory(r);
    free(*target);
    *target = text;
    return 0;
}

/* The value that stands in the file. */
static int read_value(struct reader *r, const struct place *place, const struct key *key,
                      const config_setting_t *setting)
{
    char *base = place->base;
    const char *text;
    double numbers[3];
    char expected[256];
    unsigned choice;
    switch (key->type) {
    case KEY_GROUP:
    case KEY_DEFINITIONS:
    case KEY_PRESETS:
        if (!config_setting_is_group(setting)) {
            key_expected(key, expected, sizeof expected);
            return reader_refuse(r, setting, NULL, "expected %s", expected);
        }
        if (key->type == KEY_DEFINITIONS)
            return materials_check(r, setting);
        if (key->type == KEY_PRESETS)
            return check_presets(r, key, setting);
        return read_place(r, &(struct place){.group = key->inner, .setting = setting, .base = base, .around = setting});
    case KEY_LIST:
        return read_list(r, place, key, setting);
    case KEY_WHOLE:
        if (read_number(r, key, setting, numbers))
            return -1;
        if (*numbers != floor(*numbers))
            return refuse_type(r, key, setting);
        *(size_t *)(void *)(base + key->offset) = (size_t)*numbers;
        return 0;
    case KEY_PAIR:
        if (read_numbers(r, key, setting, numbers, 2))
            return -1;
        memcpy(base + key->offset, numbers, 2 * sizeof *numbers);
        return 0;
    case KEY_PLACE:
        return read_place_on(r, key, setting, (double *)(void *)(base + key->offset));
    case KEY_NOTE_NAME:
        return read_note(r, key, setting, (double *)(void *)(base + key->offset));
    case KEY_NUMBER:
        if (read_number(r, key, setting, numbers))
            return -1;
        memcpy(base + key->offset, numbers, sizeof *numbers);
        return 0;
    case KEY_LOGICAL:
        if (config_setting_type(setting) != CONFIG_TYPE_BOOL)
            return reader_refuse(r, setting, NULL, "expected true or false");
        *(bool *)(base + key->offset) = config_setting_get_bool(setting) != 0;
        return 0;
    case KEY_CHOICE:
        if (read_choice(r, key, setting, &choice))
            return -1;
        memcpy(base + key->offset, &choice, sizeof choice);
        return 0;
    case KEY_POSITION:
        if (read_numbers(r, key, setting, numbers, 3))
            return -1;
        memcpy(base + key->offset, numbers, 3 * sizeof *numbers);
        return 0;
    case KEY_POINTS:
        if (read_numbers(r, key, setting, numbers, 3))
            return -1;
        for (size_t i = 0; i < 3; i++)
            ((size_t *)(void *)(base + key->offset))[i] = (size_t)numbers[i];
        return 0;
    case KEY_BANDS:
        return read_bands(r, key, setting, key->octaves ? member_of(place->setting, key->octaves) : NULL,
                          (double *)(void *)(base + key->offset));
    case KEY_OCTAVES:
        return check_octaves(r, key, setting);
    case KEY_BRANCHES:
        return read_branches(r, key, setting, (struct branch *)(void *)(base + key->offset),
                             (size_t *)(void *)(base + key->count));
    case KEY_SPAN:
        return read_numbers(r, key, setting, numbers, 2);
    default:
        break;
    }
    if (read_text(r, key, setting, &text)) /* every other type is a text */
        return -1;
    if (!*text && key->type != KEY_NOTE && key->type != KEY_TEXT) {
        key_expected(key, expected, sizeof expected);
        return reader_refuse(r, setting, NULL, "is empty; expected %s", expected);
    }
    switch (key->type) {
    case KEY_MATERIAL:
        return material_use(r, setting, text, (size_t *)(void *)(base + key->offset));
    case KEY_MATERIAL_NAME:
        return material_check_name(r, setting, text);
    case KEY_INSTRUMENT:
        return instrument_use(r, setting, text, (size_t *)(void *)(base + key->offset));
    case KEY_PATH:
        return keep_text(r, path_join(r->folder, text), (char **)(void *)(base + key->offset));
    case KEY_NAME:
    case KEY_TEXT:
        return keep_text(r, text_copy(text), (char **)(void *)(base + key->offset));
    default: /* KEY_NOTE is for people */
        return 0;
    }
}

/* "[0.3, 0]" or "0.2" */
static void default_pair(const char *text, double pair[2])
{
    char first[32];
    const char *second = strchr(text, ',');
    const char *start = text + (*text == '[');
    snprintf(first, sizeof first, "%.*s", (int)(second ? second - start : (ptrdiff_t)strlen(start)), start);
    text_number(first, &pair[0]);
    if (!second)
        return;
    snprintf(first, sizeof first, "%s", second + 1 + strspn(second + 1, " "));
    first[strcspn(first, "]")] = '\0';
    text_number(first, &pair[1]);
}

static int read_default(struct reader *r, const struct place *place, const struct key *key)
{
    char *base = place->base;
    double number;
    switch (key->type) {
    case KEY_GROUP:
        return read_place(r, &(struct place){.group = key->inner, .base = base, .around = place->around});
    case KEY_NUMBER:
        if (key->fallback && !text_number(key->fallback, &number))
            memcpy(base + key->offset, &number, sizeof number);
        return 0;
    case KEY_WHOLE:
        if (key->fallback && !text_number(key->fallback, &number))
            *(size_t *)(void *)(base + key->offset) = (size_t)number;
        return 0;
    case KEY_PAIR:
    case KEY_PLACE:
        if (key->fallback)
            default_pair(key->fallback, (double *)(void *)(base + key->offset));
        return 0;
    case KEY_LOGICAL:
        *(bool *)(base + key->offset) = !strcmp(key->fallback, "true");
        return 0;
    case KEY_CHOICE:
        if (!key->fallback)
            memcpy(base + key->offset, &(unsigned){CHOICE_OPEN}, sizeof(unsigned));
        for (unsigned i = 0; key->fallback && i < key->choice_count; i++)
            if (!strcmp(key->fallback, key->choices[i]))
                memcpy(base + key->offset, &i, sizeof i);
        return 0;
    case KEY_NAME:
        return keep_text(r, text_format("%s%zu", key->fallback, place->number + 1),
                         (char **)(void *)(base + key->offset));
    case KEY_MATERIAL: {
        const struct key *instead = key_find(key->group, key->instead, 0);
        const config_setting_t *named = member_of(place->setting, key->instead);
        if (named)
            return read_value(r, place, key, named);
        return material_use(r, place->around, instead->fallback, (size_t *)(void *)(base + key->offset));
    }
    default:
        return 0;
    }
}

/* The first of the keys that exclude this one; NULL: none is given. What the group gives itself excludes what its preset
 * gives, and not the other way round. */
static const config_setting_t *rival_of(const struct place *place, const struct key *key)
{
    const config_setting_t *rival = NULL;
    for (const char *const *name = key->unless; *name && !rival; name++)
        rival = member_of(place->setting, *name);
    for (const char *const *name = key->unless; *name && !rival && !member_of(place->setting, key->name); name++)
        rival = member_of(place->preset, *name);
    return rival;
}

static const config_setting_t *given_to(const struct place *place, const struct key *key)
{
    const config_setting_t *own = member_of(place->setting, key->name);
    for (const char *const *name = key->unless; *name && !own; name++)
        if (member_of(place->setting, *name))
            return NULL;
    return own ? own : member_of(place->preset, key->name);
}

/* ", and so are impedance and branches" */
static const char *rivals_missing(const struct key *key, char *text, size_t size)
{
    size_t used = 0;
    *text = '\0';
    for (const char *const *name = key->unless; *name && used < size; name++)
        used += (size_t)snprintf(text + used, size - used, "%s%s",
                                 used             ? " and "
                                 : key->unless[1] ? ", and so are "
                                                  : ", and so is ",
                                 *name);
    return text;
}

static int read_key(struct reader *r, struct place *place, const struct key *key)
{
    const config_setting_t *given = given_to(place, key), *other = rival_of(place, key);
    char expected[256];
    if (given && other) {
        char where[512], path[256];
        struct origin origin = reader_origin(r, other);
        origin_text(&origin, "", where, sizeof where);
        setting_path(other, r->definition, NULL, path, sizeof path);
        meant_add(&place->meant, other->name);
        return reader_refuse(r, given, NULL, "%s is given too (%s); give one of the two", path, where);
    }
    if (given && key->needs && !setting_of(place, key->needs)) {
        meant_add(&place->meant, key->needs);
        return reader_refuse(r, given, NULL, "is used with %s only; give that or leave this out", key->needs);
    }
    if (given) {
        if (key->origin && key->type != KEY_LIST) {
            struct origin origin = reader_origin(r, given);
            memcpy(place->base + key->origin, &origin, sizeof origin);
        }
        if (key->given)
            *(bool *)(place->base + key->given) = true;
        return read_value(r, place, key, given);
    }
    if (other)
        return 0;
    if (key->flags & KEY_REQUIRED && !is_spared(place, key)) {
        const char *group = place->setting ? NULL : place->group; /* a group that is missing is named in full */
        char path[96], rivals[96];
        snprintf(path, sizeof path, "%s%s%s", group ? group : "", group ? "." : "", key->name);
        key_expected(key, expected, sizeof expected);
        if (spare_is_empty(place, key))
            return reader_refuse(r, place->around, path,
                                 "is missing, and %s is empty; expected %s, or %s for aula synth", key->spared_by,
                                 expected, key->spared_by);
        return reader_refuse(r, place->around, path, "is missing%s; expected %s",
                             rivals_missing(key, rivals, sizeof rivals), expected);
    }
    return read_default(r, place, key);
}

/* What is missing was meant, or one of those that would do in its place; what is given is in the way of another. */
static bool was_told(const struct place *place, const struct key *key)
{
    bool told = meant_has(&place->meant, key->name);
    if (given_to(place, key))
        return told && rival_of(place, key);
    for (const char *const *rival = key->unless; *rival; rival++)
        told = told || meant_has(&place->meant, *rival);
    return told && key->flags & KEY_REQUIRED;
}

/* The name of an item of which nothing else can be read. */
static void read_name(struct reader *r, struct place *place)
{
    const struct error before = *r->error;
    const struct origin refused = r->refused;
    for (size_t i = 0; i < key_count; i++)
        if (keys[i].type == KEY_NAME && !strcmp(keys[i].group, place->group))
            read_key(r, place, &keys[i]);
    *r->error = before; /* which is what is told of this item */
    r->refused = refused;
}

/* 0, whatever was refused and kept; -1: give up. */
static int read_place(struct reader *r, struct place *place)
{
    if (refuse_unknown_members(r, place->group, place->setting, &place->meant) ||
        refuse_unknown_members(r, place->group, place->preset, &place->meant))
        return -1;
    for (size_t i = 0; i < key_count; i++) {
        const struct key *key = &keys[i];
        if (strcmp(key->group, place->group) || !key_applies(key, kind_of(place)))
            continue;
        const bool told = was_told(place, key);
        if (!told && !read_key(r, place, key))
            continue;
        if (!told && (!reader_goes_on(r) || (key->type == KEY_NAME && read_default(r, place, key))))
            return -1;
        if (place->list && place->list->kind_key && !strcmp(key->name, place->list->kind_key))
            return 0; /* which keys an item has follows from its kind */
    }
    /* Last, because only now the kind is known and right. */
    return place->list && place->list->kind_key &&
                   (refuse_unused_members(r, place->list, kind_of(place), place->setting) ||
                    refuse_unused_members(r, place->list, kind_of(place), place->preset))
               ? -1
               : 0;
}

int read_group(struct reader *r, const char *group, const config_setting_t *setting, void *base, const struct key *list,
               size_t number)
{
    return read_place(
        r, &(struct place){
               .group = group, .setting = setting, .base = base, .list = list, .number = number, .around = setting});
}
