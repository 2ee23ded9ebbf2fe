/* SPDX-License-Identifier: MIT */
/* Groups of keys by their names in the previous release. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "room/reader.h"

static const struct {
    const char *former, *name;
} groups[] = {{"band", "hybrid"}};

enum { GROUPS = sizeof groups / sizeof *groups };

const char *former_key(const char *path, size_t *length)
{
    *length = strcspn(path, ".=[ \t");
    for (size_t i = 0; i < GROUPS; i++)
        if (strlen(groups[i].former) == *length && !strncmp(groups[i].former, path, *length))
            return groups[i].name;
    return NULL;
}

void former_keys_found(struct reader *r, const struct origin *origin)
{
    if (!r->room->former_keys.file)
        r->room->former_keys = *origin;
}

static int refuse_both(struct reader *r, const config_setting_t *former, const config_setting_t *present)
{
    char where[512];
    const struct origin origin = reader_origin(r, present);
    return reader_refuse(r, former, NULL, "is called %s now, and %s is given too (%s); move these keys there",
                         present->name, present->name, origin_text(&origin, "", where, sizeof where));
}

int former_keys_rename(struct reader *r)
{
    const config_setting_t *root = config_root_setting(&r->config);
    for (size_t i = 0; i < GROUPS; i++) {
        config_setting_t *former = config_setting_get_member(root, groups[i].former);
        const config_setting_t *present = config_setting_get_member(root, groups[i].name);
        if (!former)
            continue;
        if (present)
            return refuse_both(r, former, present);
        const struct origin origin = reader_origin(r, former);
        char *name = text_copy(groups[i].name);
        if (!name)
            return reader_no_memory(r);
        free(former->name); /* libconfig can only add and remove, which loses lines */
        former->name = name;
        former_keys_found(r, &origin);
    }
    return 0;
}

char *former_keys_note(const struct origin *origin)
{
    char line[24] = "";
    if (origin->line)
        snprintf(line, sizeof line, ", line %d", origin->line);
    return text_format("%s%s: the keys %s.* are called %s.* now", origin->file, line, groups[0].former, groups[0].name);
}
