/* SPDX-License-Identifier: MIT */
/* Reads the definitions supplied with aula, rooms/materials.cfg and rooms/instruments.cfg. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "room/instrument.h"
#include "room/reader.h"

void library_init(struct library *l, const char *name, const char *group)
{
    *l = (struct library){.name = name, .group = group};
    config_init(&l->config);
}

void library_free(struct library *l)
{
    config_destroy(&l->config);
    free(l->path);
    l->path = NULL;
}

static const config_setting_t *group_in(const config_t *config, const char *name)
{
    const config_setting_t *group = member_of(config_root_setting(config), name);
    return group && config_setting_is_group(group) ? group : NULL;
}

const config_setting_t *own_definitions(const struct reader *r, const struct library *l)
{
    return group_in(&r->config, l->group);
}

int library_open(struct reader *r, struct library *l, const config_setting_t **group)
{
    if (!l->read) {
        free(l->path);
        l->path = data_path(l->name, r->error);
        char *folder = l->path ? path_folder(l->path) : NULL;
        int bad = !folder || load_file(r, &l->config, l->path, folder);
        free(folder);
        if (bad)
            return -1;
        l->read = true;
    }
    const config_setting_t *inner = group_in(&l->config, l->group);
    *group = inner ? inner : config_root_setting(&l->config);
    return 0;
}

static bool says_what_reflects(const char *key)
{
    for (enum material_kind kind = 0; kind < MATERIAL_KINDS; kind++)
        if (boundary_kinds[kind].key && !strcmp(boundary_kinds[kind].key, key))
            return true;
    return false;
}

/* Copies the members of a definition with their lines. The source of its absorption is left out if
 * the absorption is replaced. */
static int copy_definition(struct reader *r, config_setting_t *to, const config_setting_t *from, const char *file,
                           const char *key)
{
    for (unsigned i = 0; i < (unsigned)config_setting_length(from); i++) {
        const config_setting_t *member = config_setting_get_elem(from, i);
        if (!strcmp(member->name, "source") && says_what_reflects(key))
            continue;
        config_setting_t *copy = config_setting_add(to, member->name, config_setting_type(member));
        if (!copy || copy_value(copy, member))
            return reader_no_memory(r);
        copy->file = file;
        copy->line = member->line;
    }
    return 0;
}

bool is_of_library(const struct library *l, const config_setting_t *setting)
{
    return setting->config == &l->config || (l->adopted && setting->file == l->adopted);
}

static struct library *library_of(struct reader *r, const char *group)
{
    struct library *libraries[] = {&r->materials, &r->instruments};
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        if (!strcmp(libraries[i]->group, group))
            return libraries[i];
    return NULL;
}

/* Makes a definition of the library one of the room file. */
static int adopt(struct reader *r, struct library *l, const config_setting_t *definition, const char *key)
{
    config_setting_t *root = config_root_setting(&r->config), *own = config_setting_get_member(root, l->group);
    if (!own)
        own = config_setting_add(root, l->group, CONFIG_TYPE_GROUP);
    if (own && !config_setting_is_group(own)) /* refused where the file is read */
        return 0;
    config_setting_t *copy = own ? config_setting_add(own, definition->name, CONFIG_TYPE_GROUP) : NULL;
    if (!l->adopted)
        l->adopted = reader_keep(r, l->path);
    if (!copy || !l->adopted)
        return reader_no_memory(r);
    copy->file = l->adopted;
    copy->line = definition->line;
    return copy_definition(r, copy, definition, l->adopted, key);
}

int library_adopt(struct reader *r, const char *group, const char *name, const char *key, bool *unused)
{
    struct library *l = library_of(r, group);
    const config_setting_t *definitions = NULL, *own = l ? member_of(own_definitions(r, l), name) : NULL;
    *unused = l == &r->instruments && r->room->from_sidecar;
    if (!l || !*name || *unused)
        return 0;
    if (own && is_of_library(l, own) && says_what_reflects(key) && member_of(own, "source"))
        config_setting_remove((config_setting_t *)own, "source");
    if (own)
        return 0;
    const struct error before = *r->error;
    if (library_open(r, l, &definitions)) { /* reported when one of its definitions is used */
        *r->error = before;
        return 0;
    }
    const config_setting_t *definition = member_of(definitions, name);
    return definition && config_setting_is_group(definition) ? adopt(r, l, definition, key) : 0;
}

/* Instruments by name: presets of the room file, presets of rooms/instruments.cfg, and instruments
 * of the room. */

