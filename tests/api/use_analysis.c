/* SPDX-License-Identifier: MIT */
/* Modes, places, calibrations and summaries: small ones, mistakes, and nothing. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "use_aula.h"

#define OCTAVES8(a) "[" a ", " a ", " a ", " a ", " a ", " a ", " a ", " a "]"
#define ROOM(a)                                                                                                        \
    "room: { size = [1.6, 1.3, 1.1]; walls: { default = \"wall\"; z_min = \"rug\"; }; };\n"                            \
    "materials: { wall = { absorption = " OCTAVES8(                                                                    \
        a) "; scattering = 0.3; };\n"                                                                                  \
           "  rug = { absorption = " OCTAVES8(                                                                         \
               "0.3") "; scattering = 0.3; }; };\n"                                                                    \
                      "grid: { max_frequency = 300.0; }; hybrid: { full = true; rays = 1000; order = 1; };\n"          \
                      "time: { duration = 0.4; };\n"                                                                   \
                      "sources: ( { name = \"S\"; position = [0.4, 0.4, 0.4]; } );\n"                                  \
                      "receivers: ( { name = \"L\"; position = [1.1, 0.8, 0.6]; }, { name = \"R\"; position = [0.8, "  \
                      "0.9, 0.5]; } );\n"                                                                              \
                      "output: { rate = 8000; };\n"

static struct aula_room *open_text(const char *text)
{
    struct aula_room *room = NULL;
    if (aula_room_open_text(&room, "analysis.cfg", text, NULL, 0, &error))
        give_up(&error);
    return room;
}

static int stop_at_once(void *context, double share)
{
    (void)share;
    ++*(int *)context;
    return 1;
}

/* ---- Modes ---- */

static void ask_no_modes(void)
{
    struct aula_mode_range range;
    struct aula_mode mode;
    struct aula_mode_band band;
    check(!aula_modes_count(NULL) && !aula_modes_place_count(NULL) && !aula_modes_band_count(NULL), "no modes");
    check(!aula_modes_warning(NULL, 0) && !aula_modes_place_name(NULL, 0) && isnan(aula_modes_level(NULL, 0, 0)),
          "nowhere");
    check(aula_modes_range(NULL, &range) && isnan(range.low) && isnan(range.schroeder), "in no range");
    check(aula_modes_mode(NULL, 0, &mode) && isnan(mode.frequency) && !mode.has_order, "of no frequency");
    check(aula_modes_band(NULL, 0, &band) && isnan(band.low) && aula_modes_band(NULL, 0, NULL), "in no band");
    check(aula_modes_range(NULL, NULL) && aula_modes_mode(NULL, 0, NULL), "nor a place for them");
    aula_modes_close(NULL);
}

static void look_at_modes(const struct aula_modes *modes)
{
    struct aula_mode_range range;
    struct aula_mode first, next;
    struct aula_mode_band band;
    const size_t count = aula_modes_count(modes);
    check(count >= 3 && !aula_modes_range(modes, &range) && range.high == 250.0 && range.seconds >= 1.0, "modes");
    check(!aula_modes_mode(modes, 0, &first) && first.has_order && first.order[0] == 1 && !first.order[1],
          "the first runs along the length");
    check(fabs(first.frequency - 343.2 / 3.2) <= 5.0 && first.t60 > 0.0, "at its frequency");
    check(!aula_modes_mode(modes, 1, &next) && next.frequency > first.frequency, "by rising frequency");
    check(aula_modes_mode(modes, count, &next) && isnan(next.t60), "none beyond the last");
    check(aula_modes_place_count(modes) == 3 && !strcmp(aula_modes_place_name(modes, 0), "S") &&
              !strcmp(aula_modes_place_name(modes, 2), "R") && !aula_modes_place_name(modes, 3),
          "at sources, then at receivers");
    check(aula_modes_level(modes, 0, 2) < -30.0 && aula_modes_level(modes, 0, 0) > -10.0 &&
              isnan(aula_modes_level(modes, count, 0)) && isnan(aula_modes_level(modes, 0, 3)),
          "the receiver in the middle lies in its node");
    check(aula_modes_band_count(modes) == 1 && !aula_modes_band(modes, 0, &band) && band.found == count,
          "all in one band");
}

