/* SPDX-License-Identifier: MIT */
/* Rooms, their grids, places and materials, and their responses. */
#include <math.h>
#include <string.h>

#include "use_aula.h"

static int stop_at_once(void *context, double share)
{
    (void)context;
    (void)share;
    return 1;
}

void refuse_rooms(const char *path)
{
    struct aula_room *room = NULL;
    const char *settings[] = {"grid.rate=2000", NULL};
    poison();
    check_refused(aula_room_open(&room, "no such room.cfg", NULL, 0, &error) || room, "no such room.cfg",
                  "a missing room is refused");
    check(aula_room_open(&room, "no such room.cfg", NULL, 0, NULL) != 0, "without a place for the error too");
    check_refused(aula_room_open(NULL, path, NULL, 0, &error), "room is NULL", "no place for a room");
    check_refused(aula_room_open(&room, NULL, NULL, 0, &error) && !room, "path is NULL", "no path");
    check_refused(aula_room_open(&room, path, NULL, 1, &error) && !room, "settings is NULL",
                  "settings that are not there");
    check_refused(aula_room_open(&room, path, settings, 2, &error) && !room, "settings[1]", "a setting that is NULL");
    settings[1] = "";
    check_refused(aula_room_open(&room, path, settings, 2, &error) && !room, "settings[1] of 2 is empty",
                  "an empty one");
    settings[1] = "grid.rat=2000";
    const int refused = aula_room_open(&room, path, settings, 2, &error);
    check(!strstr(error.message, "--set"), "messages are not those of the command line");
    check_refused(refused && !room, "setting grid.rat=2000: ", "an unknown key of a setting");
    check_refused(aula_room_open(&room, "", NULL, 0, &error) && !room, "path is empty", "an empty path");
    check(aula_room_open(NULL, NULL, NULL, 3, NULL) != 0, "nothing at all");
    aula_room_close(NULL);
}

void ask_no_room(void)
{
    double a[AULA_OCTAVES] = {0}, b[AULA_OCTAVES] = {0};
    struct aula_grid grid;
    memset(&grid, 1, sizeof grid);
    check(aula_room_grid(NULL, &grid) != 0 && grid.points[0] == 0 && grid.rate == 0.0, "the grid of no room is zero");
    check(aula_room_grid(NULL, NULL) != 0, "with nowhere to put it");
    check(isnan(aula_room_volume(NULL)), "no volume");
    check(!aula_room_source_count(NULL) && !aula_room_receiver_count(NULL), "no sources and receivers");
    check(!aula_room_receiver_channels(NULL, 0), "nor channels of one");
    check(!aula_room_source_name(NULL, 0) && !aula_room_receiver_name(NULL, 0), "no names");
    check(!aula_room_remark(NULL, 0), "no remarks");
    check(aula_room_source_position(NULL, 0, a, b) != 0 && isnan(a[0]) && isnan(b[2]), "no source's position");
    check(aula_room_receiver_position(NULL, 0, a, NULL) != 0 && isnan(a[1]), "no receiver's position");
    check(!aula_room_material_count(NULL) && !aula_room_material_name(NULL, 0), "no materials");
    check(aula_room_material_kind(NULL, 0) == AULA_MATERIAL_NONE, "of no kind");
    check(aula_room_material_absorption(NULL, 0, a, b) != 0 && isnan(a[7]) && isnan(b[0]), "no absorption");
    check(isnan(aula_room_material_admittance(NULL, 0)) && !aula_room_material_branch_count(NULL, 0), "no wall");
    check(aula_room_material_branch(NULL, 0, 0, a) != 0 && isnan(a[0]), "no branches");
    check(aula_room_material_branch(NULL, 0, 0, NULL) != 0, "with nowhere to put them");
}

void use_grid(const struct aula_room *room)
{
    struct aula_grid grid;
    memset(&grid, 1, sizeof grid);
    check(aula_room_grid(room, &grid) == 0, "a room has a grid");
    check(aula_room_grid(room, NULL) != 0, "but not without a place for it");
    check(grid.points[0] > 1 && grid.points[1] > 1 && grid.points[2] > 1, "grid has points");
    check(grid.rate == 4000.0, "grid has the rate that was set");
    check(fabs(grid.size[0] - (double)grid.points[0] * grid.spacing) < 1e-9, "size is points times spacing");
    check(grid.valid_frequency > 0.0 && grid.valid_frequency < 1000.0, "valid band lies below half the rate");
    check(grid.reserved[0] == 0.0 && grid.reserved[7] == 0.0, "what is reserved is 0");
    const double volume = aula_room_volume(room), box = grid.size[0] * grid.size[1] * grid.size[2];
    check(volume > 0.8 * box && volume < 0.99 * box, "volume is that of the air: less what objects take");
}