static int refuse_unknown(struct reader *r, const config_setting_t *setting, const char *name,
                          const config_setting_t *const groups[2])
{
    size_t count = 0, used = 0;
    char given[QUOTED];
    for (size_t g = 0; g < 2; g++)
        count += groups[g] ? (size_t)config_setting_length(groups[g]) : 0;
    const char **names = malloc((count + 1) * sizeof *names);
    if (!names)
        return reader_no_memory(r);
    for (size_t g = 0; g < 2; g++)
        for (unsigned i = 0; groups[g] && i < (unsigned)config_setting_length(groups[g]); i++)
            names[used++] = config_setting_get_elem(groups[g], i)->name;
    ptrdiff_t closest = text_closest(name, names, used);
    if (closest >= 0)
        reader_refuse(r, setting, NULL, "unknown preset \"%s\"; did you mean \"%s\"?", quoted(given, name),
                      names[closest]);
    else
        reader_refuse(r, setting, NULL,
                      "unknown preset \"%s\"; define it under presets, or choose one from rooms/instruments.cfg",
                      quoted(given, name));
    free(names);
    return -1;
}

static int check_preset(struct reader *r, const config_setting_t *preset, const char *key)
{
    const config_setting_t *another = member_of(preset, key);
    if (!config_setting_is_group(preset))
        return reader_refuse(r, preset, NULL, "expected a group { .. } of instrument keys");
    if (another)
        return reader_refuse(r, another, NULL, "a preset cannot use another preset; copy its keys here");
    return 0;
}

int preset_find(struct reader *r, const config_setting_t *item, const char *key, const config_setting_t **preset)
{
    const config_setting_t *setting = member_of(item, key);
    const config_setting_t *groups[2] = {own_definitions(r, &r->instruments), NULL};
    *preset = NULL;
    if (!setting || config_setting_type(setting) != CONFIG_TYPE_STRING) /* the table of keys refuses another type */
        return 0;
    if (r->room->from_sidecar && !setting->hook) /* a sidecar has every key, and the library may have changed */
        return 0;
    const char *name = config_setting_get_string(setting);
    if (!name)
        name = "";
    *preset = member_of(groups[0], name);
    if (!*preset) {
        if (library_open(r, &r->instruments, &groups[1])) {
            char given[QUOTED];
            struct error why = *r->error;
            return reader_refuse(r, setting, NULL,
                                 "preset \"%s\" is not in this file, and the library cannot be read: %.300s",
                                 quoted(given, name), why.message);
        }
        *preset = member_of(groups[1], name);
    }
    return *preset ? check_preset(r, *preset, key) : refuse_unknown(r, setting, name, groups);
}

/* A cube of 8 m, large enough for every instrument at its centre. */
static char *text_of_all(const config_setting_t *presets)
{
    char *instruments = text_copy(""), *pickups = text_copy(""), *whole = NULL;
    for (unsigned i = 0; i < (unsigned)config_setting_length(presets) && instruments && pickups; i++) {
        const char *name = config_setting_get_elem(presets, i)->name, *comma = i ? ", " : "", *type = NULL;
        const config_setting_t *is = member_of(config_setting_get_elem(presets, i), "type");
        if (is && config_setting_type(is) == CONFIG_TYPE_STRING)
            type = config_setting_get_string(is);
        const bool lies = type && (!strcmp(type, "membrane") || !strcmp(type, "plate"));
        const bool blown = type && !strcmp(type, "wind");
        char *more = text_format("%s%s{ name = \"%s\"; preset = \"%s\"; %s}", instruments, comma, name, name,
                                 lies    ? "position = [4.0, 4.0, 4.0]; "
                                 : blown ? "position = [4.0, 4.0, 4.0]; mouth = [4.0, 4.0, 4.5]; "
                                         : "");
        char *heard = text_format("%s%s{ instrument = \"%s\"; place = %s; }", pickups, comma, name,
                                  lies    ? "[0.1, 0.2]"
                                  : blown ? "1.0"
                                          : "0.1");
        free(instruments);
        free(pickups);
        instruments = more;
        pickups = heard;
    }
    if (instruments && pickups)
        whole = text_format("room: { size = [8.0, 8.0, 8.0]; };\ntime: { duration = 1.0; };\n"
                            "grid: { rate = 8000.0; };\ninstruments: ( %s );\npickups: ( %s );\n",
                            instruments, pickups);
    free(instruments);
    free(pickups);
    return whole;
}

int presets_all(struct reader *r)
{
    const config_setting_t *presets;
    if (library_open(r, &r->instruments, &presets))
        return -1;
    char *text = text_of_all(presets);
    if (!text)
        return reader_no_memory(r);
    const bool good = parse_text(&r->config, text);
    free(text);
    return good ? 0 : fail(r->error, ERROR_INPUT, "%s: contains an invalid instrument name", r->instruments.path);
}

int instrument_use(struct reader *r, const config_setting_t *setting, const char *name, size_t *index)
{
    char why[INSTRUMENT_WHY];
    *index = instrument_find(r->room, name, why);
    return *index < r->room->instrument_count ? 0 : reader_refuse(r, setting, NULL, "%s", why);
}
