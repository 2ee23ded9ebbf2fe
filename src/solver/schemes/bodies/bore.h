/* SPDX-License-Identifier: MIT */
/* The air column of a wind instrument: a chain of cells with plane waves, whose walls drag and cool
 * the air. N. H. Fletcher and T. D. Rossing, "The Physics of Musical Instruments", chapter 8; S. Bilbao,
 * "Numerical Sound Synthesis", chapter 9; theory (75a) and (75b).
 *
 * Cell i has the volume V_i and the pressure p_i at half steps; face j lies before cell j, has the area
 * S_j and the flow U_j at whole steps. With the spacing h along the bore,
 *     (ρh/S_j) (U⁺ - U)/k + drag = -(p_j - p_{j-1}),   p⁺ = p - (ρc²k/V_i) (U⁺_{i+1} - U⁺_i)
 * The area of a face is the harmonic mean of the areas V/h of its cells, for which the chain is stable
 * with any areas as long as ck <= h: Σ (U_{i+1} - U_i)²/S_i <= 4 Σ U_j²/S_j.
 *
 * Walls: the boundary layers of viscosity and heat together act as an impedance in series with the
 * flow, u √f (1 + j), u = 2 C ρc h/(S a), where a is the radius of the face and C √f/a, C = 3.0e-5 √s, the
 * attenuation in 1/m. A resistance, an inertance and four branches of a resistance with an inertance
 * in parallel stand for √f (1 + j) (struct wall_loss). The trapezoidal rule keeps each of them passive. */
#ifndef AULA_SOLVER_SCHEMES_BODIES_BORE_H
#define AULA_SOLVER_SCHEMES_BODIES_BORE_H

#include <stddef.h>

#include "base/device.h"
#include "base/error.h"

enum { WALL_BRANCHES = 4, BORE_CELLS_MIN = 8 };

/* √f (1 + j) as a network, √Hz: resistance + jΩ inertance + Σ branch jΩ/(rate + jΩ), where Ω = (2/k)
 * tan(ωk/2) is the frequency ω that the trapezoidal rule turns into. */
struct wall_loss {
    double resistance, inertance; /* √Hz, √Hz s */
    double branch[WALL_BRANCHES]; /* √Hz, >= 0 */
    double rate[WALL_BRANCHES];   /* rad/s */
};

/* The network for a time step, s: fits 30 Hz to 12 kHz or a quarter of the rate. */
struct wall_loss wall_loss_fit(double time_step);

struct bore_grid {
    double spacing;              /* h, m; at least ck */
    double time_step;            /* k, s */
    double density, sound_speed; /* ρ, kg/m³; c, m/s */
};

struct bore {
    size_t cells;
    struct bore_grid grid;
    double *volume;    /* [cells] m³ */
    double *impedance; /* [cells] ρc²k/2V, Pa s/m³: change of a cell's mean pressure in a step for a flow of 1 m³/s */
    double *area;      /* [cells + 1] m²; of the ends, that of the last cell */
    double *wall;      /* [cells + 1] u, Pa s^3/2/m³; 0: no losses */
    double *keep;      /* [cells + 1] U⁺ = keep U - push (difference of pressure) */
    double *push;      /* [cells + 1] m³/(Pa s) */
    struct wall_loss loss;
    double share[WALL_BRANCHES], turn[WALL_BRANCHES]; /* of the branches within a step: 1/(1 + rate k/2), rate k/2 */
};

/* Pressures, flows of the faces, and flows through the inertances of the branches. */
struct bore_state {
    double *pressure; /* [cells] Pa */
    double *flow;     /* [cells + 1] m³/s; those of the ends stay 0 */
    double *branch;   /* [WALL_BRANCHES][cells + 1] m³/s */
};

/* Cell volumes [cells], m³; loss: NULL for smooth walls that neither drag nor cool. -1, with *e filled: too few cells,
 * a volume that is not positive, ck > h, or out of memory. */
int bore_make(struct bore *b, const double *volume, size_t cells, const struct bore_grid *grid,
              const struct wall_loss *loss, struct error *e);
void bore_free(struct bore *b);

/* Number of doubles in the arrays of a bore, which lie in one block from `volume` on. bore_place: points these arrays to
 * another such block. */
size_t bore_values(const struct bore *b);
void bore_place(struct bore *b, double *values);

/* Number of cells for a length, m, such that cells of length/cells hold ck with a margin. */
size_t bore_cells(double length, const struct bore_grid *grid);

/* Exact volumes of cells of the given spacing in a bore of cones: point i of `count` at the distance
 * profile[i][0] from the mouth, ascending from 0, with the diameter profile[i][1], both in m. Two
 * points at the same distance make a step. */
void bore_volumes(double *volume, size_t cells, double spacing, const double (*profile)[2], size_t count);

/* Steps the flow of face j, 0 < j < cells. Returns the energy lost at its walls, J. */
ON_BOTH double bore_step_face(const struct bore *b, const struct bore_state *s, size_t j)
{
    const size_t faces = b->cells + 1;
    const double old = s->flow[j];
    double through[WALL_BRANCHES], drag = 0.0, lost = 0.0;
    for (size_t i = 0; i < WALL_BRANCHES; i++)
        drag += b->loss.branch[i] * b->share[i] * s->branch[i * faces + j];
    const double flow = b->keep[j] * old - b->push[j] * (s->pressure[j] - s->pressure[j - 1] - b->wall[j] * drag);
    const double mean = 0.5 * (old + flow);
    for (size_t i = 0; i < WALL_BRANCHES; i++) {
        double *inert = &s->branch[i * faces + j];
        const double half = b->share[i] * (*inert + b->turn[i] * mean);
        through[i] = mean - half;
        *inert = 2.0 * half - *inert;
        lost += b->loss.branch[i] * through[i] * through[i];
    }
    s->flow[j] = flow;
    return b->grid.time_step * b->wall[j] * (b->loss.resistance * mean * mean + lost);
}

/* Steps the pressure of a cell by the flows of its faces. */
ON_BOTH void bore_step_cell(const struct bore *b, const struct bore_state *s, size_t i)
{
    s->pressure[i] -= 2.0 * b->impedance[i] * (s->flow[i + 1] - s->flow[i]);
}

/* ρh/S and the inertance of the wall of a face, over k, Pa s/m³. */
double bore_inertance(const struct bore *b, size_t face);

/* J, between two steps. */
double bore_energy(const struct bore *b, const struct bore_state *s);

#endif
