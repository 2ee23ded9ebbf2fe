/* SPDX-License-Identifier: MIT */
/* Rooms from texts, what ships, and stopping. */
#include <math.h>
#include <string.h>

#include "use_aula.h"

static const char small[] = "room: { size = [1.0, 1.2, 0.8]; walls: { default = \"brick\"; x_min = \"felt\"; }; };\n"
                            "materials: { felt = { absorption = [0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3]; scattering = "
                            "0.2; source = \"by hand\"; }; };\n"
                            "grid: { rate = 3000.0; };\n"
                            "time: { duration = 0.05; };\n"
                            "hybrid: { full = false; };\n"
                            "sources: ( { position = [0.3, 0.9, 0.6]; } );\n"
                            "receivers: ( { position = [0.7, 0.8, 0.4]; } );\n"
                            "output: { rate = 8000; };\n";

static void refuse_texts(void)
{
    struct aula_room *room = NULL;
    poison();
    check_refused(aula_room_open_text(NULL, "x", small, NULL, 0, &error), "room is NULL", "no place for a room");
    check_refused(aula_room_open_text(&room, NULL, small, NULL, 0, &error) || room, "name is NULL", "no name");
    check_refused(aula_room_open_text(&room, "", small, NULL, 0, &error) || room, "name is empty", "an empty name");
    check_refused(aula_room_open_text(&room, "x", NULL, NULL, 0, &error) || room, "text is NULL", "no text");
    check_refused(aula_room_open_text(&room, "x", "", NULL, 0, &error) || room, "text is empty", "an empty text");
    check_refused(aula_room_open_text(&room, "my/x.cfg", "grid: {\n rat = 3000.0; };\n", NULL, 0, &error) || room,
                  "my/x.cfg:2: grid.rat: ", "a mistake is named by the name of the text, line and key");
    check_refused(aula_room_open_text(&room, "x", "@include \"no such.cfg\"\n", NULL, 0, &error) || room, "no such.cfg",
                  "what a text includes is looked for");
    check_refused(aula_room_open_text(&room, "x", "{ \"room\": 3,, }", NULL, 0, &error) || room,
                  "x:1: ", "and JSON is read as such");
    check(!aula_room_json(NULL), "no room has no JSON");
}

static void use_more_of_materials(const struct aula_room *room)
{
    double scattering[AULA_OCTAVES];
    const size_t count = aula_room_material_count(room);
    double area = 0.0;
    for (size_t i = 0; i < count; i++)
        area += aula_room_material_area(room, i);
    check(count == 2 && fabs(area - 5.92) <= 0.6, "the areas of all materials are that of the room");
    for (size_t i = 0; i < count; i++) {
        const int felt = !strcmp(aula_room_material_name(room, i), "felt");
        check(!aula_room_material_scattering(room, i, scattering) && scattering[0] == (felt ? 0.2 : 0.05),
              "scattering as given, or that of smooth walls");
        check(strstr(aula_room_material_source(room, i), felt ? "by hand" : " ") != NULL, "a publication");
    }
    check(aula_room_material_scattering(room, count, scattering) && isnan(scattering[7]) &&
              aula_room_material_scattering(room, 0, NULL) && isnan(aula_room_material_area(room, count)) &&
              !aula_room_material_source(room, count),
          "none beyond the last");
}

/* What the JSON says is the same room. */
static void use_text(void)
{
    const char *settings[] = {"grid.rate=4000"};
    struct aula_room *room = NULL, *again = NULL;
    if (aula_room_open_text(&room, "small.cfg", small, settings, 1, &error))
        give_up(&error);
    const char *json = aula_room_json(room);
    check(json && strstr(json, "\"felt\"") && json == aula_room_json(room), "the room as it was understood");
    if (!json || aula_room_open_text(&again, "again.json", json, NULL, 0, &error))
        give_up(&error);
    struct aula_grid a, b;
    aula_room_grid(room, &a);
    aula_room_grid(again, &b);
    check(a.rate == 4000.0 && !memcmp(&a, &b, sizeof a), "settings are in it, and it gives the same grid");
    use_more_of_materials(room);
    struct aula_response *one = render(room, 0), *two = render(again, 0);
    double band[2];
    check(aula_response_frames(one) == aula_response_frames(two) &&
              !memcmp(aula_response_samples(one, 0), aula_response_samples(two, 0),
                      aula_response_frames(one) * sizeof(double)),
          "and the same response");
    check(!aula_response_band(one, band) && band[0] >= 0.0 && band[0] < band[1] && band[1] <= a.valid_frequency * 1.001,
          "its valid band is that of the grid");
    check(aula_response_band(NULL, band) && isnan(band[0]) && isnan(band[1]) && aula_response_band(one, NULL),
          "no response has none");
    aula_response_close(one);
    aula_response_close(two);
    aula_room_close(room);
    aula_room_close(again);
}