static void use_modes(void)
{
    struct aula_room *room = open_text(ROOM("0.08"));
    struct aula_options options = options_of(1);
    struct aula_modes *modes = NULL;
    int calls = 0;
    check_refused(aula_modes_make(NULL, room, 250.0, NULL, &error), "modes is NULL", "no place for modes");
    check_refused(aula_modes_make(&modes, NULL, 250.0, NULL, &error) || modes, "room is NULL", "no room");
    check_refused(aula_modes_make(&modes, room, -1.0, NULL, &error) || modes, "to is -1", "a negative frequency");
    check_refused(aula_modes_make(&modes, room, NAN, NULL, &error) || modes, "to is nan", "nor none");
    options.threads = -1;
    check_refused(aula_modes_make(&modes, room, 250.0, &options, &error) || modes, "threads", "no threads");
    options = options_of(1);
    if (aula_modes_make(&modes, room, 250.0, &options, &error)) {
        check(strstr(error.message, "without LAPACK") != NULL, "this build has no modes");
        aula_room_close(room);
        return;
    }
    aula_modes_close(modes);
    check_refused(aula_modes_make(&modes, room, 30.0, NULL, &error) || modes, "to 30: no mode",
                  "no mode lies so low, and the option is named as here");
    options.progress = stop_at_once;
    options.context = &calls;
    check(aula_modes_make(&modes, room, 250.0, &options, &error) && !modes && calls == 1 && error.exit_status == 1,
          "progress stops the work");
    options.progress = NULL;
    if (aula_modes_make(&modes, room, 250.0, &options, &error))
        give_up(&error);
    aula_room_close(room); /* the modes remain */
    look_at_modes(modes);
    aula_modes_close(modes);
}

/* ---- Places ---- */

static void ask_no_places(void)
{
    struct aula_placing search;
    struct aula_sub_set set;
    struct aula_sub sub;
    struct aula_filter filter;
    struct aula_wall_area area;
    double at[3] = {0.0, 0.0, 0.0};
    check(!aula_place_count(NULL) && !aula_place_seat_count(NULL) && !aula_place_candidate_count(NULL) &&
              !aula_place_band_count(NULL) && !aula_place_level_count(NULL) && !aula_place_filter_count(NULL) &&
              !aula_place_wall_count(NULL),
          "no places");
    check(!aula_place_seat_name(NULL, 0) && !aula_place_candidate_name(NULL, 0) && !aula_place_warning(NULL, 0) &&
              !aula_place_equaliser(NULL, AULA_EQUALISER_APO),
          "without names");
    check(aula_place_seat_position(NULL, 0, at) && isnan(at[2]) && aula_place_candidate_position(NULL, 0, NULL),
          "are nowhere");
    check(isnan(aula_place_candidate_spread(NULL, 0)) && isnan(aula_place_frequency(NULL, 0)) &&
              isnan(aula_place_level(NULL, 0, 0)) && isnan(aula_place_mean(NULL, 0)),
          "have no levels");
    check(aula_place_search(NULL, &search) && isnan(search.spacing) && aula_place_set(NULL, 0, &set) &&
              isnan(set.spread) && aula_place_sub(NULL, 0, 0, &sub) && isnan(sub.delay),
          "and no sets");
    check(aula_place_filter(NULL, 0, &filter) && isnan(filter.q) && aula_place_wall(NULL, 0, &area) &&
              isnan(area.area) && isnan(area.density) && !area.wall && !area.material,
          "filters or walls");
    check(aula_place_search(NULL, NULL) && aula_place_set(NULL, 0, NULL) && aula_place_sub(NULL, 0, 0, NULL) &&
              aula_place_filter(NULL, 0, NULL) && aula_place_wall(NULL, 0, NULL) && aula_place_defaults(NULL),
          "nor a place for them");
    aula_place_close(NULL);
}