/* Names and positions of sources or receivers. */
void use_places(const struct aula_room *room, size_t count, const char *(*name)(const struct aula_room *, size_t),
                int (*position)(const struct aula_room *, size_t, double[3], double[3]))
{
    struct aula_grid grid;
    aula_room_grid(room, &grid);
    check(count > 0, "there are some");
    check(!name(room, count) && !name(room, (size_t)-1), "no names beyond the last");
    for (size_t i = 0; i < count; i++) {
        double asked[3] = {NAN, NAN, NAN}, placed[3] = {NAN, NAN, NAN};
        check(name(room, i) && *name(room, i), "a name");
        check(position(room, i, asked, placed) == 0, "a position");
        for (int axis = 0; axis < 3; axis++) {
            check(asked[axis] > 0.0 && placed[axis] > 0.0 && placed[axis] < grid.size[axis], "in the room");
            check(fabs(asked[axis] - placed[axis]) <= grid.spacing, "placed within a cell of it");
        }
        check(position(room, i, NULL, NULL) == 0, "nobody need look");
    }
    double beyond[3] = {1.0, 1.0, 1.0};
    check(position(room, count, beyond, NULL) != 0 && isnan(beyond[0]), "no position beyond the last");
}

/* |Y| of a wall at an angular frequency. */
static double admittance_at(const struct aula_room *room, size_t material, double omega)
{
    double real = aula_room_material_admittance(room, material), imaginary = 0.0;
    for (size_t k = 0; k < aula_room_material_branch_count(room, material); k++) {
        double branch[3] = {NAN, NAN, NAN};
        check(aula_room_material_branch(room, material, k, branch) == 0, "a branch");
        check(branch[0] >= 0.0 && branch[1] >= 0.0 && branch[2] >= 0.0, "is passive");
        const double reactance = omega * branch[0] - branch[2] / omega;
        const double square = branch[1] * branch[1] + reactance * reactance;
        real += branch[1] / square;
        imaginary -= reactance / square;
    }
    return sqrt(real * real + imaginary * imaginary);
}

void use_materials(const struct aula_room *room)
{
    const size_t count = aula_room_material_count(room);
    size_t branches = 0, asked = 0;
    struct aula_grid grid;
    check(aula_room_grid(room, &grid) == 0, "the grid");
    check(aula_octave_centre(0) == 63.0 && aula_octave_centre(AULA_OCTAVES - 1) == 8000.0, "octaves, 63 Hz to 8 kHz");
    check(isnan(aula_octave_centre(AULA_OCTAVES)), "and no more");
    check(count > 0 && !aula_room_material_name(room, count), "materials");
    check(aula_room_material_kind(room, count) == AULA_MATERIAL_NONE, "none beyond the last");
    for (size_t i = 0; i < count; i++) {
        double target[AULA_OCTAVES], fitted[AULA_OCTAVES];
        memset(target, 1, sizeof target);
        memset(fitted, 1, sizeof fitted);
        check(aula_room_material_name(room, i) && *aula_room_material_name(room, i), "a name");
        check(aula_room_material_absorption(room, i, target, fitted) == 0, "absorption");
        check(aula_room_material_absorption(room, i, NULL, NULL) == 0, "nobody need look");
        branches += aula_room_material_branch_count(room, i);
        for (size_t band = 0; band < AULA_OCTAVES; band++)
            if (!isnan(target[band]) && aula_room_material_kind(room, i) == AULA_MATERIAL_ABSORPTION) {
                asked++;
                check(fabs(fitted[band] - target[band]) <= 0.1, "fitted close to its target");
                /* 8|Y| is the most that a locally reacting wall absorbs; what is stepped is the wall up to the valid band */
                check(aula_octave_centre(band) > grid.valid_frequency ||
                          8.0 * admittance_at(room, i, 2.0 * 3.14159265358979 * aula_octave_centre(band)) >=
                              0.5 * fitted[band],
                      "by a wall that can");
            }
        double beyond[3] = {0.0, 0.0, 0.0};
        check(aula_room_material_branch(room, i, aula_room_material_branch_count(room, i), beyond) != 0 &&
                  isnan(beyond[2]),
              "no branch beyond the last");
    }
    check(asked > 0 && branches > 0, "some absorb, by branches");
}

