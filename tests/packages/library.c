/* SPDX-License-Identifier: MIT */
/* What a program that is built with pkg-config against an installed libaula has to do at least: the studio, heard. */
#include <aula.h>
#include <math.h>
#include <stdio.h>

static int fails(const struct aula_error *error)
{
    fprintf(stderr, "%s\n", error->message);
    return 1;
}

int main(void)
{
    static const char *const settings[] = {"grid.max_frequency=400", "hybrid.rays=1000", "time.duration=0.4"};
    struct aula_error error;
    struct aula_room *room;
    struct aula_response *response;
    char path[4096];
    if (aula_data_path(path, sizeof path, "rooms/studio.cfg", &error) ||
        aula_room_open(&room, path, settings, sizeof settings / sizeof *settings, &error))
        return fails(&error);
    if (aula_render(&response, room, 0, NULL, &error)) {
        aula_room_close(room);
        return fails(&error);
    }
    double peak = 0;
    for (size_t i = 0; i < aula_response_frames(response); i++)
        peak = fmax(peak, fabs(aula_response_samples(response, 0)[i]));
    aula_response_close(response);
    aula_room_close(room);
    printf("libaula %s: peak %g Pa\n", aula_version(), peak);
    return !(peak > 1e-3);
}