static void look_at_places(const struct aula_place *place)
{
    struct aula_placing search;
    struct aula_sub_set set, worse;
    struct aula_sub sub;
    struct aula_filter filter;
    struct aula_wall_area area;
    double at[3];
    const size_t count = aula_place_count(place), bands = aula_place_band_count(place);
    check(!aula_place_search(place, &search) && search.exhaustive && search.scored >= 2.0, "sets were scored");
    check(search.difference <= 0.1, "and the first is confirmed by its own run");
    check(count >= 2 && !aula_place_set(place, 0, &set) && !aula_place_set(place, count - 1, &worse) &&
              set.spread <= worse.spread && set.subs == 1 && set.pareto,
          "by rising spread");
    check(!aula_place_sub(place, 0, 0, &sub) && sub.candidate < 2 && sub.delay == 0.0 && sub.gain == 0.0,
          "one sub needs no delay");
    check(aula_place_sub(place, 0, 1, &sub) && isnan(sub.gain) && aula_place_set(place, count, &set) &&
              isnan(set.output),
          "nothing beyond the last");
    check(aula_place_seat_count(place) == 2 && !strcmp(aula_place_seat_name(place, 1), "R") &&
              !aula_place_seat_position(place, 1, at) && at[0] == 0.8,
          "receivers are seats");
    check(aula_place_candidate_count(place) == 2 && aula_place_candidate_name(place, 1) &&
              !aula_place_candidate_position(place, 0, at) && at[1] == 0.4 &&
              aula_place_candidate_position(place, 2, at) && isnan(at[0]),
          "candidates as given");
    check(aula_place_candidate_spread(place, 0) > 0.0, "each with its least spread");
    check(bands > 0 && aula_place_frequency(place, 0) >= 100.0 && aula_place_level_count(place) == 2 &&
              isfinite(aula_place_level(place, 1, bands - 1)) && isnan(aula_place_level(place, 2, 0)) &&
              isfinite(aula_place_mean(place, 0)) && isnan(aula_place_mean(place, bands)),
          "levels of the first set");
    for (size_t i = 0; i < aula_place_filter_count(place); i++)
        check(!aula_place_filter(place, i, &filter) && filter.frequency > 0.0 && filter.q > 0.0, "a filter");
    check(strstr(aula_place_equaliser(place, AULA_EQUALISER_APO), "Preamp: ") &&
              strstr(aula_place_equaliser(place, AULA_EQUALISER_REW), "Filter") &&
              !aula_place_equaliser(place, (enum aula_equaliser)7),
          "as texts of two programs");
    check(aula_place_wall_count(place) > 0 && !aula_place_wall(place, 0, &area) && area.area > 0.0 &&
              strlen(area.wall) == 5 && area.band < bands && area.density > 0.0,
          "walls by what an absorber gains");
}

static void use_places_for_subs(void)
{
    struct aula_room *room = open_text(ROOM("0.3"));
    struct aula_options options = options_of(1);
    struct aula_place_options what;
    struct aula_place *place = NULL;
    int calls = 0;
    check(!aula_place_defaults(&what) && what.subs == 1 && what.low == 20.0 && what.delay == 0.02, "defaults");
    what.low = 100.0;
    what.candidates = "0.4,0.4,0.3;1.2,0.9,0.3";
    check_refused(aula_place_make(NULL, room, &what, NULL, &error), "place is NULL", "no place for places");
    check_refused(aula_place_make(&place, NULL, &what, NULL, &error) || place, "room is NULL", "no room");
    what.subs = 5;
    check_refused(aula_place_make(&place, room, &what, NULL, &error) || place, "subs 5", "too many subs");
    what.subs = 1;
    what.facing = "up";
    check_refused(aula_place_make(&place, room, &what, NULL, &error) || place, "facing", "no direction");
    what.facing = NULL;
    what.delay = NAN;
    check_refused(aula_place_make(&place, room, &what, NULL, &error) || place, "delay", "no delay");
    what.delay = 0.02;
    what.reserved[7] = &what;
    check_refused(aula_place_make(&place, room, &what, NULL, &error) || place, "what.reserved", "an unzeroed struct");
    what.reserved[7] = NULL;
    options.progress = stop_at_once;
    options.context = &calls;
    check(aula_place_make(&place, room, &what, &options, &error) && !place && calls == 1 && error.exit_status == 1,
          "progress stops the work");
    options.progress = NULL;
    what.walls = 1;
    if (aula_place_make(&place, room, &what, &options, &error))
        give_up(&error);
    aula_room_close(room); /* the places remain */
    look_at_places(place);
    aula_place_close(place);
}

/* ---- Calibrations ---- */

