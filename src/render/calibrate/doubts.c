/* SPDX-License-Identifier: MIT */
/* What a calibration cannot tell, and what its model cannot reach. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "render/calibrate/room_calibration.h"

static const double far = 3.0;      /* standard deviations: the model cannot reach such a datum */
static const double misfit = 0.03;  /* absorption: of the wall that is fitted to all octaves */
static const double unlikely = 2.5; /* prior deviations */

/* A wall that cannot be what it should, and a value that the prior hardly allows. */
static int warn_of_material(struct room_calibration *c, size_t k, size_t m, const char *octave, struct error *e)
{
    const size_t band = c->task.octave[k];
    const struct calibrate_octave *o = &c->task.problem[k];
    const struct wall_model *wall = &c->model->walls[c->forward.material[m]];
    const double away = (c->result.posterior[k].value[m] - o->prior[m]) / o->prior_deviation[m];
    if (wall_misfit(wall, band) > misfit &&
        lines_add(&c->warnings, &c->warning_count, e,
                  "%s at %s: the wall absorbs %.3f in place of %.3f, because its neighbouring octaves differ too much; "
                  "calibrate them together",
                  room_calibration_material(c, m), octave, wall->fitted[band], wall->target[band]))
        return -1;
    return fabs(away) > unlikely ? lines_add(&c->warnings, &c->warning_count, e,
                                             "%s at %s: the value lies %.1f deviations from its prior: check sizes, "
                                             "furniture and the materials that are not free",
                                             room_calibration_material(c, m), octave, fabs(away))
                                 : 0;
}

static int warn_of_octave(struct room_calibration *c, size_t k, struct error *e)
{
    char octave[16];
    const struct calibrate_octave *o = &c->task.problem[k];
    const double most = calibrate_misfit(o, &c->result.fit[k]);
    size_t told = 0;
    calibrate_octave_unit(octave, c->task.octave[k]);
    for (size_t m = 0; m < c->task.materials; m++) {
        told += room_calibration_remaining(c, k, m) < CALIBRATE_UNTOLD;
        if (warn_of_material(c, k, m, octave, e))
            return -1;
    }
    if (!c->result.posterior[k].used)
        return lines_add(&c->warnings, &c->warning_count, e,
                         "at %s the model yields none of the measured parameters: the calibration tells nothing there, "
                         "and the room keeps its absorption",
                         octave);
    if (!told && lines_add(&c->warnings, &c->warning_count, e,
                           "at %s the data tell no material by itself: every interval is the prior's; free fewer "
                           "materials, or measure the absorption of one",
                           octave))
        return -1;
    return most > far ? lines_add(&c->warnings, &c->warning_count, e,
                                  "at %s the calibrated room misses a measured parameter by %.1f standard deviations: "
                                  "check sizes, positions, furniture and materials that are not free",
                                  octave, most)
                      : 0;
}

/* Octaves that are fitted though the file `first` is of is doubtful there; the receivers of a file share its doubts. */
static int warn_of_measured(struct room_calibration *c, size_t first, struct error *e)
{
    const char *path = c->data.measured[first].path;
    char octaves[OCTAVE_BANDS * 16] = "", octave[16];
    unsigned doubtful = 0;
    for (size_t i = 0; i < c->data.count; i++) {
        const struct calibrate_measured *m = &c->data.measured[i];
        if (strcmp(m->path, path) != 0)
            continue;
        if (i < first)
            return 0;
        doubtful |= m->held ? 0 : m->doubtful;
    }
    for (size_t k = 0; k < c->task.octaves; k++)
        if (doubtful & 1u << c->task.octave[k])
            snprintf(octaves + strlen(octaves), sizeof octaves - strlen(octaves), "%s%s", *octaves ? ", " : "",
                     calibrate_octave_unit(octave, c->task.octave[k]));
    return *octaves ? lines_add(&c->warnings, &c->warning_count, e,
                                "%s: the decays are doubtful at %s, and so is the absorption that is fitted to them; "
                                "aula metrics says why",
                                path, octaves)
                    : 0;
}

int room_calibration_doubt(struct room_calibration *c, struct error *e)
{
    for (size_t i = 0; i < c->data.count; i++)
        if (warn_of_measured(c, i, e))
            return -1;
    for (size_t k = 0; k < c->task.octaves; k++)
        if (warn_of_octave(c, k, e))
            return -1;
    return c->result.settled ? 0
                             : lines_add(&c->warnings, &c->warning_count, e,
                                         "the calibration has not settled after %d evaluations, and its intervals are "
                                         "doubtful: free fewer materials "
                                         "or octaves",
                                         CALIBRATE_RENDERS);
}
