/* SPDX-License-Identifier: MIT */
/* Reads the tree of a room file by the table of keys. */
#include <string.h>

#include "base/text.h"
#include "room/key_types.h"

static unsigned kind_of(const struct place *place)
{
    unsigned kind = 0;
    if (place->list && place->list->kind_key)
        memcpy(&kind, place->base + place->list->kind, sizeof kind);
    return kind;
}

/* The setting of this name in the group itself, or else in its preset. */
static const config_setting_t *setting_of(const struct place *place, const char *name)
{
    const config_setting_t *own = member_of(place->setting, name);
    return own ? own : member_of(place->preset, name);
}

bool is_spared(const struct place *place, const struct key *key)
{
    const config_setting_t *other = key->spared_by ? member_of(place->setting, key->spared_by) : NULL;
    return other && is_sequence(other) && config_setting_length(other);
}

bool spare_is_empty(const struct place *place, const struct key *key)
{
    const config_setting_t *other = key->spared_by ? member_of(place->setting, key->spared_by) : NULL;
    return other && is_sequence(other) && !config_setting_length(other);
}

/* The first key in the file that excludes this one, or NULL. Keys of a group exclude those of its
 * preset, but not vice versa. */
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

/* ", and so are points, corners and geometry" */
static const char *rivals_missing(const struct key *key, char *text, size_t size)
{
    size_t used = 0;
    *text = '\0';
    for (const char *const *name = key->unless; *name && used < size; name++)
        used += (size_t)snprintf(text + used, size - used, "%s%s",
                                 used             ? name[1] ? ", " : " and "
                                 : key->unless[1] ? ", and so are "
                                                  : ", and so is ",
                                 *name);
    return text;
}

static int read_default(struct reader *r, const struct place *place, const struct key *key)
{
    const struct key_type *type = key_types[key->type];
    return type->take_default ? type->take_default(r, place, key) : 0;
}

static bool fits_room(const struct reader *r, const struct key *key)
{
    return !key->forms || (key->forms >> room_form(r->room) & 1);
}

/* Refuses a key that this form of room does not use, and lists the keys of the group that it does
 * use. */
static int refuse_form(struct reader *r, const struct key *key, const config_setting_t *given)
{
    static const char *const forms[] = {"a box", "a room with corners", "a room with geometry"};
    char known[160] = "";
    size_t used = 0;
    for (size_t i = 0; i < key_count && used < sizeof known; i++)
        if (!strcmp(keys[i].group, key->group) && fits_room(r, &keys[i]))
            used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", keys[i].name);
    return reader_refuse(r, given, NULL, "is not used in %s; remove it (valid keys: %s)", forms[room_form(r->room)],
                         known);
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
        return reader_refuse(r, given, NULL, "%s is also set (%s); remove one of the two", path, where);
    }
    if (!fits_room(r, key) && !*key->unless)
        return given ? refuse_form(r, key, given) : 0;
    if (given && key->needs && !setting_of(place, key->needs)) {
        meant_add(&place->meant, key->needs);
        return reader_refuse(r, given, NULL, "is used with %s only; set that or remove this", key->needs);
    }
    if (given) {
        if (key->origin && key->type != KEY_LIST) {
            struct origin origin = reader_origin(r, given);
            memcpy(place->base + key->origin, &origin, sizeof origin);
        }
        return key_types[key->type]->read(r, place, key, given);
    }
    if (other)
        return 0;
    const bool needed = !key->needs || setting_of(place, key->needs);
    if (key->flags & KEY_REQUIRED && needed && !is_spared(place, key)) {
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

/* Whether a mistake about this key has been reported: the key is missing because it or an
 * alternative was misspelt, or it is set and excludes another. */
static bool is_reported(const struct place *place, const struct key *key)
{
    bool reported = meant_has(&place->meant, key->name);
    if (given_to(place, key))
        return reported && rival_of(place, key);
    for (const char *const *rival = key->unless; *rival; rival++)
        reported = reported || meant_has(&place->meant, *rival);
    return reported && key->flags & KEY_REQUIRED;
}

void read_item_name(struct reader *r, struct place *place)
{
    const struct error before = *r->error;
    const struct origin refused = r->refused;
    for (size_t i = 0; i < key_count; i++)
        if (keys[i].type == KEY_NAME && !strcmp(keys[i].group, place->group))
            read_key(r, place, &keys[i]);
    *r->error = before; /* the one to report of this item */
    r->refused = refused;
}

/* Runs first, because the form of the room determines the valid keys. */
static void mark_given(const struct place *place)
{
    for (size_t i = 0; i < key_count; i++)
        if (keys[i].given && !strcmp(keys[i].group, place->group) && setting_of(place, keys[i].name))
            *(bool *)(place->base + keys[i].given) = true;
}

int read_place(struct reader *r, struct place *place)
{
    mark_given(place);
    if (refuse_unknown_members(r, place->group, place->setting, &place->meant) ||
        refuse_unknown_members(r, place->group, place->preset, &place->meant))
        return -1;
    for (size_t i = 0; i < key_count; i++) {
        const struct key *key = &keys[i];
        if (strcmp(key->group, place->group) || !key_applies(key, kind_of(place)))
            continue;
        const bool reported = is_reported(place, key);
        if (!reported && !read_key(r, place, key))
            continue;
        if (!reported && (!reader_goes_on(r) || (key->type == KEY_NAME && read_default(r, place, key))))
            return -1;
        if (place->list && place->list->kind_key && !strcmp(key->name, place->list->kind_key))
            return 0; /* the keys of an item depend on its kind */
    }
    /* These checks need the kind of the item, so they come last. */
    return place->list && place->list->kind_key &&
                   (refuse_unused_members(r, place->list, kind_of(place), place->setting) ||
                    refuse_unused_members(r, place->list, kind_of(place), place->preset))
               ? -1
               : 0;
}
