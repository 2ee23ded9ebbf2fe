/* A program of somebody else: it knows aula.h and nothing more. Compiled against what was installed, as C11 and as C++11.
 *   use_aula FOLDER ROOM.cfg ...        writes ROOM's files into the folder */
#include <aula.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

static void check(int good, const char *what)
{
    printf("%s  %s\n", good ? "ok   " : "FAIL ", what);
    failures += !good;
}

static void give_up(const struct aula_error *error)
{
    printf("FAIL   %s\n", error->message);
    exit(1);
}

/* Poisoned before each call that has to fail. */
static struct aula_error error;

static void poison(void)
{
    error.exit_status = 77;
    memset(error.message, 'x', sizeof error.message - 1);
}

/* The call failed as a wrong use does, and its message names the culprit. */
static void check_refused(int status, const char *culprit, const char *what)
{
    check(status != 0 && error.exit_status == 2 && strlen(error.message) < 400 &&
              strstr(error.message, culprit) != NULL,
          what);
    poison();
}

static int same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static int count_calls(void *context, double share)
{
    int *calls = (int *)context;
    ++*calls;
    return !(share >= 0.0 && share <= 1.0); /* a share that is none stops the work */
}

static int stop_at_once(void *context, double share)
{
    (void)context;
    (void)share;
    return 1;
}

static int close_room(void *context, double share)
{
    struct aula_room **room = (struct aula_room **)context;
    (void)share;
    aula_room_close(*room);
    *room = NULL;
    return 0;
}

static struct aula_options options_of(int threads)
{
    struct aula_options options;
    memset(&options, 0, sizeof options);
    options.engine = "cpu";
    options.threads = threads;
    return options;
}

static void use_version(void)
{
    int major = -1, minor = -1, patch = -1;
    printf("aula %s\n", aula_version());
    check(sscanf(aula_version(), "%d.%d.%d", &major, &minor, &patch) == 3, "version has three numbers");
    check(aula_version_number() == major * 10000 + minor * 100 + patch, "and counts as one");
    check(aula_version_number() == AULA_HEADER_VERSION, "header and library are of one version");
}

static void refuse_rooms(const char *path)
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

