/* SPDX-License-Identifier: MIT */
/* Definitions that ship with aula: rooms/materials.cfg, rooms/instruments.cfg. */
#include <stdlib.h>

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