static void ask_no_calibration(void)
{
    struct aula_calibrated_octave about;
    struct aula_calibrated absorption;
    struct aula_residual residual;
    struct aula_room *room = NULL;
    double left = 0.0;
    check(!aula_calibration_material_count(NULL) && !aula_calibration_octave_count(NULL) &&
              !aula_calibration_evaluations(NULL) && !aula_calibration_settled(NULL),
          "no calibration");
    check(!aula_calibration_material_name(NULL, 0) && !aula_calibration_warning(NULL, 0), "has nothing to tell");
    check(aula_calibration_octave(NULL, 0, &about) && isnan(about.centre) &&
              aula_calibration_absorption(NULL, 0, 0, &absorption) && isnan(absorption.high) &&
              aula_calibration_residual(NULL, 0, 0, AULA_T20, &residual) && isnan(residual.jnd) &&
              aula_calibration_combination(NULL, 0, 0, &left, NULL) && isnan(left),
          "of no octave");
    check(aula_calibration_octave(NULL, 0, NULL) && aula_calibration_absorption(NULL, 0, 0, NULL) &&
              aula_calibration_residual(NULL, 0, 0, AULA_T20, NULL),
          "nor a place for it");
    poison();
    check_refused(aula_calibration_room(&room, NULL, &error) || room, "calibration is NULL", "and no room");
    check_refused(aula_calibration_room(NULL, NULL, &error), "room is NULL", "nor a place for one");
    check_refused(aula_calibration_write(NULL, "x.cfg", &error), "calibration is NULL", "nor a file");
    aula_calibration_close(NULL);
}

static void look_at_calibration(const char *folder, const struct aula_calibration *c)
{
    struct aula_calibrated_octave about;
    struct aula_calibrated wall;
    struct aula_residual held;
    struct aula_room *room = NULL, *written = NULL;
    double left[2], weights[2], asked[AULA_OCTAVES], there[AULA_OCTAVES];
    char path[512];
    check(aula_calibration_octave_count(c) == 1 && !aula_calibration_octave(c, 0, &about) && about.centre == 1000.0 &&
              !about.by_waves && about.data == 1,
          "one octave, by one datum");
    check(aula_calibration_material_count(c) == 2 && !strcmp(aula_calibration_material_name(c, 0), "wall") &&
              !aula_calibration_material_name(c, 2),
          "two materials");
    check(!aula_calibration_absorption(c, 0, 0, &wall) && fabs(wall.prior - 0.08) <= 1e-9 && wall.low < 0.16 &&
              wall.high > 0.16 && wall.told && wall.remaining < 0.8,
          "the hidden absorption lies in the interval");
    check(aula_calibration_absorption(c, 0, 2, &wall) && isnan(wall.value) &&
              aula_calibration_absorption(c, 1, 0, &wall) && isnan(wall.prior),
          "nothing beyond the last");
    check(!aula_calibration_combination(c, 0, 0, &left[0], weights) &&
              !aula_calibration_combination(c, 0, 1, &left[1], NULL) && left[0] <= left[1] && weights[0] > 0.5 &&
              aula_calibration_combination(c, 0, 2, NULL, NULL),
          "what is told is mostly of the wall");
    check(!aula_calibration_residual(c, 0, 1, AULA_T20, &held) && held.measured > 0.0 && fabs(held.jnd) <= 5.0 &&
              aula_calibration_residual(c, 0, 1, AULA_EDT, &held) && isnan(held.measured) &&
              aula_calibration_residual(c, 0, 2, AULA_T20, &held),
          "a receiver that was held out");
    check(aula_calibration_evaluations(c) >= 2, "evaluations of the room");
    check(!aula_calibration_room(&room, c, &error), "the calibrated room");
    snprintf(path, sizeof path, "%s/calibrated.cfg", folder);
    check(!aula_calibration_write(c, path, &error) && !aula_room_open(&written, path, NULL, 0, &error),
          "is that of its file");
    aula_room_material_absorption(room, 0, asked, NULL);
    aula_room_material_absorption(written, 0, there, NULL);
    aula_calibration_absorption(c, 0, 0, &wall);
    check(asked[4] == wall.value && fabs(there[4] - asked[4]) <= 1e-4 && asked[3] == 0.08, "in its octave alone");
    poison();
    check_refused(aula_calibration_write(c, "", &error), "path is empty", "no name for a file");
    aula_room_close(written);
    aula_room_close(room);
}

