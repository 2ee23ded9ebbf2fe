/* SPDX-License-Identifier: MIT */
/* What further commands do: ears, SOFA files, maps, films, performances and data sets. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "use_aula.h"

static void use_ears(void)
{
    double field[4][8] = {{0.0}};
    struct aula_sound *ears = NULL;
    struct aula_head head;
    memset(&head, 0, sizeof head);
    check_refused(aula_binaural(&ears, field[0], 4, 8, 48000.0, NULL, &error) && !ears, "head is NULL", "no head");
    check_refused(aula_binaural(&ears, field[0], 4, 8, 48000.0, &head, &error) && !ears, "hrtf is NULL", "no HRTF");
    head.hrtf = "no such.sofa";
    check_refused(aula_binaural(&ears, field[0], 3, 8, 48000.0, &head, &error) && !ears, "AmbiX", "no field");
    check_refused(aula_binaural(&ears, NULL, 4, 8, 48000.0, &head, &error) && !ears, "field is NULL", "no samples");
    check_refused(aula_binaural(NULL, field[0], 4, 8, 48000.0, &head, &error), "ears is NULL", "no place for ears");
    check_refused(aula_binaural(&ears, field[0], 4, 8, 48000.0, &head, &error) && !ears, "no such.sofa", "no file");
    head.yaw = NAN;
    check_refused(aula_binaural(&ears, field[0], 4, 8, 48000.0, &head, &error) && !ears, "yaw", "no direction");
    head.yaw = 0.0;
    head.reserved[1] = &head;
    check_refused(aula_binaural(&ears, field[0], 4, 8, 48000.0, &head, &error) && !ears, "head.reserved", "unzeroed");
}

static int is_absent(void)
{
    return strstr(error.message, "built without") != NULL;
}

/* A picture in one run; its values lie in the air. */
static void use_maps(const struct aula_room *room, const char *folder)
{
    struct aula_map *map = NULL;
    struct aula_map_options what;
    struct aula_lattice lattice;
    char path[512];
    size_t there = 0, values = 0;
    memset(&what, 0, sizeof what);
    what.plane = "z=1.0";
    what.spacing = 1.5;
    what.band = 125.0;
    check(!aula_map_place_count(NULL) && !aula_map_note(NULL) && aula_map_place(NULL, 0, 0) == AULA_NOWHERE, "no map");
    check(isnan(aula_map_value(NULL, 0, 0, AULA_C80)) && isnan(aula_map_sti(NULL, 0)), "no values");
    check(aula_map_lattice(NULL, &lattice) && isnan(lattice.at) && aula_map_lattice(NULL, NULL), "no lattice");
    aula_map_close(NULL);
    const struct aula_options options = options_of(1);
    if (aula_map_make(&map, room, &what, &options, &error)) {
        check(is_absent(), "a map, or a library without pictures");
        return;
    }
    check(!aula_map_lattice(map, &lattice) && lattice.axis == 2 && lattice.at == 1.0, "the plane as asked");
    for (size_t row = 0; row < lattice.count[1]; row++)
        for (size_t column = 0; column < lattice.count[0]; column++) {
            const size_t place = aula_map_place(map, column, row);
            there += place != AULA_NOWHERE;
            values += place != AULA_NOWHERE && isfinite(aula_map_value(map, place, 1, AULA_C80));
        }
    check(there == aula_map_place_count(map) && there && values == there, "a value at each place");
    check(aula_map_place(map, lattice.count[0], 0) == AULA_NOWHERE && isnan(aula_map_sti(map, there)), "none beyond");
    snprintf(path, sizeof path, "%s/map.csv", folder);
    check(!aula_map_write(map, NULL, path, 0, 0, &error), "a table");
    check_refused(aula_map_write(map, "x.jpg", NULL, 0, 0, &error), "ends in .png", "no such picture");
    check_refused(aula_map_write(map, NULL, NULL, 0, 0, &error), "name a picture", "nothing to write");
    check_refused(aula_map_write(NULL, "x.png", NULL, 0, 0, &error), "map is NULL", "no map to write");
    aula_map_close(map);
    what.plane = "q";
    check_refused(aula_map_make(&map, room, &what, NULL, &error) && !map, "plane q", "no such plane");
    check_refused(aula_map_make(&map, NULL, NULL, NULL, &error) && !map, "room is NULL", "of no room");
    check_refused(aula_map_make(NULL, room, NULL, NULL, &error), "map is NULL", "no place for a map");
    what.plane = NULL;
    what.source = 77;
    check_refused(aula_map_make(&map, room, &what, NULL, &error) && !map, "source 77", "no such source");
}

