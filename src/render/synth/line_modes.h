/* SPDX-License-Identifier: MIT */
/* Exact modes of a stiff string or a bar (Euler-Bernoulli, under tension), theory (59) to (61):
 *     ρA u_tt = T u_xx - EI u_xxxx    on 0..L,
 * both ends alike: supported (u = u_xx = 0), clamped (u = u_x = 0) or free (u_xx = 0, T u_x - EI u_xxx = 0).
 *
 * A mode of angular frequency ω is a sinusoid of wavenumber β plus an exponential of rate γ at each end, with
 *     EI β² γ² = ρA ω²,  γ² = β² + T/EI,
 * and is even or odd about the middle. Without bending (EI = 0) the exponentials vanish: clamped ends are then
 * equivalent to supported ones, and free ends satisfy T u_x = 0. Places run from 0 to 1 along the line. */
#ifndef AULA_RENDER_SYNTH_LINE_MODES_H
#define AULA_RENDER_SYNTH_LINE_MODES_H

#include <stddef.h>

#include "base/error.h"
#include "render/synth/mode.h"

enum line_ends { LINE_SUPPORTED, LINE_CLAMPED, LINE_FREE };

struct line {
    double length;  /* m */
    double density; /* ρA, kg/m */
    double tension; /* T, N; >= 0 */
    double bending; /* EI, N m²; >= 0; tension and bending not both 0 */
    enum line_ends ends;
};

struct line_mode_shape; /* parameters of line_shape, private */

struct line_modes {
    struct line line;
    size_t count;
    double *frequency;             /* [count] Hz, ascending */
    double *wavenumber_squared;    /* [count] β² = ξ(ω), 1/m² */
    double *mass;                  /* [count] ∫ρA φ² dx, kg */
    struct line_mode_shape *shape; /* [count], private */
};

/* All modes below `highest` Hz (which may be INFINITY), ascending, at most `max`. Free ends have rigid-body modes
 * first, of frequency 0: φ = 1 and, without tension, φ = 1 - 2 place. Under tension the second one has a restoring
 * force, ω² = 12 T/(ρA L²) at small tension, and a positive frequency. Fails for invalid parameters and when memory is
 * out; *m is then empty. */
int line_modes_make(struct line_modes *m, const struct line *line, double highest, size_t max, struct error *e);
void line_modes_free(struct line_modes *m); /* NULL and zeros do nothing */

/* φ of a mode, maximum magnitude 1 (clamped with bending: between 1 and 1.14). Positive next to place 0. */
double line_shape(const struct line_modes *m, size_t mode, double place);

/* Static shape s(place) with the end at place 1 displaced by 1; the force at the moved end, N/m; and ∫ρA s² dx, kg.
 * Supported ends: s = place, force T/L (0 without tension: the line turns about the other end). Clamped ends: the moved
 * end does not turn; 12 EI/L³ without tension. NaN for free ends. */
double line_end_shape(const struct line *line, double place);
double line_end_stiffness(const struct line *line);
double line_end_mass(const struct line *line);

/* ∫ρA φ s dx, kg: an acceleration a of the end at place 1 drives the mode, measured from s, with -a times this. Equals
 * the force of the mode on that end over ω². NaN for free ends. */
double line_end_coupling(const struct line_modes *m, size_t mode);

double line_mode_decay(const struct line_modes *m, const struct line_decay *d, size_t mode); /* σ, 1/s */

/* The tension or the length at which the lowest mode of positive frequency is at `pitch` Hz;
 * ignores the line's own value of it. NaN if there is none, as for a supported or clamped bar whose
 * bending alone exceeds the pitch. */
double line_tension_for_pitch(const struct line *line, double pitch);
double line_length_for_pitch(const struct line *line, double pitch);

#endif
