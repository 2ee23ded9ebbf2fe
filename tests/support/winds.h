/* SPDX-License-Identifier: MIT */
/* Wind instruments for tests, at 48 kHz without a room: a clarinet-like cylinder and a trombone-like bore. */
#ifndef AULA_TESTS_WINDS_H
#define AULA_TESTS_WINDS_H

#include "solver/schemes/bodies/wind.h"

#define WINDS_RATE 48000.0
#define WINDS_DENSITY 1.2042
#define WINDS_SPEED 343.37

enum { WINDS_OPENINGS = 4 };
struct wind_rig {
    struct wind wind;
    struct opening openings[WINDS_OPENINGS];
    double conductance[WINDS_OPENINGS], flow[WINDS_OPENINGS];
    double *state;
};

/* ck = 0.999 h. */
struct bore_grid winds_grid(void);

/* Cells of the radii [cells], an end that is a half cell short, and a reed; loss NULL: smooth walls. Fails the test on an
 * error. */
void winds_make(struct wind_rig *rig, const double *radius, size_t cells, const struct wall_loss *loss,
                const struct reed *reed);
void winds_free(struct wind_rig *rig);

/* Adds a hole, nearer to the end than those before. */
void winds_hole(struct wind_rig *rig, struct opening hole);

/* 69 cells of the radius 7.5 mm and a clarinet's reed. */
void winds_clarinet(struct wind_rig *rig, const struct wall_loss *loss);
/* Cup, throat, 1.75 m of tube and a bell: 2.39 m; lips of the frequency, Hz. */
void winds_trombone(struct wind_rig *rig, const struct wall_loss *loss, double lips);

/* Steps with the blowing pressure, which rises over `rise` seconds, and records the pressure in the first cell, Pa. */
void winds_play(struct wind_rig *rig, double pressure, double rise, double *record, size_t steps);

/* |given - stored - lost|/given. */
double winds_balance(const struct wind_rig *rig);

/* Root of the mean square about the mean. */
double winds_deviation(const double *x, size_t count);

/* Fundamental frequency of a periodic record, Hz, between low and high, by its autocorrelation; *periodic: its height at the
 * period, 1 for a perfect period. */
double winds_pitch(const double *x, size_t count, double low, double high, double *periodic);

#endif
