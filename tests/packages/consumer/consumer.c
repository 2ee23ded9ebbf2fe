/* SPDX-License-Identifier: MIT */
/* Opens a room with a material of the library, so that the data that ships must be found. */
#include <aula.h>
#include <stdio.h>

int main(void)
{
    static const char text[] = "room: { size = [1.0, 1.2, 0.8]; walls: { default = \"brick\"; }; };\n"
                               "grid: { rate = 2000.0; };\n"
                               "sources: ( { position = [0.3, 0.9, 0.6]; } );\n"
                               "receivers: ( { position = [0.7, 0.8, 0.4]; } );\n";
    struct aula_error error;
    struct aula_room *room;
    if (aula_version_number() != AULA_HEADER_VERSION)
        return 1;
    if (aula_room_open_text(&room, "room", text, NULL, 0, &error))
        return fprintf(stderr, "%s\n", error.message), error.exit_status;
    printf("%.2f m3\n", aula_room_volume(room));
    aula_room_close(room);
    return 0;
}
