/* SPDX-License-Identifier: MIT */
/* An L-shaped room, whose inner corner has no exact answer, compared with a finer grid. */
#include <math.h>

#include "base/nan_max.h"
#include "dsp/modes/damped.h"
#include "render/modes/room_modes.h"
#include "validate/modes/checks.h"

static const char ROOM[] =
    "room: { corners = ( [0.0, 0.0], [5.2, 0.0], [5.2, 2.4], [2.8, 2.4], [2.8, 4.4], [0.0, 4.4] ); height = 2.4;"
    " walls: { default = \"a\"; }; };\n"
    "materials: { a: { impedance = 50.0; }; }; air: { losses = false; };\n"
    "grid: { max_frequency = 500.0; }; time: { duration = 1.0; };\n"
    "sources = ( { name = \"S\"; position = [0.7, 0.9, 1.1]; } );\n"
    "receivers = ( { name = \"R\"; position = [4.1, 1.3, 1.3]; } );\n";
static const double TO = 90.0; /* Hz */

/* A half of the spacing that the search chose, and a quarter with --full, which takes sixteen times the work each. */
int check_modes_corner(struct validation *v, struct report *r, struct error *e)
{
    struct room_modes coarse = {.points = MODES_POINTS}, fine = {.points = 0.0};
    struct room *room = NULL;
    double frequency = 0.0, t60 = 0.0;
    if (damped_unavailable()) {
        report_skip(r, "corner", damped_unavailable());
        return 0;
    }
    int status =
        room_read_text(&room, "corner", ROOM, NULL, 0, e) || room_modes_find(&coarse, room, TO, &v->choice, NULL, e);
    if (!status) {
        fine.points = (v->full ? 4.0 : 2.0) * sound_speed(room->air.temperature) / (TO * coarse.spacing.metres);
        status = room_modes_find(&fine, room, TO, &v->choice, NULL, e);
    }
    for (size_t i = 0; i < coarse.count && i < fine.count && !status; i++) {
        frequency = nan_max(frequency, fabs(coarse.modes[i].frequency / fine.modes[i].frequency - 1.0));
        t60 = nan_max(t60, fabs(coarse.modes[i].t60 / fine.modes[i].t60 - 1.0));
    }
    if (!status) {
        report_bound(r, "corner", fabs((double)coarse.count - (double)fine.count), 0.0,
                     "%zu modes at %.3f m: more or fewer at %.3f m", coarse.count, coarse.spacing.metres,
                     fine.spacing.metres);
        report_bound(r, "corner", frequency, 1e-3, "worst frequency, share");
        report_bound(r, "corner", t60, 0.03, "worst T60, share");
    }
    room_modes_free(&coarse);
    room_modes_free(&fine);
    room_free(room);
    return status ? -1 : 0;
}
