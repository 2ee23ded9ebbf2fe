/* SPDX-License-Identifier: MIT */
/* Instruments by name: presets of the room file or of the library rooms/instruments.cfg, and the room's own. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "room/instrument.h"
#include "room/reader.h"

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
                      "unknown preset \"%s\"; define it under presets, or choose one of rooms/instruments.cfg",
                      quoted(given, name));
    free(names);
    return -1;
}

static int check_preset(struct reader *r, const config_setting_t *preset, const char *key)
{
    const config_setting_t *another = member_of(preset, key);
    if (!config_setting_is_group(preset))
        return reader_refuse(r, preset, NULL, "expected a group { .. } of keys of an instrument");
    if (another)
        return reader_refuse(r, another, NULL, "a preset cannot be made from another; give its keys here");
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

/* A room of 8 m a side, in the middle of which every instrument fits. */
static char *text_of_all(const config_setting_t *presets)
{
    char *instruments = text_copy(""), *pickups = text_copy(""), *whole = NULL;
    for (unsigned i = 0; i < (unsigned)config_setting_length(presets) && instruments && pickups; i++) {
        const char *name = config_setting_get_elem(presets, i)->name, *comma = i ? ", " : "", *type = NULL;
        const config_setting_t *is = member_of(config_setting_get_elem(presets, i), "type");
        if (is && config_setting_type(is) == CONFIG_TYPE_STRING)
            type = config_setting_get_string(is);
        const bool lies = type && (!strcmp(type, "membrane") || !strcmp(type, "plate"));
        char *more = text_format("%s%s{ name = \"%s\"; preset = \"%s\"; %s}", instruments, comma, name, name,
                                 lies ? "position = [4.0, 4.0, 4.0]; " : "");
        char *heard =
            text_format("%s%s{ instrument = \"%s\"; place = %s; }", pickups, comma, name, lies ? "[0.1, 0.2]" : "0.1");
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
    return good ? 0 : fail(r->error, ERROR_INPUT, "%s: has a name that no instrument can have", r->instruments.path);
}

int instrument_use(struct reader *r, const config_setting_t *setting, const char *name, size_t *index)
{
    char why[INSTRUMENT_WHY];
    *index = instrument_find(r->room, name, why);
    return *index < r->room->instrument_count ? 0 : reader_refuse(r, setting, NULL, "%s", why);
}
