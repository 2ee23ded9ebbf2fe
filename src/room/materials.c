/* SPDX-License-Identifier: MIT */
/* Finds materials by name: built in, defined in the room file, or in the library
 * rooms/materials.cfg. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "base/synonyms.h"
#include "base/text.h"
#include "room/reader.h"

const struct boundary_kind boundary_kinds[] = {
    [MATERIAL_RIGID] = {.built_in = "rigid", .meaning = "reflects all sound"},
    [MATERIAL_FIXED] = {.built_in = "fixed", .fixed = true, .meaning = "p = 0"},
    [MATERIAL_ABSORPTION] = {.key = "absorption", .example = "absorption = [ .. ];", .has_absorption = true},
    [MATERIAL_IMPEDANCE] = {.key = "impedance", .example = "impedance = 19.0;"},
    [MATERIAL_BRANCHES] = {.key = "branches", .example = "branches = ( [D, E, F], .. );"},
    [MATERIAL_LAYERS] = {.key = "layers", .example = "layers = ( { kind = .. }, .. );"},
};
_Static_assert(sizeof boundary_kinds / sizeof *boundary_kinds == MATERIAL_KINDS, "each kind of wall has a row");

/* MATERIAL_KINDS: no such built-in. */
static enum material_kind built_in_kind(const char *name)
{
    enum material_kind kind = 0;
    while (kind < MATERIAL_KINDS && !(boundary_kinds[kind].built_in && !strcmp(boundary_kinds[kind].built_in, name)))
        kind++;
    return kind;
}

/* The kind follows from the first of its keys; exactly one of them is required. */
static enum material_kind defined_kind(const config_setting_t *definition)
{
    enum material_kind kind = 0;
    while (kind < MATERIAL_KINDS && !(boundary_kinds[kind].key && member_of(definition, boundary_kinds[kind].key)))
        kind++;
    return kind;
}

void material_clear(struct material *material)
{
    free(material->name);
    free(material->source);
    free(material->description);
    free(material->scattering_class);
    material_layers_free(material);
    *material = (struct material){0};
}

static int refuse_no_group(struct reader *r, const config_setting_t *setting)
{
    char examples[256] = "";
    size_t used = 0;
    for (size_t i = 0; i < MATERIAL_KINDS && used < sizeof examples; i++)
        if (boundary_kinds[i].key)
            used += (size_t)snprintf(examples + used, sizeof examples - used, "%s{ %s }", used ? " or " : "",
                                     boundary_kinds[i].example);
    return reader_refuse(r, setting, NULL, "expected a group such as %s", examples);
}

static int read_definition(struct reader *r, const config_setting_t *setting, struct material *material)
{
    const size_t mistakes = r->diagnostics.count;
    *material = (struct material){.origin = reader_origin(r, setting)};
    r->definition = setting;
    if (!config_setting_is_group(setting)) {
        refuse_no_group(r, setting);
        goto fail;
    }
    if (read_place(r, &(struct place){
                          .group = "materials.NAME", .setting = setting, .base = (char *)material, .around = setting}))
        goto fail;
    material->kind = defined_kind(setting);
    if (r->diagnostics.count == mistakes && material_layers_make(r, setting, material))
        goto fail;
    material->name = text_copy(setting->name);
    if (!material->name) {
        reader_no_memory(r);
        goto fail;
    }
    r->definition = NULL;
    return 0;
fail:
    r->definition = NULL;
    material_clear(material);
    return -1;
}

static int check_definition(struct reader *r, const config_setting_t *setting)
{
    struct material material;
    if (built_in_kind(setting->name) < MATERIAL_KINDS)
        return reader_refuse(r, setting, NULL, "is built in; choose another name");
    if (read_definition(r, setting, &material))
        return -1;
    material_clear(&material);
    return 0;
}

int materials_check(struct reader *r, const config_setting_t *group)
{
    for (unsigned i = 0; i < (unsigned)config_setting_length(group); i++) {
        const config_setting_t *setting = config_setting_get_elem(group, i);
        if (stop_check(r->error) || (check_definition(r, setting) && !reader_goes_on(r)))
            return -1;
    }
    return 0;
}

static int refuse_unknown(struct reader *r, const config_setting_t *setting, const char *name)
{
    char given[QUOTED];
    struct material_words words;
    if (material_words_list(&words, r))
        return -1;
    size_t meant[3], found = text_meant(meant, 3, name, words.aliases, words.names, words.count);
    char list[3 * QUOTED + 16] = "";
    for (size_t i = 0, at = 0; i < found; i++)
        at += (size_t)snprintf(list + at, sizeof list - at, "%s\"%.64s\"",
                               !i              ? ""
                               : i + 1 < found ? ", "
                                               : " or ",
                               words.names[meant[i]]);
    if (found)
        reader_refuse(r, setting, NULL, "unknown material \"%s\"; did you mean %s?", quoted(given, name), list);
    else
        reader_refuse(
            r, setting, NULL,
            "unknown material \"%s\"; define it under materials, or choose one that aula info --materials lists",
            quoted(given, name));
    material_words_free(&words);
    return -1;
}

