/* SPDX-License-Identifier: MIT */
/* Scattering coefficients of materials: numbers, or classes of the room file or of
 * rooms/materials.cfg. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "base/text.h"
#include "room/key_types.h"

/* theory (90) */
void scattering_of_smooth_walls(double scattering[OCTAVE_BANDS])
{
    for (size_t b = 0; b < OCTAVE_BANDS; b++)
        scattering[b] = fmin(0.05, fmax(0.01, 0.05 * pow(500.0 / octave_band_centre[b], 2.0)));
}

static const char classes_key[] = "scattering_classes", class_group[] = "scattering_classes.NAME";

void scattering_class_clear(struct scattering_class *c)
{
    free(c->name);
    free(c->source);
    *c = (struct scattering_class){0};
}

/* NULL: the configuration has none. */
static const config_setting_t *classes_in(const config_t *config)
{
    const config_setting_t *group = member_of(config_root_setting(config), classes_key);
    return group && config_setting_is_group(group) ? group : NULL;
}

/* Messages name a class by its own path, not by the material that refers to it. */
static int read_class(struct reader *r, const config_setting_t *setting, struct scattering_class *c)
{
    const config_setting_t *material = r->definition;
    *c = (struct scattering_class){0};
    r->definition = NULL;
    int status =
        config_setting_is_group(setting)
            ? read_place(
                  r, &(struct place){.group = class_group, .setting = setting, .base = (char *)c, .around = setting})
            : reader_refuse(r, setting, NULL, "expected a group such as { scattering = [ .. ]; }");
    if (!status && !(c->name = text_copy(setting->name)))
        status = reader_no_memory(r);
    r->definition = material;
    if (status)
        scattering_class_clear(c);
    return status ? -1 : 0;
}

/* all of the room file */
static int scattering_classes_check(struct reader *r, const config_setting_t *group)
{
    for (unsigned i = 0; i < (unsigned)config_setting_length(group); i++) {
        struct scattering_class c;
        const int status = stop_check(r->error) ? -1 : read_class(r, config_setting_get_elem(group, i), &c);
        if (status && !reader_goes_on(r))
            return -1;
        if (!status)
            scattering_class_clear(&c);
    }
    return 0;
}

int scattering_classes_all(struct reader *r)
{
    const config_setting_t *ignored;
    if (library_open(r, &r->materials, &ignored))
        return -1;
    const config_setting_t *group = classes_in(&r->materials.config);
    const size_t count = group ? (size_t)config_setting_length(group) : 0;
    struct room *room = r->room;
    room->scattering_classes = calloc(count + 1, sizeof *room->scattering_classes);
    if (!room->scattering_classes)
        return reader_no_memory(r);
    for (unsigned i = 0; i < count; i++) {
        if (read_class(r, config_setting_get_elem(group, i), &room->scattering_classes[i]))
            return -1;
        room->scattering_class_count = i + 1;
    }
    return 0;
}

static int refuse_unknown(struct reader *r, const config_setting_t *setting, const char *name,
                          const config_setting_t *const groups[2])
{
    enum { NAMES_MAX = 64 };
    const char *names[NAMES_MAX] = {NULL};
    char given[QUOTED], list[256] = "";
    size_t count = 0;
    for (size_t g = 0; g < 2; g++)
        for (unsigned i = 0; groups[g] && i < (unsigned)config_setting_length(groups[g]) && count < NAMES_MAX; i++)
            names[count++] = config_setting_get_elem(groups[g], i)->name;
    const ptrdiff_t closest = text_closest(name, names, count);
    if (closest >= 0)
        return reader_refuse(r, setting, NULL, "unknown class \"%s\"; did you mean \"%.64s\"?", quoted(given, name),
                             names[closest]);
    for (size_t i = 0, used = 0; i < count && used < sizeof list; i++)
        used +=
            (size_t)snprintf(list + used, sizeof list - used, "%s%.64s", i ? ", " : ", or choose one of ", names[i]);
    return reader_refuse(r, setting, NULL, "unknown class \"%s\"; define it under %s%s", quoted(given, name),
                         classes_key, list);
}

/* Finds a class in the file that refers to it, or in the library. */
static int find_class(struct reader *r, const config_setting_t *setting, const char *name,
                      const config_setting_t **found)
{
    const bool in_library = is_of_library(&r->materials, setting);
    const config_setting_t *groups[2] = {in_library ? NULL : classes_in(&r->config), NULL}, *ignored;
    *found = member_of(groups[0], name);
    if (*found)
        return 0;
    if (library_open(r, &r->materials, &ignored)) {
        char given[QUOTED];
        const struct error why = *r->error;
        return reader_refuse(r, setting, NULL,
                             "class \"%s\" is not in this file, and the library cannot be read: %.300s",
                             quoted(given, name), why.message);
    }
    groups[1] = classes_in(&r->materials.config);
    *found = member_of(groups[1], name);
    return *found ? 0 : refuse_unknown(r, setting, name, groups);
}

/* ---- double[OCTAVE_BANDS] of a struct material: numbers, or the name of a class, or "auto" ---- */

static int default_scattering(struct reader *r, const struct place *place, const struct key *key)
{
    (void)r;
    ((struct material *)(void *)place->base)->smooth = true;
    scattering_of_smooth_walls(key_target(place, key));
    return 0;
}

static int read_scattering(struct reader *r, const struct place *place, const struct key *key,
                           const config_setting_t *setting)
{
    struct material *material = (struct material *)(void *)place->base;
    const config_setting_t *definition;
    struct scattering_class c;
    const char *name;
    if (config_setting_type(setting) != CONFIG_TYPE_STRING)
        return is_sequence(setting) || number_of(setting, &(double){0}) ? type_spectrum.read(r, place, key, setting)
                                                                        : refuse_type(r, key, setting);
    if (read_text(r, key, setting, &name))
        return -1;
    if (!strcmp(name, "auto"))
        return default_scattering(r, place, key);
    if (find_class(r, setting, name, &definition) || read_class(r, definition, &c))
        return -1;
    memcpy(key_target(place, key), c.scattering, sizeof c.scattering);
    free(material->scattering_class);
    material->scattering_class = c.name;
    c.name = NULL;
    scattering_class_clear(&c);
    return 0;
}

static void describe_scattering(const struct key *key, char *text, size_t size)
{
    (void)key;
    snprintf(
        text, size,
        "a number, or %d, one for each octave from 63 Hz to 8 kHz, or the name of a class such as \"audience\", or "
        "\"auto\"",
        (int)OCTAVE_BANDS);
}

static bool write_scattering(cJSON *json, const struct room *room, const struct key *key, const char *base)
{
    if (((const struct material *)(const void *)base)->smooth)
        return cJSON_AddStringToObject(json, key->name, "auto");
    return type_spectrum.write(json, room, key, base);
}

const struct key_type type_scattering = {
    .name = "numbers or class",
    .describe = describe_scattering,
    .read = read_scattering,
    .take_default = default_scattering,
    .write = write_scattering,
};

/* ---- { name = { .. }; .. }: classes of scattering, by name ---- */

static int read_classes(struct reader *r, const struct place *place, const struct key *key,
                        const config_setting_t *setting)
{
    (void)place;
    return config_setting_is_group(setting) ? scattering_classes_check(r, setting) : refuse_type(r, key, setting);
}

const struct key_type type_classes = {
    .name = "groups",
    .expect = "a group of groups: $: { seats = { scattering = [ .. ]; }; };",
    .read = read_classes,
};
