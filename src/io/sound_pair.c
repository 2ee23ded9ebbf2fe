#include "io/sound_pair.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/json_beside.h"

void sound_names_free(struct sound_names *names)
{
    free(names->sound);
    free(names->json);
    *names = (struct sound_names){0};
}

int sound_pair_open(struct output_file pair[2], const struct sound_names *names, bool no_clobber, struct error *e)
{
    memset(pair, 0, 2 * sizeof *pair);
    if (output_file_open(&pair[0], names->sound, e))
        return -1;
    if (names->json && output_file_open(&pair[1], names->json, e)) {
        output_file_discard(&pair[0]);
        return -1;
    }
    pair[0].no_clobber = pair[1].no_clobber = no_clobber;
    return 0;
}

int sound_pair_commit(struct output_file pair[2], const char *json, struct error *e)
{
    if (!json || !pair[1].open)
        return output_file_commit(&pair[0], e);
    if (!output_file_put(&pair[1], json, e))
        return output_files_commit(pair, 2, e);
    sound_pair_discard(pair);
    return -1;
}

void sound_pair_discard(struct output_file pair[2])
{
    output_file_discard(&pair[0]);
    output_file_discard(&pair[1]);
}

int sound_pair_check_json(const char *json, struct error *e)
{
    bool ours = true;
    if (json && !access(json, F_OK) && json_is_ours(&ours, json, e))
        return -1;
    if (ours)
        return 0;
    return fail(e, ERROR_USAGE, "%s: is there already, and aula did not write it: move it away, or choose another name",
                json);
}
