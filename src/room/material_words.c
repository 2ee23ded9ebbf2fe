/* SPDX-License-Identifier: MIT */
/* Names of materials, and other words for them from the library rooms/materials.cfg, for suggestions. */
#include <stdlib.h>

#include "base/synonyms.h"
#include "room/reader.h"

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
    if (library_open(r, &r->materials, &groups[1])) { /* told where a material of it is used */
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
