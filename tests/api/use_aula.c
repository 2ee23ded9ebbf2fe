/* SPDX-License-Identifier: MIT */
/* A program of somebody else: it knows aula.h and nothing more. Compiled against what was installed, as C11 and as
 * C++11, with the other files use_*.c of this folder.
 *   use_aula FOLDER ROOM.cfg ...        writes ROOM's files into the folder */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "use_aula.h"

static int close_room(void *context, double share)
{
    struct aula_room **room = (struct aula_room **)context;
    (void)share;
    aula_room_close(*room);
    *room = NULL;
    return 0;
}

static void use_version(void)
{
    int major = -1, minor = -1, patch = -1;
    printf("aula %s\n", aula_version());
    check(sscanf(aula_version(), "%d.%d.%d", &major, &minor, &patch) == 3, "version has three numbers");
    check(aula_version_number() == major * 10000 + minor * 100 + patch, "and counts as one");
    check(aula_version_number() == AULA_HEADER_VERSION, "header and library are of one version");
}

static void refuse_files(const char *room_path, const struct aula_response *response)
{
    const struct aula_response *one[] = {response}, *none[] = {NULL};
    check_refused(aula_responses_write(NULL, 1, "x.wav", &error), "responses is NULL", "no responses to write");
    check_refused(aula_responses_write(none, 1, "x.wav", &error), "responses[0]", "a NULL among them");
    check_refused(aula_responses_write(one, 0, "x.wav", &error), "0 responses", "none of them");
    check_refused(aula_responses_write(one, 1, NULL, &error), "path is NULL", "no path");
    check_refused(aula_responses_write(one, 1, "", &error), "path is empty", "an empty path");
    check_refused(aula_responses_write(one, 1, "x.ogg", &error), ".wav", "what is no WAV");
    check_refused(aula_responses_write(one, 1, room_path, &error), "", "the room file");
    check(aula_responses_write(one, 1, "no such folder/x.wav", &error) != 0 && error.exit_status == 1,
          "no such folder");
    poison();
}

static struct aula_room *open_room(const char *path)
{
    const char *settings[] = {"grid.rate=4000", "time.duration=0.4", "output.rate=8000", "output.format=double",
                              "hybrid.full=false"};
    struct aula_room *room = NULL;
    if (aula_room_open(&room, path, settings, sizeof settings / sizeof *settings, &error))
        give_up(&error);
    return room;
}

/* What renders holds the room. */
static void close_while_rendering(const char *path)
{
    struct aula_room *room = open_room(path);
    struct aula_options options = options_of(1);
    struct aula_response *response = NULL;
    options.progress = close_room;
    options.context = &room;
    check(!aula_render(&response, room, 0, &options, &error) && !room, "a room may be closed while it is rendered");
    check(aula_response_frames(response) == 3200 && aula_response_samples(response, 0), "and the response is there");
    aula_response_close(response);
}

/* time.duration = "auto" takes as long as the decay does: so long, given by hand, it is the same response. */
static void follow_a_decay(const char *path)
{
    char duration[64] = "time.duration=auto";
    const char *settings[] = {"grid.rate=3000", "output.rate=8000", "hybrid.full=false", duration};
    struct aula_response *responses[2];
    for (int i = 0; i < 2; i++) {
        struct aula_room *room = NULL;
        if (aula_room_open(&room, path, settings, sizeof settings / sizeof *settings, &error))
            give_up(&error);
        responses[i] = render(room, 0);
        snprintf(duration, sizeof duration, "time.duration=%.4f", (double)aula_response_frames(responses[0]) / 8000.0);
        aula_room_close(room);
    }
    const size_t frames = aula_response_frames(responses[0]);
    check(frames >= 1600 && frames <= 24000 && frames == aula_response_frames(responses[1]),
          "auto: a length of its own");
    check(!memcmp(aula_response_samples(responses[0], 0), aula_response_samples(responses[1], 0),
                  frames * sizeof(double)),
          "auto: the bits of the same length given by hand");
    aula_response_close(responses[0]);
    aula_response_close(responses[1]);
}

/* A band in place of a rate: another scheme for one source than for all of them at once, of the same band. */
static void ask_for_a_band(const char *path)
{
    const char *settings[] = {"grid.scheme=auto", "grid.max_frequency=200", "time.duration=0.2", "output.rate=8000",
                              "hybrid.full=false"};
    struct aula_room *room = NULL;
    struct aula_grid grid;
    if (aula_room_open(&room, path, settings, sizeof settings / sizeof *settings, &error))
        give_up(&error);
    aula_room_grid(room, &grid);
    check(grid.valid_frequency == 200.0, "a band is met as asked");
    check(fabs(grid.size[0] - (double)(grid.points[0] - 1) * grid.spacing) < 1e-9, "by points at corners of cells");
    struct aula_response *one = render(room, 0), *all = render(room, AULA_ALL_SOURCES);
    const size_t frames[2] = {aula_response_frames(one), aula_response_frames(all)};
    check(frames[0] == 1600 && frames[1] == 1600, "one source and all of them last as long as the duration");
    double energy[2] = {0.0, 0.0};
    for (size_t n = 0; n < 1600; n++) {
        energy[0] += aula_response_samples(one, 0)[n] * aula_response_samples(one, 0)[n];
        energy[1] += aula_response_samples(all, 0)[n] * aula_response_samples(all, 0)[n];
    }
    check(energy[0] > 0.0 && energy[1] > 0.0 && energy[0] + energy[1] < 1e9, "sound");
    aula_room_close(room);
    aula_response_close(one);
    aula_response_close(all);
}