static void use_films(const struct aula_room *room, const char *folder)
{
    struct aula_film_options what;
    const struct aula_options options = options_of(1);
    char path[512];
    memset(&what, 0, sizeof what);
    what.frames = 1;
    what.seconds = 0.001;
    snprintf(path, sizeof path, "%s/film.png", folder);
    if (aula_film_write(room, path, &what, &options, &error)) {
        check(is_absent() || strstr(error.message, "cannot be loaded"), "a picture, or no library to draw it");
        return;
    }
    check_refused(aula_film_write(room, NULL, &what, NULL, &error), "path is NULL", "no path");
    check_refused(aula_film_write(NULL, path, &what, NULL, &error), "room is NULL", "no room");
    check_refused(aula_film_write(room, "x.gif", &what, NULL, &error), "frames writes a PNG", "no such picture");
    what.frames = 0;
    what.seconds = -1.0;
    check_refused(aula_film_write(room, path, &what, NULL, &error), "not negative", "no such time");
}

static void use_takes(const struct aula_room *room)
{
    struct aula_take *take = NULL;
    check_refused(aula_take_make(&take, room, 0, NULL, &error) && !take, "instruments", "no instruments");
    check_refused(aula_take_make(&take, NULL, 0, NULL, &error) && !take, "room is NULL", "no room to play in");
    check_refused(aula_take_make(NULL, room, 0, NULL, &error), "take is NULL", "no place for a take");
    check_refused(aula_take_write(NULL, "x.wav", &error), "take is NULL", "no take to write");
    check(!aula_take_channels(NULL, AULA_TAKE_AIR) && !aula_take_frames(NULL) && isnan(aula_take_rate(NULL)),
          "no take");
    check(!aula_take_samples(NULL, AULA_TAKE_AIR, 0) && !aula_take_channel_name(NULL, AULA_TAKE_PICKUPS, 0) &&
              !aula_take_unit(NULL, AULA_TAKE_AIR, 0) && !aula_take_warning(NULL, 0),
          "of nothing");
    aula_take_close(NULL);
}

static void use_batches(const char *folder)
{
    struct aula_batch *batch = NULL;
    struct aula_batch_options what;
    struct aula_batch_count count;
    memset(&what, 0, sizeof what);
    check_refused(aula_batch_list(&batch, "no such.cfg", NULL, &error) && !batch, "no such.cfg", "no plan");
    check_refused(aula_batch_list(&batch, NULL, NULL, &error) && !batch, "plan is NULL", "none at all");
    check_refused(aula_batch_list(NULL, "x.cfg", NULL, &error), "batch is NULL", "no place for a list");
    check_refused(aula_batch_run(&batch, "x.cfg", NULL, NULL, NULL, &error) && !batch, "folder is NULL", "no folder");
    check_refused(aula_batch_merge(&batch, "no such.cfg", folder, NULL, &error) && !batch, "no such.cfg", "no plan");
    what.shard = "0/2";
    what.rooms = "1";
    check_refused(aula_batch_run(&batch, "x.cfg", folder, &what, NULL, &error) && !batch, "both choose", "two choices");
    what.shard = "2/2";
    what.rooms = NULL;
    check_refused(aula_batch_run(&batch, "x.cfg", folder, &what, NULL, &error) && !batch, "shard", "no shard");
    check(aula_batch_count(NULL, &count) && !count.rooms && isnan(count.seconds) && aula_batch_count(NULL, NULL),
          "no batch");
    check(!aula_batch_missing(NULL) && !aula_batch_note(NULL) && !aula_batch_line(NULL, 0), "nothing of it");
    aula_batch_close(NULL);
}

/* Silence stays silence, and the preview ends while it renders. */
static void use_previews(const struct aula_room *room)
{
    struct aula_preview *preview = NULL;
    struct aula_preview_options what;
    struct aula_preview_status status;
    const struct aula_options options = options_of(1);
    float dry[64] = {0.0f}, heard[128] = {1.0f};
    memset(&what, 0, sizeof what);
    what.rate = 16000.0;
    what.block = 64;
    if (aula_preview_open(&preview, room, &what, &options, &error))
        give_up(&error);
    check(aula_preview_block(preview) == 64, "a block as asked");
    aula_preview_run(preview, dry, heard);
    check(heard[0] == 0.0f && heard[127] == 0.0f, "silence");
    aula_preview_turn(preview, 30.0, 0.0, 0.0);
    check(!aula_preview_status(preview, &status) && !status.failure, "a state");
    aula_preview_close(preview);
    what.rate = 1.0;
    check_refused(aula_preview_open(&preview, room, &what, NULL, &error) && !preview, "rate", "no such rate");
    check_refused(aula_preview_open(&preview, room, NULL, NULL, &error) && !preview, "what is NULL", "no options");
    check_refused(aula_preview_open(&preview, NULL, &what, NULL, &error) && !preview, "room is NULL", "no room");
    check_refused(aula_preview_open(NULL, room, &what, NULL, &error), "preview is NULL", "no place for it");
    check(aula_preview_status(NULL, &status) && isnan(status.band) && !aula_preview_block(NULL), "no preview");
    aula_preview_run(NULL, dry, heard);
    aula_preview_turn(NULL, 0.0, 0.0, 0.0);
    aula_preview_close(NULL);
}

