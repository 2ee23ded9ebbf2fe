/* SPDX-License-Identifier: MIT */
#include "validate/hybrid/compared_rooms.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/text.h"

static const char flat_room[] =
    "room: { size = [6.1, 4.7, 2.5];\n"
    "  walls: { default = \"gypsum_board\"; z_min = \"linoleum\"; z_max = \"acoustic_tile\"; }; };\n";
static const char corridor[] = "room: { size = [9.0, 1.8, 2.5];\n"
                               "  walls: { default = \"gypsum_board\"; z_min = \"linoleum\";\n"
                               "    z_max = \"acoustic_tile\"; x_max = \"wooden_door\"; }; };\n";
static const char even_box[] = "room: { size = [4.0, 3.0, 2.5]; walls: { default = \"wall\"; }; };\n"
                               "materials: { wall = { impedance = 50.0; }; };\n";
static const char l_shape[] = "room: { height = 2.5;\n"
                              "  corners = ([0.0, 0.0], [5.6, 0.0], [5.6, 2.6], [2.4, 2.6], [2.4, 4.9], [0.0, 4.9]);\n"
                              "  walls: { default = \"wall\"; z_min = \"floor\"; }; };\n"
                              "materials: { wall = { impedance = 50.0; }; floor = { impedance = 20.0; }; };\n";
static const char ctk[] = "room: { geometry = { file = \"ctk.obj\"; unit = \"m\"; up = \"z\"; materials = (\n"
                          "  { name = \"Walls\"; material = \"painted_plaster\"; },\n"
                          "  { name = \"Tile\"; material = \"slate\"; },\n"
                          "  { name = \"Glass\"; material = \"leaded_glass\"; },\n"
                          "  { name = \"Altar\"; material = \"marble\"; },\n"
                          "  { name = \"Ceiling\"; material = \"plaster_on_lath\"; },\n"
                          "  { name = \"AcousticPanel\"; material = \"fabric_panel\"; },\n"
                          "  { name = \"Carpet\"; material = \"carpet_thin\"; },\n"
                          "  { name = \"PlushChair\"; material = \"upholstered_chairs\"; }); }; };\n";

#define STUDIO_PLACES                                                                                                  \
    {                                                                                                                  \
        {2.52, 2.35, 1.2}, {2.68, 2.35, 1.2}, {4.3, 3.3, 1.2}, {0.8, 2.0, 1.5}, {3.2, 3.5, 1.6}, {4.3, 0.6, 1.5},      \
            {2.0, 1.9, 0.9},                                                                                           \
        {                                                                                                              \
            4.0, 1.9, 1.9                                                                                              \
        }                                                                                                              \
    }