static void use_calibration(const char *folder)
{
    struct aula_room *truth = open_text(ROOM("0.16")), *room = open_text(ROOM("0.08"));
    struct aula_options options = options_of(1);
    struct aula_calibration_options what;
    struct aula_measured measured[2];
    struct aula_metrics *metrics = NULL;
    struct aula_calibration *c = NULL;
    struct aula_response *response = render(truth, 0);
    int calls = 0;
    if (aula_metrics_of_response(&metrics, response, &error))
        give_up(&error);
    memset(&what, 0, sizeof what);
    memset(measured, 0, sizeof measured);
    what.octaves = "1000";
    for (size_t i = 0; i < 2; i++) {
        measured[i].metrics = metrics;
        measured[i].channel = measured[i].receiver = i;
        measured[i].held_out = i == 1;
    }
    poison();
    check_refused(aula_calibrate(NULL, room, measured, 2, &what, NULL, &error), "calibration is NULL", "no place");
    check_refused(aula_calibrate(&c, NULL, measured, 2, &what, NULL, &error) || c, "room is NULL", "no room");
    check_refused(aula_calibrate(&c, room, NULL, 2, &what, NULL, &error) || c, "nothing was measured", "no data");
    measured[1].receiver = 0;
    check_refused(aula_calibrate(&c, room, measured, 2, &what, NULL, &error) || c, "both are of the receiver L",
                  "one receiver twice");
    measured[1].receiver = 2;
    check_refused(aula_calibrate(&c, room, measured, 2, &what, NULL, &error) || c, "measured[1].receiver is 2",
                  "no such receiver");
    measured[1].receiver = 1;
    measured[1].metrics = NULL;
    check_refused(aula_calibrate(&c, room, measured, 2, &what, NULL, &error) || c, "measured[1].metrics", "no metrics");
    measured[1].metrics = metrics;
    what.source = 1;
    check_refused(aula_calibrate(&c, room, measured, 2, &what, NULL, &error) || c, "source 1: the room has only",
                  "no source");
    what.source = 0;
    what.parameters = "g";
    check_refused(aula_calibrate(&c, room, measured, 2, &what, NULL, &error) || c, "parameters g", "no parameter");
    what.parameters = NULL;
    options.progress = stop_at_once;
    options.context = &calls;
    check(aula_calibrate(&c, room, measured, 2, &what, &options, &error) && !c && calls == 1 && error.exit_status == 1,
          "progress stops the work");
    options.progress = NULL;
    if (aula_calibrate(&c, room, measured, 2, &what, &options, &error))
        give_up(&error);
    aula_metrics_close(metrics);
    aula_response_close(response);
    aula_room_close(truth);
    aula_room_close(room); /* the calibration remains */
    look_at_calibration(folder, c);
    aula_calibration_close(c);
}

/* ---- Summaries; tests/python/test_summary.py compares one with the command ---- */

static void use_no_summary(const char *folder)
{
    struct aula_summary *summary = NULL;
    struct aula_spread spread;
    struct aula_effect effect;
    size_t keys[2];
    char plan[512];
    check(!aula_summary_room_count(NULL) && !aula_summary_done_count(NULL) && !aula_summary_parameter_count(NULL) &&
              !aula_summary_key_count(NULL) && !aula_summary_octave_count(NULL, 0),
          "no summary");
    check(!aula_summary_parameter_name(NULL, 0) && !aula_summary_parameter_unit(NULL, 0) &&
              !aula_summary_line(NULL, 0) && !aula_summary_key_name(NULL, 0) && !aula_summary_key_varies(NULL, 0) &&
              !aula_summary_warning(NULL, 0),
          "says nothing");
    check(aula_summary_spread(NULL, 0, 0, &spread) && isnan(spread.mean) && !spread.rooms &&
              aula_summary_effect(NULL, 0, 0, 0, &effect) && isnan(effect.share) && !effect.missing &&
              isnan(aula_summary_together(NULL, 0, keys)) && aula_summary_spread(NULL, 0, 0, NULL) &&
              aula_summary_effect(NULL, 0, 0, 0, NULL),
          "about nothing");
    aula_summary_close(NULL);
    snprintf(plan, sizeof plan, "%s/plan.cfg", folder);
    FILE *file = fopen(plan, "w");
    check(file &&
              fputs("base = \"studio\"; vary: ( { key = \"air.temperature\"; values = (19.0, 20.0); } );\n", file) >=
                  0 &&
              !fclose(file),
          "a plan");
    poison();
    check_refused(aula_summary_make(NULL, plan, folder, &error), "summary is NULL", "no place for a summary");
    check_refused(aula_summary_make(&summary, NULL, folder, &error) || summary, "plan is NULL", "no plan");
    check_refused(aula_summary_make(&summary, plan, "", &error) || summary, "folder is empty", "no folder");
    check_refused(aula_summary_make(&summary, plan, folder, &error) || summary, "is no data set", "nor a data set");
}

void use_analysis(const char *folder)
{
    ask_no_modes();
    use_modes();
    ask_no_places();
    use_places_for_subs();
    ask_no_calibration();
    use_calibration(folder);
    use_no_summary(folder);
}
