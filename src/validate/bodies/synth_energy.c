/* SPDX-License-Identifier: MIT */
/* Energy balance of instruments and air together: rooms of random size with a drum and with a
 * plate driven by strings and bars, at random positions. Noise comes from the source in the air
 * or from all instruments, followed by silence; or mallets and bows play them. */
#include <math.h>
#include <stdlib.h>

#include "base/nan_max.h"
#include "base/stop.h"
#include "validate/bodies/checks.h"
#include "validate/bodies/synth_room.h"

enum { CASES = 6, STEPS = 2000, PART = 50, NOISE = 300 };

static const char *const fit_names[FITS] = {[NODES_ALIKE] = "h = X", [NODES_APART] = "h > X", [NODES_CLOSE] = "h < X"};

/* Zero-mean noise, which leaves no displacement, either from the room's source or from the
 * instruments, as the energy supplied by one would far exceed the losses of the other. */
static void make_noise(double *drive, const struct rig *rig, bool source, struct random *r)
{
    for (size_t i = 0; i < rig->problem.problem.drive_count; i++) {
        double mean = 0.0;
        if (room_touch(drive + i * STEPS, rig, i, STEPS, r))
            continue;
        for (size_t n = 0; n < NOISE && source == (i == 0); n++)
            mean += (drive[i * STEPS + n] = random_unit(r) - 0.5) / NOISE;
        for (size_t n = 0; n < NOISE && source == (i == 0); n++)
            drive[i * STEPS + n] -= mean;
    }
}

/* Largest |stored + absorbed - supplied| over the largest stored energy. */
static int balance(double *error, const struct rig *rig, bool source, struct validation *v, struct error *e)
{
    const size_t drives = rig->problem.problem.drive_count;
    double *drive = calloc(drives * STEPS, sizeof *drive), worst = 0.0, max = 0.0;
    struct solver_options choice = v->choice;
    struct solver *solver = NULL;
    struct audit a;
    choice.audit = true;
    choice.threads = choice.threads ? choice.threads : 1; /* too little work for several threads */
    if (!drive)
        return fail(e, ERROR_MEMORY, "out of memory");
    make_noise(drive, rig, source, &v->random);
    int status = solver_open(&solver, &rig->problem.problem, &choice, e);
    for (size_t done = 0; done < STEPS && !status; done += PART) {
        const struct block b = {drive + done, STEPS, NULL, 0};
        status = stop_check(e) || solver_run(solver, PART, &b, e) || solver_audit(solver, &a, e);
        if (status)
            break;
        max = nan_max(max, a.stored);
        worst = nan_max(worst, a.balanced ? fabs(a.stored + a.absorbed - a.supplied) : NAN);
    }
    *error = worst / max;
    if (status && e->code == ERROR_UNSTABLE) { /* a failed check, not a failure to run it */
        *error = NAN;
        status = 0;
    }
    solver_close(solver);
    free(drive);
    return status ? -1 : 0;
}

/* Worst balance of several rooms. */
static int follow(double *worst, struct room_plan p, struct validation *v, struct error *e)
{
    const int cases = v->cases ? v->cases : CASES;
    for (p.number = 0; p.number < cases; p.number++) {
        struct rig rig;
        double error = NAN;
        const int status = room_make(&rig, &p, &v->random, e) || rig_build(&rig, true, e) ||
                           balance(&error, &rig, p.number / 2 % 2, v, e);
        rig_end(&rig);
        if (status)
            return -1;
        *worst = nan_max(*worst, error);
    }
    return 0;
}

int check_synth_energy(struct validation *v, struct report *r, struct error *e)
{
    static const char *const walls_names[] = {[WALLS_RIGID] = "rigid walls",
                                              [WALLS_IMPEDANCE] = "walls with a real admittance",
                                              [WALLS_OCTAVES] = "walls with absorption in octave bands"};
    const int cases = v->cases ? v->cases : CASES;
    for (enum fit fit = NODES_ALIKE; fit < FITS; fit++) {
        double worst = 0.0;
        if (follow(&worst, (struct room_plan){.fit = fit}, v, e))
            return -1;
        report_bound(
            r, "energy", worst, 1e-12,
            "drum and plate with two strings and a bar in air, %s, lossless, %d rooms: error of the energy balance",
            fit_names[fit], cases);
    }
    for (enum walls_kind walls = WALLS_RIGID; walls <= WALLS_OCTAVES; walls++) {
        double worst = 0.0;
        for (enum fit fit = NODES_ALIKE; fit < FITS; fit++)
            if (follow(&worst, (struct room_plan){.fit = fit, .walls = walls, .lossy = true}, v, e))
                return -1;
        report_bound(r, "energy", worst, 1e-11, "    lossy instruments, %s, %d rooms: error of the energy balance",
                     walls_names[walls], FITS * cases);
    }
    for (int lossy = 0; lossy < 2; lossy++) {
        double worst = 0.0;
        for (enum fit fit = NODES_ALIKE; fit < FITS; fit++)
            if (follow(&worst, (struct room_plan){.fit = fit, .lossy = lossy, .touched = true}, v, e))
                return -1;
        report_bound(r, "energy", worst, 1e-9,
                     "    %s instruments with mallets, a hammer, a bow and stretching, %d rooms: error of the energy "
                     "balance",
                     lossy ? "lossy" : "lossless", FITS * cases);
    }
    return 0;
}