/* Figures of the whole band are those of its file, to the last bit. */
static void hear_the_whole_band(const char *folder, const char *path)
{
    const char *settings[] = {"grid.rate=3000",       "time.duration=0.2", "output.rate=16000",
                              "output.format=double", "hybrid.rays=1000",  "hybrid.order=1"};
    struct aula_room *room = NULL;
    struct aula_metrics *here = NULL, *there = NULL;
    char wav[512];
    size_t differing = 0;
    if (aula_room_open(&room, path, settings, sizeof settings / sizeof *settings, &error))
        give_up(&error);
    struct aula_response *response = render(room, 0);
    const struct aula_response *written[] = {response};
    snprintf(wav, sizeof wav, "%s/whole_band.wav", folder);
    if (aula_responses_write(written, 1, wav, &error) || aula_metrics_of_response(&here, response, &error) ||
        aula_metrics_of_file(&there, wav, &error))
        give_up(&error);
    check(aula_metrics_validity(here, 0, 6) == AULA_VALID, "the octave of 4 kHz is valid above waves to 230 Hz");
    for (size_t band = 0; band <= AULA_BROAD_BAND; band++) {
        const double a = aula_metrics_value(here, 0, band, AULA_EDT), b = aula_metrics_value(there, 0, band, AULA_EDT);
        differing += !(a == b || (isnan(a) && isnan(b)));
    }
    check(differing == 0, "the file of the whole band has the same figures");
    aula_metrics_close(here);
    aula_metrics_close(there);
    aula_response_close(response);
    aula_room_close(room);
}

static const char *stem_of(const char *path, char stem[64])
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    snprintf(stem, 64, "%.*s", (int)strcspn(name, "."), name);
    return stem;
}

static void use_room(const char *folder, const char *path)
{
    struct aula_room *room = open_room(path);
    struct aula_response *responses[8];
    const struct aula_response *written[8];
    char stem[64], wav[512];
    const size_t sources = aula_room_source_count(room);
    printf("# %s\n", path);
    if (sources < 1 || sources > 8)
        exit(1);
    use_grid(room);
    use_places(room, sources, aula_room_source_name, aula_room_source_position);
    check(aula_room_receiver_channels(room, 0) == 1, "an omni receiver has one channel");
    check(aula_room_receiver_channels(room, aula_room_receiver_count(room)) == 0, "and none has none");
    use_places(room, aula_room_receiver_count(room), aula_room_receiver_name, aula_room_receiver_position);
    use_materials(room);
    refuse_renders(room);
    for (size_t s = 0; s < sources; s++)
        written[s] = responses[s] = render(room, s);
    use_response(room, responses[0]);
    use_copies(room, responses[0]);
    use_program(room, responses[0], folder);
    use_all_sources(room, responses, sources);
    refuse_auralizations(responses[0]);
    use_auralization(responses, sources);
    refuse_files(path, responses[0]);
    aula_room_close(room); /* what was made from it goes on */

    stem_of(path, stem);
    snprintf(wav, sizeof wav, "%s/%s.wav", folder, stem);
    check(!aula_responses_write(written, sources, wav, &error), "files for all sources");
    if (sources > 1) {
        const struct aula_response *swapped[] = {written[1], written[0]};
        poison();
        check_refused(aula_responses_write(swapped, 2, wav, &error), "in their order", "but not in another order");
    }
    snprintf(wav, sizeof wav, "%s/%s_one.wav", folder, stem);
    check(!aula_responses_write(written, 1, wav, &error), "and one");
    use_metrics(responses[0], wav);
    for (size_t s = 0; s < sources; s++)
        aula_response_close(responses[s]);
}

int main(int count, char **words)
{
    if (count < 3)
        return 2;
    use_version();
    refuse_rooms(words[2]);
    ask_no_room();
    refuse_metrics();
    close_while_rendering(words[2]);
    follow_a_decay(words[2]);
    ask_for_a_band(words[2]);
    hear_the_whole_band(words[1], words[2]);
    use_texts();
    use_sweeps();
    use_analysis(words[1]);
    for (int i = 2; i < count; i++)
        use_room(words[1], words[i]);
    printf("%d failed\n", failures);
    return failures != 0;
}