/* The room files keep their materials and furniture; bounds are in the order T30, EDT, C80. */
const struct compared_room compared_rooms[COMPARED_ROOMS] = {
    {.name = "studio",
     .file = "rooms/studio.cfg",
     .seconds = 1.2,
     .source = {1.2, 0.8, 1.25},
     .receivers = STUDIO_PLACES,
     .free_edges = true,
     .quick = true,
     .accepted = {30.0, 15.0, 1.5}},
    {.name = "classroom",
     .file = "rooms/classroom.cfg",
     .seconds = 1.8,
     .source = {1.4, 3.4, 1.6},
     .receivers = {{3.5, 3.4, 1.2},
                   {5.4, 3.4, 1.2},
                   {7.3, 5.4, 1.2},
                   {5.4, 1.6, 1.2},
                   {4.4, 5.5, 1.2},
                   {6.3, 0.5, 1.5},
                   {2.3, 1.2, 1.5},
                   {7.9, 2.0, 1.7}},
     .free_edges = true,
     .accepted = {25.0, 0.0, 0.0}},
    {.name = "living room",
     .file = "rooms/living_room.cfg",
     .seconds = 0.8,
     .source = {5.87, 0.95, 1.05},
     .receivers = {{2.84, 2.27, 1.05},
                   {2.84, 2.43, 1.05},
                   {0.78, 3.5, 1.2},
                   {4.4, 2.3, 1.2},
                   {3.5, 4.1, 1.5},
                   {1.8, 1.2, 1.5},
                   {5.6, 3.2, 1.4},
                   {1.5, 2.5, 1.9}},
     .free_edges = true,
     .accepted = {10.0, 15.0, 1.5}},
    {.name = "recording studio",
     .file = "rooms/recording_studio.cfg",
     .seconds = 0.8,
     .source = {1.02, 4.97, 1.4},
     .receivers = {{3.6, 3.18, 1.2},
                   {3.6, 3.02, 1.2},
                   {6.2, 3.4, 1.15},
                   {2.0, 1.5, 1.4},
                   {5.2, 5.2, 1.5},
                   {4.9, 1.6, 1.5},
                   {4.0, 4.8, 1.2},
                   {6.0, 2.0, 1.6}},
     .free_edges = true,
     .accepted = {10.0, 15.0, 1.5}},
    {.name = "studio without furniture",
     .file = "rooms/studio.cfg",
     .setting = "room.objects=()",
     .seconds = 1.8,
     .source = {1.2, 0.8, 1.25},
     .receivers = STUDIO_PLACES,
     .accepted = {12.0, 12.0, 1.0}},
    {.name = "flat room with an absorbing ceiling",
     .text = flat_room,
     .seconds = 2.2,
     .source = {1.2, 0.9, 1.45},
     .receivers = {{3.52, 2.35, 1.2},
                   {4.9, 1.1, 1.6},
                   {5.3, 3.3, 1.2},
                   {0.8, 3.0, 1.5},
                   {3.2, 4.1, 1.0},
                   {2.6, 2.5, 1.7},
                   {2.0, 1.6, 0.9},
                   {5.6, 2.2, 1.9}},
     .accepted = {12.0, 12.0, 1.0}},
    {.name = "corridor",
     .text = corridor,
     .seconds = 1.8,
     .source = {0.9, 0.7, 1.45},
     .receivers = {{2.52, 1.05, 1.2},
                   {3.9, 1.1, 1.6},
                   {5.3, 0.6, 1.2},
                   {6.2, 1.3, 1.5},
                   {7.1, 0.5, 1.0},
                   {8.1, 1.2, 1.7},
                   {4.6, 1.4, 0.9},
                   {1.8, 1.2, 1.9}},
     .accepted = {12.0, 30.0, 1.0}},
    {.name = "box with even absorption",
     .text = even_box,
     .seconds = 0.9,
     .source = {1.0, 0.8, 1.25},
     .receivers = {{2.52, 2.05, 1.2},
                   {2.9, 1.1, 1.6},
                   {3.3, 2.3, 1.2},
                   {0.8, 2.0, 1.5},
                   {3.2, 0.5, 1.0},
                   {1.6, 1.5, 1.9},
                   {2.0, 2.6, 0.7},
                   {3.6, 1.7, 1.9}},
     .quick = true,
     .accepted = {12.0, 12.0, 1.0}},
    {.name = "L-shape",
     .text = l_shape,
     .seconds = 0.9,
     .source = {4.8, 0.9, 1.45},
     .receivers = {{3.52, 1.35, 1.2},
                   {2.9, 2.1, 1.6},
                   {1.3, 1.2, 1.2},
                   {1.2, 4.2, 1.5},
                   {1.8, 3.4, 1.0},
                   {0.6, 3.0, 1.7},
                   {0.7, 2.0, 0.9},
                   {5.1, 2.1, 1.9}},
     .free_edges = true,
     .quick = true,
     .accepted = {12.0, 12.0, 1.0}},
};