static void refuse_materials(struct aula_material *brick)
{
    struct aula_material *none = brick;
    struct aula_material_point p;
    struct aula_resonance r;
    poison();
    check_refused(aula_material_make(&none, "cloth 300, air 100", NULL, NULL, 0, &error) || none, "layer 2", "no unit");
    check_refused(aula_material_make(&none, "brickk", NULL, NULL, 0, &error) || none, "brickk", "an unknown material");
    check_refused(aula_material_make(&none, "", NULL, NULL, 0, &error) || none, "name is empty", "no name");
    check_refused(aula_material_make(&none, "brick", "no such.cfg", NULL, 0, &error) || none, "no such.cfg", "no room");
    check_refused(aula_material_make(&none, "brick", NULL, NULL, 1, &error) || none, "settings is NULL", "no settings");
    check_refused(aula_material_make(NULL, "brick", NULL, NULL, 0, &error), "material is NULL", "no place for it");
    check(aula_material_at(brick, 0.5, &p) && isnan(p.absorption[0]) && aula_material_at(NULL, 100.0, &p) &&
              aula_material_at(brick, NAN, &p) && aula_material_at(brick, 100.0, NULL),
          "nor other frequencies");
    check(aula_material_resonance(brick, 64, &r) && isnan(r.frequency) &&
              isnan(aula_material_octave(NULL, AULA_RANDOM, 0)) &&
              isnan(aula_material_octave(brick, AULA_NORMAL, AULA_OCTAVES)) && !aula_material_warning(NULL, 0) &&
              !aula_material_layer_count(NULL) && isnan(aula_material_depth(NULL)) &&
              !aula_material_resonance_count(NULL),
          "nothing beyond the last");
}

/* 1 - |R|² of Y is the absorption, and Maa's panel absorbs as published. */
static void use_layers(void)
{
    struct aula_material *panel = NULL, *brick = NULL;
    struct aula_material_point p;
    struct aula_resonance r;
    const char *cold[] = {"air.temperature=0"};
    if (aula_material_make(&panel, "perforated 0.2 mm 0.2 mm 2.5 mm, air 60 mm", NULL, NULL, 0, &error) ||
        aula_material_make(&brick, "brick", NULL, cold, 1, &error))
        give_up(&error);
    check(aula_material_layer_count(panel) == 2 && fabs(aula_material_depth(panel) - 0.0602) < 1e-9, "two layers");
    check(!aula_material_at(panel, 688.0, &p) && fabs(p.absorption[0] - 0.957) < 0.003, "Maa 1998, figure 5");
    const double re = 1.0 + p.admittance[0], size = re * re + p.admittance[1] * p.admittance[1];
    check(fabs(p.absorption[AULA_NORMAL] - 4.0 * p.admittance[0] / size) < 1e-12, "as Y says");
    check(!aula_material_resonance(panel, 0, &r) && fabs(r.frequency - 688.0) < 20.0 && r.quality > 0.5, "resonates");
    check(aula_material_octave(panel, AULA_RANDOM, 3) > aula_material_octave(panel, AULA_RANDOM_ALONG, 3) + 0.1 &&
              strstr(aula_material_warning(panel, 0), "500") && !aula_material_warning(panel, 9),
          "a gap that is not divided, and a warning");
    check(!aula_material_layer_count(brick) && isnan(aula_material_depth(brick)) &&
              isnan(aula_material_octave(brick, AULA_RANDOM_ALONG, 3)) &&
              fabs(aula_material_octave(brick, AULA_RANDOM, 3) - 0.03) < 0.02,
          "brick has no layers");
    refuse_materials(brick);
    aula_material_close(panel);
    aula_material_close(brick);
    aula_material_close(NULL);
}

