/* SPDX-License-Identifier: MIT */
/* Writes the files of a performance. */
#include <stdlib.h>
#include <string.h>

#include "render/synth/take_file.h"

void take_gains(double gain[2], const struct take *take, const struct room *room)
{
    const struct response *parts[] = {&take->air, &take->pickups};
    for (int i = 0; i < 2; i++) {
        const double peak = response_peak(parts[i]);
        gain[i] = room->output.normalise == NORMALISE_PEAK && peak > 0.0 ? 1.0 / peak : 1.0;
    }
}

static int write_sound(struct output_file *file, struct take_written *f, const struct session *s,
                       const struct take *take, const double gain[2], struct error *e)
{
    const struct audio_description d = {s->room->output.format, "piece",
                                        s->model ? "instruments in the air of a room, by aula synth"
                                                 : "instruments without a room, by aula synth",
                                        f->part.names};
    if (take_file_mix(&f->audio, &f->part, take, gain, e))
        return -1;
    return audio_write_to(file, &f->audio, &d, &f->written, e);
}

int take_file_write(struct output_set *set, struct take_written *f, const struct session *s, const struct take *take,
                    size_t file, const struct sound_names *names, const double gain[2], struct error *e)
{
    struct output_file *pair[2];
    f->names = names;
    if (take_file_make(&f->part, s, file, e) || sound_pair_add(pair, set, names, e) ||
        write_sound(pair[0], f, s, take, gain, e))
        return -1;
    if (!pair[1])
        return 0;
    f->text = take_file_json(&f->part, take, s, &f->written, names->sound, gain);
    return f->text ? output_file_put(pair[1], f->text, e) : fail(e, ERROR_MEMORY, "out of memory");
}

void take_written_free(struct take_written *f)
{
    free(f->audio.samples);
    free(f->text);
    take_file_free(&f->part);
    memset(f, 0, sizeof *f);
}
