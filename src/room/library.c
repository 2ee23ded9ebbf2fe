/* SPDX-License-Identifier: MIT */
/* Definitions that ship with aula: rooms/materials.cfg, rooms/instruments.cfg. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
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

/* Members of a definition, which keep their lines; what a source says of absorption is left out where that is
 * replaced. */
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

/* A definition of the library as one of the file. */
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
    if (library_open(r, l, &definitions)) { /* told where a definition of it is used */
        *r->error = before;
        return 0;
    }
    const config_setting_t *definition = member_of(definitions, name);
    return definition && config_setting_is_group(definition) ? adopt(r, l, definition, key) : 0;
}
