/* SPDX-License-Identifier: MIT */
#include "render/file_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/output_set.h"
#include "room/grid/model.h"

struct files {
    const struct room *room;
    size_t first, count; /* sources; sounds */
    const char **paths;  /* of each sound its own and its JSON's, then the others */
};

enum { OF_A_SOUND = 2, SAID = 600 };

/* What a file holds. */
static const char *said_of(char text[SAID], const struct files *f, size_t path)
{
    const size_t sound = path / OF_A_SOUND, files = room_file_count(f->room);
    if (sound >= f->count)
        return "of the run";
    const struct receiver *only = room_file_receiver(f->room, sound % files);
    const char *source = f->count > files ? f->room->sources[f->first + sound / files].name : NULL;
    snprintf(text, SAID, "%s%s%s%s%s", source ? "of source " : "", source ? source : "", source ? " " : "",
             only ? "at receiver " : "at the omni receivers", only ? only->name : "");
    return text;
}

static int refuse(const struct files *f, const size_t pair[2], struct error *e)
{
    char one[SAID], other[SAID];
    const char *a = f->paths[pair[0]], *b = f->paths[pair[1]];
    if (!strcmp(a, b))
        return fail(e, ERROR_USAGE, "%s: is the name of two files, %s and %s: give one of them another name",
                    pair[1] / OF_A_SOUND < f->count ? f->paths[pair[0] - pair[0] % OF_A_SOUND] : a,
                    said_of(one, f, pair[0]), said_of(other, f, pair[1]));
    return fail(e, ERROR_USAGE, "%s and %s: are one file, by a link: remove it, or choose another name", a, b);
}

int file_names_differ(const struct room *room, size_t first, const struct sound_names *names, size_t count,
                      const char *const *others, size_t other_count, struct error *e)
{
    bool found;
    size_t pair[2];
    const size_t sounds = OF_A_SOUND * count;
    struct files f = {room, first, count, calloc(sounds + other_count + 1, sizeof(const char *))};
    if (!f.paths)
        return fail(e, ERROR_MEMORY, "out of memory for the names of %zu files", count);
    for (size_t i = 0; i < count; i++) {
        f.paths[OF_A_SOUND * i] = names[i].sound;
        f.paths[OF_A_SOUND * i + 1] = names[i].json;
    }
    for (size_t i = 0; i < other_count; i++)
        f.paths[sounds + i] = others[i];
    int status = output_clash_find(&found, pair, f.paths, sounds + other_count, e);
    if (!status && found)
        status = refuse(&f, pair, e);
    free(f.paths);
    return status ? -1 : 0;
}