void refuse_renders(const struct aula_room *room)
{
    struct aula_response *response = NULL;
    struct aula_options options = options_of(1);
    const size_t sources = aula_room_source_count(room);
    check_refused(aula_render(&response, room, sources, &options, &error) && !response, "source ",
                  "a source beyond the last is refused");
    check_refused(aula_render(NULL, room, 0, NULL, &error), "response is NULL", "no place for a response");
    check_refused(aula_render(&response, NULL, 0, NULL, &error) && !response, "room is NULL", "no room");
    check(aula_render(NULL, NULL, 0, NULL, NULL) != 0, "nothing at all");
    options.threads = -1;
    check_refused(aula_render(&response, room, 0, &options, &error) && !response, "threads is -1", "negative threads");
    options.threads = 2147483647;
    check_refused(aula_render(&response, room, 0, &options, &error) && !response, "4096", "threads beyond reason");
    options.threads = 1;
    options.reserved[7] = &options;
    check_refused(aula_render(&response, room, 0, &options, &error) && !response, "reserved", "options of the future");
    options.reserved[7] = NULL;
    options.engine = "abacus";
    check_refused(aula_render(&response, room, 0, &options, &error) && !response, "engine abacus: unknown engine",
                  "an unknown engine");
    options.engine = "";
    check_refused(aula_render(&response, room, 0, &options, &error) && !response, "engine is empty",
                  "an engine without a name");
    options.engine = "cpu";
    options.progress = stop_at_once;
    check(aula_render(&response, room, 0, &options, &error) != 0 && error.exit_status == 1, "progress may stop it");
    check(!aula_response_warning(NULL, 0) && !aula_response_samples(NULL, 0), "no response has no samples");
    check(!aula_response_channels(NULL) && !aula_response_frames(NULL) && isnan(aula_response_rate(NULL)), "nor size");
    check(!aula_response_is_filter(NULL), "nor kind");
    aula_response_close(NULL);
}

void use_response(const struct aula_room *room, const struct aula_response *response)
{
    const size_t frames = aula_response_frames(response), receivers = aula_room_receiver_count(room);
    check(aula_response_channels(response) == receivers, "a channel for each receiver");
    check(frames == 3200, "duration times rate frames");
    check(aula_response_rate(response) == 8000.0, "rate");
    check(aula_response_is_filter(response) == 1, "an impulse response");
    check(!aula_response_samples(response, receivers), "no samples beyond the last channel");
    check(!aula_response_warning(response, 0), "nothing to warn of");
    for (size_t c = 0; c < receivers; c++) {
        const double *samples = aula_response_samples(response, c);
        double peak = 0.0;
        int finite = samples != NULL;
        for (size_t n = 0; finite && n < frames; n++) {
            finite = isfinite(samples[n]);
            peak = fmax(peak, fabs(samples[n]));
        }
        check(finite, "samples are finite");
        check(peak > 1e-6 && peak < 1.0, "samples are not silent, nor absurd");
    }
    struct aula_response *again = NULL;
    check(!aula_render(&again, room, 0, NULL, NULL), "without options and without a place for the error");
    check(again &&
              !memcmp(aula_response_samples(again, 0), aula_response_samples(response, 0), frames * sizeof(double)),
          "the same bits again");
    aula_response_close(again);
}

/* The note is the one that the file would have; G is left out with it. */
static void check_note(const struct aula_response *all, size_t sources)
{
    struct aula_metrics *metrics = NULL;
    if (aula_metrics_of_response(&metrics, all, &error))
        give_up(&error);
    const char *note = aula_metrics_note(metrics);
    if (sources > 1)
        check(note && !strcmp(note, "this is the response to several sources; G is omitted"), "why there is no G");
    else
        check(!note, "one source needs no note");
    aula_metrics_close(metrics);
}

/* All sources at once are the sum of each. */
void use_all_sources(const struct aula_room *room, struct aula_response *const *each, size_t sources)
{
    struct aula_response *all = render(room, AULA_ALL_SOURCES);
    check_note(all, sources);
    double worst = 0.0, peak = 0.0;
    check(aula_response_frames(all) == aula_response_frames(each[0]), "all sources together last as long");
    for (size_t n = 0; n < aula_response_frames(all); n++) {
        double sum = 0.0;
        for (size_t s = 0; s < sources; s++)
            sum += aula_response_samples(each[s], 0)[n];
        worst = fmax(worst, fabs(sum - aula_response_samples(all, 0)[n]));
        peak = fmax(peak, fabs(sum));
    }
    check(worst <= 2e-2 * peak, "and are the sum of each, but for the air's way into the two");
    aula_response_close(all);
}