/* Their errors are reported without bounds. */
const struct compared_room compared_halls[COMPARED_HALLS] = {
    {.name = "CTK",
     .text = ctk,
     .model = "ctk.obj",
     .seconds = 3.2,
     .source = {10.0, 6.6, 3.0},
     .receivers = {{5.0, 6.6, 1.6},
                   {7.0, 4.0, 1.6},
                   {7.0, 9.0, 1.6},
                   {12.5, 5.0, 1.6},
                   {13.0, 8.5, 1.6},
                   {15.0, 6.6, 1.8},
                   {3.0, 3.0, 1.6},
                   {3.0, 10.0, 1.6}},
     .free_edges = true},
    {.name = "concert hall",
     .file = "rooms/concert_hall.cfg",
     .seconds = 3.6,
     .source = {9.0, 9.45, 2.6},
     .receivers = {{19.0, 7.55, 1.3},
                   {33.5, 12.25, 2.1},
                   {25.1, 1.55, 6.3},
                   {40.3, 6.75, 7.0},
                   {15.0, 11.0, 1.5},
                   {23.0, 8.0, 1.6},
                   {27.0, 12.0, 1.8},
                   {30.0, 6.0, 2.0}},
     .free_edges = true},
    {.name = "church",
     .file = "rooms/church.cfg",
     .seconds = 7.0,
     .source = {43.3, 15.1, 2.1},
     .receivers = {{22.5, 18.7, 1.2},
                   {13.0, 25.1, 1.6},
                   {35.7, 17.4, 1.6},
                   {2.5, 15.8, 1.6},
                   {18.0, 15.0, 1.2},
                   {28.0, 18.0, 1.2},
                   {13.0, 18.0, 1.2},
                   {8.0, 14.5, 1.6}},
     .free_edges = true},
};

static void add_position(struct growing_text *t, const double at[3])
{
    growing_text_add(t, "position = [%.9g, %.9g, %.9g]; }", at[0], at[1], at[2]);
}

/* Settings that turn the room of the file or text into the one that is compared. CHANGE is the
 * last, as a room may have none. */
enum { PLACED_SOURCE, PLACED_RECEIVERS, DURATION, PRECISION, MAX_FREQUENCY, HYBRID, CHANGE, SETTINGS };

static bool make_settings(char *settings[SETTINGS], const struct compared_room *from, const struct compared_run *run)
{
    struct growing_text texts[SETTINGS] = {{.text = NULL}};
    growing_text_add(&texts[PLACED_SOURCE], "sources=({ name = \"S\"; ");
    add_position(&texts[PLACED_SOURCE], from->source);
    growing_text_add(&texts[PLACED_SOURCE], ")");
    growing_text_add(&texts[PLACED_RECEIVERS], "receivers=(");
    for (int i = 0; i < COMPARED_PLACES; i++) {
        growing_text_add(&texts[PLACED_RECEIVERS], "%s{ name = \"R%d\"; ", i ? ", " : "", i + 1);
        add_position(&texts[PLACED_RECEIVERS], from->receivers[i]);
    }
    growing_text_add(&texts[PLACED_RECEIVERS], ")");
    growing_text_add(&texts[DURATION], "time.duration=%.9g", from->seconds);
    growing_text_add(&texts[PRECISION], "grid.precision=single");
    growing_text_add(&texts[MAX_FREQUENCY], "grid.max_frequency=%.9g", run->max_frequency);
    growing_text_add(&texts[HYBRID], "hybrid.full=%s", run->hybrid ? "true" : "false");
    growing_text_add(&texts[CHANGE], "%s", from->setting ? from->setting : "");
    bool whole = true;
    for (int i = 0; i < SETTINGS; i++)
        whole = (settings[i] = growing_text_take(&texts[i], NULL)) && whole;
    return whole;
}

int compared_room_read(struct room **room, const struct compared_room *from, const struct compared_run *run,
                       const char *models, struct error *e)
{
    char *settings[SETTINGS] = {NULL}, *path = NULL;
    *room = NULL;
    int status = make_settings(settings, from, run) ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    if (!status && from->file)
        status = (path = data_path(from->file, e)) ? 0 : -1;
    else if (!status) /* file names in the text are relative to this folder */
        status = (path = path_join(from->model && models ? models : ".", from->name))
                     ? 0
                     : fail(e, ERROR_MEMORY, "out of memory");
    if (!status)
        status =
            room_read_text(room, path, from->text, (const char *const *)settings, from->setting ? SETTINGS : CHANGE, e);
    for (int i = 0; i < SETTINGS; i++)
        free(settings[i]);
    free(path);
    return status;
}
