/* SPDX-License-Identifier: MIT */
/* before cmocka, which defines a macro `fail` */
#include "support/room_files.h"
#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char room_folder[] = "/tmp/aula-room-XXXXXX";

char *in_folder(const char *name)
{
    char *path = text_format("%s/%s", room_folder, name);
    assert_non_null(path);
    return path;
}

void write_bytes(const char *name, const char *bytes, size_t length)
{
    char *path = in_folder(name);
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, length, stream), length);
    assert_int_equal(fclose(stream), 0);
    free(path);
}

void write_file(const char *name, const char *text)
{
    write_bytes(name, text, strlen(text));
}

const char room_library[] = "materials: {\n"
                            "  plaster = { absorption = [0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1]; source = \"A\"; };\n"
                            "  brick = { absorption = [0.01,0.02,0.03,0.04,0.05,0.06,0.07,0.08]; source = \"B\";\n"
                            "            description = \"bare\"; measured = [125.0, 4000.0]; };\n"
                            "  foam = { absorption = [0.1,0.2,0.5,0.9,1.05,1.0,1.0,1.0]; };\n"
                            "};\n";

const char room_with_everything[] =
    "room: { size = [4.0, 3.25, 2.7];\n"
    "  walls: { default = \"brick\"; z_min = \"carpet\"; x_max = \"panel\"; y_min = \"fixed\"; };\n"
    "  objects: ( { shape = \"box\"; from = [0.2, 0.2, 0.0]; to = [1.0, 0.8, 0.7]; material = \"rigid\"; },\n"
    "             { shape = \"cylinder\"; from = [2.0, 2.0, 0.0]; to = [2.0, 2.0, 2.7]; radius = 0.1;\n"
    "               material = \"carpet\"; } ); };\n"
    "air: { temperature = 17; humidity = 33.3; pressure = 99.1; losses = false; };\n"
    "hybrid: { full = true; order = 4; rays = 5000; seed = 7; }; "
    "grid: { scheme = \"7-point\"; max_frequency = 1000.1; points_per_wavelength = 7.7; precision = \"double\"; "
    "courant = 0.5; };\n"
    "time: { duration = 0.123456789012345678; };\n"
    "sources: ( { name = \"left\"; position = [1, 1, 1]; gain = -2.5; },\n"
    "  { position = [1.1, 1.2, 1.3]; signal = \"raised_cosine\"; width = 0.002; },\n"
    "  { position = [1.1, 1.2, 1.3]; signal = \"gaussian\"; },\n"
    "  { position = [1.1, 1.2, 1.3]; signal = \"sweep\"; low = 30; high = 900; length = 2; },\n"
    "  { position = (1.1, 1, 1.3); signal = \"sweep\"; },\n"
    "  { position = [1.1, 1.2, 1.3]; signal = \"file\"; file = \"voice.wav\"; } );\n"
    "receivers: ( { position = [0.0, 3.25, 2.7]; }, { name = \"seat 2_b-1.x\"; position = [2.0, 1.0, 1.0]; } );\n"
    "output: { rate = \"grid\"; format = \"pcm24\"; filter = \"none\"; dispersion = 0.1; normalise = \"peak\"; };\n"
    "materials: { carpet = { absorption = " EIGHT(
        "0.3") "; source = \"own\"; }; panel = { impedance = 19;\n"
               "    transmission = { mass = 12.5; resistance = 200.0; bending_stiffness = 900.0; }; };\n"
               "  unused = { absorption = " EIGHT("0.5") "; }; };\n";

int room_files_set_up(void **state)
{
    (void)state;
    if (!mkdtemp(room_folder))
        return -1;
    char *rooms = in_folder("rooms");
    int bad = mkdir(rooms, 0700);
    free(rooms);
    write_file("rooms/materials.cfg", room_library);
    return bad || setenv("AULA_DATA", room_folder, 1);
}

static void remove_files(const char *folder)
{
    DIR *listing = opendir(folder);
    for (const struct dirent *entry; listing && (entry = readdir(listing)) != NULL;) {
        char *path = text_format("%s/%s", folder, entry->d_name);
        unlink(path); /* not the folders */
        free(path);
    }
    if (listing)
        closedir(listing);
}

int room_files_tear_down(void **state)
{
    (void)state;
    char *rooms = in_folder("rooms");
    remove_files(rooms);
    rmdir(rooms);
    free(rooms);
    remove_files(room_folder);
    return rmdir(room_folder);
}

struct room *read_room(const char *name, const char *const *settings, size_t count, struct error *e)
{
    struct room *room = NULL;
    char *path = in_folder(name);
    *e = (struct error){0};
    int result = room_read(&room, path, settings, count, e);
    free(path);
    assert_int_equal(result == 0, room != NULL);
    return room;
}

struct room *good_room(const char *text)
{
    struct error e;
    write_file("room.cfg", text);
    struct room *room = read_room("room.cfg", NULL, 0, &e);
    if (!room)
        print_error("%s\n", e.message);
    assert_non_null(room);
    return room;
}

bool tells(const char *message, const char *start, const char *expected)
{
    for (const char *line = message; *line;) {
        const size_t length = strcspn(line, "\n");
        char *one = text_format("%.*s", (int)length, line);
        const bool found = one && !strncmp(one, start, strlen(start)) && strstr(one, expected);
        free(one);
        if (found)
            return true;
        line += length + (line[length] == '\n');
    }
    return false;
}