static void ask_no_room(void)
{
    double a[AULA_OCTAVES] = {0}, b[AULA_OCTAVES] = {0};
    struct aula_grid grid;
    memset(&grid, 1, sizeof grid);
    check(aula_room_grid(NULL, &grid) != 0 && grid.points[0] == 0 && grid.rate == 0.0, "the grid of no room is zero");
    check(aula_room_grid(NULL, NULL) != 0, "with nowhere to put it");
    check(isnan(aula_room_volume(NULL)), "no volume");
    check(!aula_room_source_count(NULL) && !aula_room_receiver_count(NULL), "no sources and receivers");
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

static void use_grid(const struct aula_room *room)
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
static void use_places(const struct aula_room *room, size_t count,
                       const char *(*name)(const struct aula_room *, size_t),
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

static void use_materials(const struct aula_room *room)
{
    const size_t count = aula_room_material_count(room);
    size_t branches = 0, asked = 0;
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
                /* 8|Y| is the most that a locally reacting wall absorbs */
                check(8.0 * admittance_at(room, i, 2.0 * 3.14159265358979 * aula_octave_centre(band)) >=
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

static void refuse_renders(const struct aula_room *room)
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
    check_refused(aula_render(&response, room, 0, &options, &error) && !response, "options.engine abacus: no such",
                  "an unknown engine");
    options.engine = "";
    check_refused(aula_render(&response, room, 0, &options, &error) && !response, "options.engine is empty",
                  "an engine without a name");
    options.engine = "cpu";
    options.progress = stop_at_once;
    check(aula_render(&response, room, 0, &options, &error) != 0 && error.exit_status == 1, "progress may stop it");
    check(!aula_response_warning(NULL, 0) && !aula_response_samples(NULL, 0), "no response has no samples");
    check(!aula_response_channels(NULL) && !aula_response_frames(NULL) && isnan(aula_response_rate(NULL)), "nor size");
    check(!aula_response_is_filter(NULL), "nor kind");
    aula_response_close(NULL);
}

static struct aula_response *render(const struct aula_room *room, size_t source)
{
    struct aula_options options = options_of(1);
    struct aula_response *response = NULL;
    int calls = 0;
    options.progress = count_calls;
    options.context = &calls;
    if (aula_render(&response, room, source, &options, &error))
        give_up(&error);
    check(calls > 0, "progress was called");
    return response;
}

static void use_response(const struct aula_room *room, const struct aula_response *response)
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
        check(note && !strcmp(note, "it is the response to several sources at once: G is left out"),
              "why there is no G");
    else
        check(!note, "one source needs no note");
    aula_metrics_close(metrics);
}

/* All sources at once are the sum of each. */
static void use_all_sources(const struct aula_room *room, struct aula_response *const *each, size_t sources)
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

static void refuse_metrics(void)
{
    struct aula_metrics *metrics = NULL;
    check_refused(aula_metrics_of_response(&metrics, NULL, &error) && !metrics, "response is NULL",
                  "figures of nothing");
    check_refused(aula_metrics_of_response(NULL, NULL, &error), "metrics is NULL", "no place for figures");
    check_refused(aula_metrics_of_file(&metrics, NULL, &error) && !metrics, "path is NULL", "figures of no file");
    check_refused(aula_metrics_of_file(&metrics, "", &error) && !metrics, "path is empty", "nor of an empty name");
    check_refused(aula_metrics_of_file(NULL, "x.wav", &error), "metrics is NULL", "no place for figures of a file");
    check_refused(aula_metrics_of_file(&metrics, "no such.wav", &error) && !metrics, "no such.wav", "a missing file");
    check(!aula_metrics_channels(NULL) && !aula_metrics_note(NULL), "no figures");
    check(isnan(aula_metrics_arrival(NULL, 0)) && isnan(aula_metrics_sti(NULL, 0)), "of nothing");
    check(isnan(aula_metrics_figure(NULL, 0, 0, AULA_T30)) && !aula_metrics_missing(NULL, 0, 0, AULA_T30), "at all");
    check(!aula_metrics_sti_missing(NULL, 0) && aula_metrics_validity(NULL, 0, 0) == AULA_OUTSIDE, "nor valid");
    double sti = 0.5, octaves[AULA_SPEECH_OCTAVES] = {0};
    struct aula_speech speech;
    memset(&speech, 0, sizeof speech);
    speech.level = 60.0;
    check_refused(aula_metrics_speech(&sti, octaves, NULL, 0, &speech, &error) && isnan(sti) && isnan(octaves[6]),
                  "metrics is NULL", "no index of no figures");
    check_refused(aula_metrics_speech(NULL, NULL, NULL, 0, &speech, &error), "sti is NULL", "no place for an index");
    aula_metrics_close(NULL);
}

static const enum aula_figure figures[] = {AULA_EDT, AULA_T20, AULA_T30, AULA_C50,  AULA_C80,
                                           AULA_D50, AULA_TS,  AULA_G,   AULA_RANGE};
enum { FIGURES = sizeof figures / sizeof *figures };

/* No index of so narrow a band, for that reason and no other. */
static void use_speech(const struct aula_metrics *metrics, size_t channels)
{
    double sti = 0.5, noise[AULA_SPEECH_OCTAVES] = {45.0, 40.0, 35.0, 30.0, 25.0, 20.0, 15.0};
    struct aula_speech speech;
    memset(&speech, 0, sizeof speech);
    speech.level = 60.0;
    speech.noise = noise;
    check_refused(aula_metrics_speech(&sti, NULL, metrics, 0, &speech, &error) && isnan(sti),
                  "no speech transmission index: the band lies beyond", "no index of so narrow a band");
    check_refused(aula_metrics_speech(&sti, NULL, metrics, channels, &speech, &error), "channel ",
                  "nor beyond the last");
    check_refused(aula_metrics_speech(&sti, NULL, metrics, 0, NULL, &error), "speech is NULL", "nor of no speech");
    noise[3] = 300.0;
    check_refused(aula_metrics_speech(&sti, NULL, metrics, 0, &speech, &error), "speech.noise: 300",
                  "nor of such noise");
    speech.noise = NULL;
    speech.level = NAN;
    check_refused(aula_metrics_speech(&sti, NULL, metrics, 0, &speech, &error), "speech.level", "nor of no level");
    speech.level = 60.0;
    speech.reserved[2] = noise;
    check_refused(aula_metrics_speech(&sti, NULL, metrics, 0, &speech, &error), "speech.reserved", "nor unzeroed");
}

/* Figures of the response are those of the file that was written of it. */
static void use_metrics(const struct aula_response *response, const char *path)
{
    struct aula_metrics *here = NULL, *there = NULL;
    size_t given = 0, missing = 0, differing = 0;
    if (aula_metrics_of_response(&here, response, &error) || aula_metrics_of_file(&there, path, &error))
        give_up(&error);
    const size_t channels = aula_response_channels(response);
    check(aula_metrics_channels(here) == channels && aula_metrics_channels(there) == channels,
          "figures of each channel");
    check(!aula_metrics_note(here) && !aula_metrics_note(there), "nothing is taken for granted");
    for (size_t c = 0; c < channels; c++) {
        check(aula_metrics_arrival(here, c) > 0.0 && aula_metrics_arrival(here, c) < 0.1, "sound arrives");
        check(isnan(aula_metrics_sti(here, c)) && strstr(aula_metrics_sti_missing(here, c), "8 kHz"),
              "no STI of so narrow a band, and why");
        check(aula_metrics_validity(here, c, 1) == AULA_VALID, "the octave of 125 Hz is valid");
        check(aula_metrics_validity(here, c, AULA_OCTAVES - 1) == AULA_OUTSIDE, "that of 8 kHz is not");
        for (size_t band = 0; band <= AULA_BROAD_BAND; band++)
            for (size_t f = 0; f < FIGURES; f++) {
                const double figure = aula_metrics_figure(here, c, band, figures[f]);
                const char *why = aula_metrics_missing(here, c, band, figures[f]);
                differing += !same_number(figure, aula_metrics_figure(there, c, band, figures[f]));
                given += isfinite(figure) && why && !*why;
                missing += isnan(figure) && why && *why;
            }
        const double t20 = aula_metrics_figure(here, c, 1, AULA_T20), d50 = aula_metrics_figure(here, c, 1, AULA_D50);
        const double c50 = aula_metrics_figure(here, c, 1, AULA_C50);
        check(t20 > 0.05 && t20 < 5.0, "T20 at 125 Hz is one of a room");
        check(fabs(c50 - 10.0 * log10(d50 / (1.0 - d50))) < 1e-9, "C50 and D50 are of one energy");
    }
    check(differing == 0, "of the file the same figures");
    check(given + missing == channels * (AULA_BROAD_BAND + 1) * FIGURES && given > missing / 4,
          "each figure is there, or the reason why it is not");
    check(isnan(aula_metrics_figure(here, channels, 1, AULA_T20)) && !aula_metrics_missing(here, 0, 99, AULA_T20),
          "none beyond the last");
    check(isnan(aula_metrics_figure(here, 0, 1, (enum aula_figure)99)), "nor of no name");
    use_speech(here, channels);
    aula_metrics_close(here);
    aula_metrics_close(there);
}

static void refuse_auralizations(const struct aula_response *response)
{
    struct aula_sound *wet = NULL;
    const struct aula_response *one[] = {response}, *none[] = {NULL};
    double dry[4] = {1.0, 0.0, 0.0, 0.0};
    check_refused(aula_auralize(NULL, one, 1, dry, 4, 8000.0, &error), "wet is NULL", "no place for a sound");
    check_refused(aula_auralize(&wet, NULL, 1, dry, 4, 8000.0, &error) && !wet, "responses is NULL", "no responses");
    check_refused(aula_auralize(&wet, none, 1, dry, 4, 8000.0, &error) && !wet, "responses[0]", "a NULL among them");
    check_refused(aula_auralize(&wet, one, 0, dry, 4, 8000.0, &error) && !wet, "0 responses", "none of them");
    check_refused(aula_auralize(&wet, one, 1, NULL, 4, 8000.0, &error) && !wet, "dry is NULL", "no dry sound");
    check_refused(aula_auralize(&wet, one, 1, dry, 0, 8000.0, &error) && !wet, "frames", "no frames");
    check_refused(aula_auralize(&wet, one, 1, dry, 4, NAN, &error) && !wet, "rate", "no rate");
    check_refused(aula_auralize(&wet, one, 1, dry, 4, -8000.0, &error) && !wet, "rate", "a negative one");
    check_refused(aula_auralize(&wet, one, 1, dry, 4, 1e9, &error) && !wet, "256", "one too far");
    dry[2] = NAN;
    check_refused(aula_auralize(&wet, one, 1, dry, 4, 8000.0, &error) && !wet, "dry[0][2]", "what is no sample");
    check(!aula_sound_channels(NULL) && !aula_sound_frames(NULL) && isnan(aula_sound_rate(NULL)), "no sound");
    check(!aula_sound_samples(NULL, 0) && !aula_sound_warning(NULL, 0), "has no samples");
    aula_sound_close(NULL);
}

/* A click in the last channel after a few frames gives the last response so much later. */
static void use_auralization(struct aula_response *const *responses, size_t sources)
{
    enum { FRAMES = 50, LATE = 7 };
    double *dry = (double *)calloc(sources * FRAMES, sizeof *dry);
    const struct aula_response **given = (const struct aula_response **)calloc(sources, sizeof *given);
    struct aula_sound *wet = NULL;
    if (!dry || !given)
        exit(1);
    for (size_t s = 0; s < sources; s++)
        given[s] = responses[s];
    dry[(sources - 1) * FRAMES + LATE] = 0.5;
    if (aula_auralize(&wet, given, sources, dry, FRAMES, 8000.0, &error))
        give_up(&error);
    const size_t frames = aula_response_frames(given[0]), channels = aula_response_channels(given[0]);
    check(aula_sound_channels(wet) == channels && aula_sound_rate(wet) == 8000.0, "as many channels, at that rate");
    check(aula_sound_frames(wet) == frames + FRAMES - 1, "both lengths in a row");
    check(!aula_sound_warning(wet, 0) && !aula_sound_samples(wet, channels), "no warnings, no more channels");
    for (size_t c = 0; c < channels; c++) {
        const double *sound = aula_sound_samples(wet, c), *response = aula_response_samples(given[sources - 1], c);
        double worst = 0.0, peak = 0.0;
        for (size_t n = 0; n < frames; n++) {
            worst = fmax(worst, fabs(sound[n + LATE] - 0.5 * response[n]));
            worst = isnan(sound[n]) ? INFINITY : worst;
            peak = fmax(peak, fabs(response[n]));
        }
        check(worst <= 1e-6 * peak, "a click comes out as the response");
    }
    aula_sound_close(wet);
    wet = NULL;
    dry[(sources - 1) * FRAMES + LATE] = 0.0;
    check(!aula_auralize(&wet, given, sources, dry, FRAMES, 4000.0, NULL), "silence, at another rate");
    check(wet && aula_sound_frames(wet) == frames + 2 * FRAMES - 1, "is twice as many frames");
    check(aula_sound_warning(wet, 0) && strstr(aula_sound_warning(wet, 0), "silent"), "and is said to be silent");
    aula_sound_close(wet);
    free(given);
    free(dry);
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
    const char *settings[] = {"grid.rate=4000", "time.duration=0.4", "output.rate=8000", "output.format=double"};
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
    const char *settings[] = {"grid.rate=3000", "output.rate=8000", duration};
    struct aula_response *responses[2];
    for (int i = 0; i < 2; i++) {
        struct aula_room *room = NULL;
        if (aula_room_open(&room, path, settings, 3, &error))
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
    use_places(room, aula_room_receiver_count(room), aula_room_receiver_name, aula_room_receiver_position);
    use_materials(room);
    refuse_renders(room);
    for (size_t s = 0; s < sources; s++)
        written[s] = responses[s] = render(room, s);
    use_response(room, responses[0]);
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
    for (int i = 2; i < count; i++)
        use_room(words[1], words[i]);
    printf("%d failed\n", failures);
    return failures != 0;
}