/* A page about a file that is not there. */
static void refuse_reports(void)
{
    struct aula_report *report = NULL;
    const char *const names[] = {"no such.wav"}, *const none[] = {NULL};
    check(aula_report_make(&report, names, 1, NULL, &error) && !report &&
              (is_absent() || strstr(error.message, "no such.wav") || strstr(error.message, "cannot be loaded")),
          "no report of a missing file");
    check(aula_report_make(&report, none, 1, NULL, &error) && !report, "nor of none");
    check(aula_report_make(&report, names, 0, NULL, &error) && !report, "nor of no responses");
    check(!aula_report_text(NULL) && !aula_report_warning(NULL, 0), "no report");
    aula_report_close(NULL);
}

static void refuse_sofa(const struct aula_response *response)
{
    const struct aula_response *one[] = {response};
    check_refused(aula_responses_write_sofa(one, 1, "x.wav", &error), "ends in .sofa", "no SOFA file");
    check_refused(aula_responses_write_sofa(NULL, 1, "x.sofa", &error), "responses is NULL", "no responses");
    check_refused(aula_responses_write_sofa(one, 1, NULL, &error), "path is NULL", "no path");
    check_refused(aula_responses_write_positions(one, 1, "x.wav", &error), "ends in .sofa", "no file of positions");
    check_refused(aula_responses_write_positions(NULL, 1, "x.sofa", &error), "responses is NULL", "nothing in it");
}

static void refuse_paths(void)
{
    struct aula_sound *wet = NULL;
    const char *const names[] = {"no such.wav"}, *const none[] = {NULL};
    check_refused(aula_auralize_path(NULL, names, 1, "dry.wav", "walk.csv", 0, &error), "wet is NULL", "no place");
    check_refused(aula_auralize_path(&wet, NULL, 1, "dry.wav", "walk.csv", 0, &error), "responses is NULL", "none");
    check_refused(aula_auralize_path(&wet, names, 0, "dry.wav", "walk.csv", 0, &error), "0 responses", "none");
    check_refused(aula_auralize_path(&wet, none, 1, "dry.wav", "walk.csv", 0, &error), "responses[0] is NULL", "none");
    check_refused(aula_auralize_path(&wet, names, 1, NULL, "walk.csv", 0, &error), "dry is NULL", "no sound");
    check_refused(aula_auralize_path(&wet, names, 1, "dry.wav", NULL, 0, &error), "path is NULL", "no path");
    check(aula_auralize_path(&wet, names, 1, "dry.wav", "no such.csv", 0, &error) && !wet, "no such path");
    check(!aula_sound_channel_name(NULL, 0), "no sound, no names");
}

/* A table of one material, in the folder of the test. */
static void use_tables(const char *folder)
{
    char path[4096];
    double absorption[AULA_OCTAVES], scattering[AULA_OCTAVES];
    struct aula_library *table = NULL;
    snprintf(path, sizeof path, "%s/table.csv", folder);
    FILE *file = fopen(path, "w");
    if (!file || fputs("name;125;250\nOld brick;0.25;0.5\n", file) < 0 || fclose(file))
        exit(1);
    check(!aula_library_import(&table, path, NULL, "a book", &error), "a table is read");
    check(aula_library_material_count(table) == 1 && !aula_library_material_name(table, 1), "one material");
    check(!strcmp(aula_library_material_name(table, 0), "old_brick"), "its key");
    check(!strcmp(aula_library_material_source(table, 0), "a book"), "its source");
    check(!aula_library_material_absorption(table, 0, absorption, scattering) && absorption[0] == 0.25 &&
              absorption[7] == 0.5 && scattering[7] > 0.0,
          "octaves that the table lacks repeat the nearest one");
    check(aula_library_material_absorption(table, 1, absorption, scattering) && isnan(absorption[0]), "no second");
    check(strstr(aula_library_text(table), "old_brick =") != NULL, "a part of a room file");
    check(strstr(aula_library_note(table, 0), "from 125 to 250 Hz") && !aula_library_note(table, 1), "one note");
    aula_library_close(table);
    check_refused(aula_library_import(&table, path, NULL, NULL, &error) && !table, "source: is missing", "no source");
    check_refused(aula_library_import(&table, path, "tsv", "a", &error) && !table, "format tsv", "no such format");
    check_refused(aula_library_import(&table, NULL, NULL, "a", &error) && !table, "path is NULL", "no table");
    check_refused(aula_library_import(NULL, path, NULL, "a", &error), "library is NULL", "no place for one");
    check(!aula_library_text(NULL) && !aula_library_note(NULL, 0), "no library");
    remove(path);
}

void use_program(const struct aula_room *room, const struct aula_response *response, const char *folder)
{
    use_ears();
    struct aula_sound *sound = NULL;
    check_refused(aula_sound_read(&sound, "no such.wav", &error) && !sound, "no such.wav", "no sound file");
    check_refused(aula_sound_read(&sound, NULL, &error) && !sound, "path is NULL", "no name of one");
    check_refused(aula_sound_read(NULL, "x.wav", &error), "sound is NULL", "no place for a sound");
    refuse_sofa(response);
    refuse_paths();
    use_tables(folder);
    use_maps(room, folder);
    use_films(room, folder);
    use_takes(room);
    use_batches(folder);
    refuse_reports();
    use_previews(room);
}
