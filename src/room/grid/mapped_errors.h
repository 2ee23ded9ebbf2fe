/* SPDX-License-Identifier: MIT */
/* The errors that remain after the frequency map of the 19-point scheme, which is not perfectly
 * isotropic. */
#ifndef AULA_ROOM_GRID_MAPPED_ERRORS_H
#define AULA_ROOM_GRID_MAPPED_ERRORS_H

struct mapped_errors {
    double phase; /* largest relative error of phase velocity, in any direction */
    double wall;  /* largest |R - R of the continuum| of a flat wall of real specific admittance 0.02 .. 1, lowered by
                        isotropic19_wall_factor, at any angle of incidence up to 75° */
    double level[2]; /* dB: lowest and highest level of the direct sound over directions */
};

/* `frequency`: normalised, f/fs, within the band that the map covers. */
void mapped_errors_at(struct mapped_errors *e, double frequency);

#endif