static void use_library(void)
{
    struct aula_library *library = NULL;
    double absorption[AULA_OCTAVES], scattering[AULA_OCTAVES];
    char path[1024];
    check_refused(aula_library_open(NULL, &error), "library is NULL", "no place for a library");
    if (aula_library_open(&library, &error))
        give_up(&error);
    const size_t count = aula_library_material_count(library);
    int good = count > 100, sourced = 0;
    for (size_t i = 0; i < count; i++) {
        good = good && !aula_library_material_absorption(library, i, absorption, scattering) &&
               aula_library_material_name(library, i);
        for (size_t b = 0; b < AULA_OCTAVES; b++)
            good = good && scattering[b] >= 0.0 && scattering[b] <= 1.0 && !(absorption[b] < 0.0);
        sourced += aula_library_material_source(library, i) != NULL;
    }
    check(good && sourced > 100, "materials that ship, with their publications");
    check(aula_library_material_absorption(library, count, absorption, NULL) && isnan(absorption[0]) &&
              !aula_library_material_name(library, count) && !aula_library_material_source(library, count) &&
              !aula_library_material_count(NULL) && !aula_library_material_name(NULL, 0),
          "none beyond the last");
    aula_library_close(library);
    aula_library_close(NULL);
    check(!aula_data_path(path, sizeof path, "rooms/studio.cfg", &error) && strstr(path, "studio.cfg"),
          "a file that ships");
    poison();
    check_refused(aula_data_path(path, sizeof path, "rooms/no such.cfg", &error) || *path, "no such.cfg", "or none");
    check_refused(aula_data_path(path, 4, "rooms/studio.cfg", &error), "size is 4", "a path that is too long");
    check_refused(aula_data_path(NULL, 0, "rooms/studio.cfg", &error), "path is NULL", "no place for it");
    check_refused(aula_data_path(path, sizeof path, "", &error), "name is empty", "no name");
}

/* exp(-t / 0.1 s) decays by 60 dB in 0.69 s, as energy. */
static void measure_samples(void)
{
    enum { FRAMES = 8000, RATE = 8000 };
    static double samples[2 * FRAMES];
    struct aula_metrics *metrics = NULL;
    unsigned noise = 1;
    for (size_t n = 0; n < FRAMES; n++) {
        noise = noise * 1664525u + 1013904223u;
        samples[n] = samples[FRAMES + n] = ((double)noise / 4294967296.0 - 0.5) * exp(-(double)n / (0.1 * RATE));
    }
    poison();
    check_refused(aula_metrics_of_samples(NULL, samples, 1, FRAMES, RATE, &error), "metrics is NULL", "no place");
    check_refused(aula_metrics_of_samples(&metrics, NULL, 1, FRAMES, RATE, &error), "samples is NULL", "no samples");
    check_refused(aula_metrics_of_samples(&metrics, samples, 0, FRAMES, RATE, &error), "channels is 0", "no channel");
    check_refused(aula_metrics_of_samples(&metrics, samples, 1, 0, RATE, &error), "samples has 0 frames", "no frame");
    check_refused(aula_metrics_of_samples(&metrics, samples, 1, FRAMES, 0.0, &error), "rate is 0", "no rate");
    if (aula_metrics_of_samples(&metrics, samples, 2, FRAMES, RATE, &error))
        give_up(&error);
    const double t20 = aula_metrics_value(metrics, 1, AULA_BROAD_BAND, AULA_T20);
    check(aula_metrics_channels(metrics) == 2 && fabs(t20 - 0.6908) <= 0.05, "T20 of a decay that is known");
    check(isnan(aula_metrics_value(metrics, 0, AULA_BROAD_BAND, AULA_G)) && aula_metrics_note(metrics),
          "the level is not known, and it says so");
    aula_metrics_close(metrics);
    samples[5] = NAN;
    poison();
    check_refused(aula_metrics_of_samples(&metrics, samples, 1, FRAMES, RATE, &error) || metrics, "samples[0][5]",
                  "a sample that is no number");
}

static int stop_all(void *context, double share)
{
    (void)context;
    (void)share;
    aula_stop();
    return 0;
}

static void stop_work(void)
{
    struct aula_options options = options_of(1);
    struct aula_room *room = NULL;
    struct aula_response *response = NULL;
    const char *settings[] = {"time.duration=5"};
    aula_stop(); /* nothing is at work */
    if (aula_room_open_text(&room, "small.cfg", small, settings, 1, &error))
        give_up(&error);
    options.progress = stop_all;
    check(aula_render(&response, room, 0, &options, &error) && !response && error.exit_status == 1 &&
              strstr(error.message, "stopped"),
          "what is at work can be stopped");
    aula_response_close(render(room, 0)); /* and what comes later goes on */
    aula_room_close(room);
}

void use_texts(void)
{
    refuse_texts();
    use_text();
    use_library();
    use_layers();
    measure_samples();
    stop_work();
}