/* *definition stays NULL for a built-in, whose kind is set. */
static int find(struct reader *r, const config_setting_t *setting, const char *name, enum material_kind *kind,
                const config_setting_t **definition)
{
    const config_setting_t *groups[2] = {own_definitions(r, &r->materials), NULL};
    *definition = NULL;
    *kind = built_in_kind(name);
    if (*kind < MATERIAL_KINDS)
        return 0;
    *definition = member_of(groups[0], name);
    if (*definition)
        return 0;
    if (library_open(r, &r->materials, &groups[1])) {
        char given[QUOTED];
        struct error why = *r->error;
        return reader_refuse(r, setting, NULL,
                             "material \"%s\" is not in this file, and the library cannot be read: %.300s",
                             quoted(given, name), why.message);
    }
    *definition = member_of(groups[1], name);
    return *definition ? 0 : refuse_unknown(r, setting, name);
}

int material_check_name(struct reader *r, const config_setting_t *setting, const char *name)
{
    enum material_kind kind;
    const config_setting_t *definition;
    return find(r, setting, name, &kind, &definition);
}

int material_use(struct reader *r, const config_setting_t *setting, const char *name, size_t *index)
{
    struct room *room = r->room;
    const config_setting_t *definition;
    struct material material = {0};
    for (*index = 0; *index < room->material_count; ++*index)
        if (!strcmp(room->materials[*index].name, name))
            return 0;
    if (find(r, setting, name, &material.kind, &definition))
        return -1;
    if (definition) {
        if (read_definition(r, definition, &material))
            return -1;
    } else {
        material.name = text_copy(name);
        material.origin = reader_origin(r, setting);
        material.smooth = true;
        scattering_of_smooth_walls(material.scattering);
    }
    struct material *more = realloc(room->materials, (room->material_count + 1) * sizeof *more);
    if (more)
        room->materials = more;
    if (!more || !material.name) {
        material_clear(&material);
        return reader_no_memory(r);
    }
    more[room->material_count++] = material;
    return 0;
}

int materials_all(struct reader *r)
{
    const config_setting_t *group;
    size_t index;
    if (library_open(r, &r->materials, &group))
        return -1;
    for (unsigned i = 0; i < (unsigned)config_setting_length(group); i++) {
        const config_setting_t *definition = config_setting_get_elem(group, i);
        if (material_use(r, definition, definition->name, &index))
            return -1;
    }
    return 0;
}

/* Names of materials and their synonyms in rooms/materials.cfg, for suggestions. */

/* A fresh table; words without a name are left out. NULL: no memory. */
static struct synonym *read_aliases(const struct library *l)
{
    const config_setting_t *group = l->read ? member_of(config_root_setting(&l->config), "aliases") : NULL;
    const unsigned count = group && config_setting_is_group(group) ? (unsigned)config_setting_length(group) : 0;
    struct synonym *table = calloc(count + 1, sizeof *table);
    size_t used = 0;
    for (unsigned i = 0; table && i < count; i++) {
        const config_setting_t *alias = config_setting_get_elem(group, i);
        size_t names = 0;
        for (int k = 0; k < config_setting_length(alias) && names < SYNONYMS_MAX; k++) {
            const char *name = config_setting_get_string_elem(alias, k);
            if (name)
                table[used].names[names++] = name;
        }
        if (names)
            table[used++].word = alias->name;
    }
    return table;
}

int material_words_list(struct material_words *w, struct reader *r)
{
    const config_setting_t *groups[2] = {own_definitions(r, &r->materials), NULL};
    const struct error before = *r->error;
    if (library_open(r, &r->materials, &groups[1])) { /* reported when one of its materials is used */
        *r->error = before;
        groups[1] = NULL;
    }
    size_t room = MATERIAL_KINDS;
    for (size_t g = 0; g < 2; g++)
        room += groups[g] ? (size_t)config_setting_length(groups[g]) : 0;
    *w = (struct material_words){.names = malloc(room * sizeof *w->names), .aliases = read_aliases(&r->materials)};
    if (!w->names || !w->aliases) {
        material_words_free(w);
        return reader_no_memory(r);
    }
    for (size_t kind = 0; kind < MATERIAL_KINDS; kind++)
        if (boundary_kinds[kind].built_in)
            w->names[w->count++] = boundary_kinds[kind].built_in;
    for (size_t g = 0; g < 2; g++)
        for (unsigned i = 0; groups[g] && i < (unsigned)config_setting_length(groups[g]); i++)
            w->names[w->count++] = config_setting_get_elem(groups[g], i)->name;
    return 0;
}

void material_words_free(struct material_words *w)
{
    free(w->names);
    free(w->aliases);
    *w = (struct material_words){.names = NULL};
}
