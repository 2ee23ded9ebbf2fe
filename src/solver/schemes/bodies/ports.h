/* SPDX-License-Identifier: MIT */
/* Ports: places of a body that something nonlinear touches within a step, which the linear step then
 * answers,
 *     w⁺ = ŵ + Σ A⁻¹e f,   e·w⁺ = e·ŵ + G f,   G = e·A⁻¹e' of each two places
 * where ŵ is the step without the forces f, in N, and e the row of a place. A⁻¹e and G are constant and
 * computed once. The forces of all ports of a body, and of its stretching, are solved together: contacts
 * and stretching are linear within a step (one Cholesky factor of those that act), and a bow then
 * follows in closed form.
 *
 *     CONTACT  x = h - e·w - gap: a mass at h that is free, as a mallet, or 0 for what is fixed, as a fret;
 *              inputs of a port with a mass: [0] nonzero starts the mass at the body with this speed, m/s
 *     BOW      inputs: [0] force, N; [1] speed of the bow, m/s; [2] position, between low and high
 *
 * A tap on the inputs reads what the port does: [0] its force along e, N; [1] the speed of the body
 * relative to the bow, m/s, 0 while it sticks. */
#ifndef AULA_SOLVER_SCHEMES_BODIES_PORTS_H
#define AULA_SOLVER_SCHEMES_BODIES_PORTS_H

#include "solver/schemes/bodies/bodies.h"
#include "solver/schemes/bodies/contact.h"
#include "solver/schemes/bodies/friction.h"

enum { PORTS_MAX = 128 };
enum port_kind { PORT_CONTACT, PORT_BOW };
enum { PORT_SPEED = 0, BOW_FORCE = 0, BOW_SPEED = 1, BOW_POSITION = 2 };

struct port {
    enum port_kind kind;
    size_t place, place_count; /* rows of body->places; a bow may move along several, equally spaced */
    double low, high;          /* BOW: positions of the first and the last of these */
    struct contact contact;    /* CONTACT */
    double mass, gap;          /* CONTACT: kg, 0: none; m at rest */
    struct friction friction;  /* BOW */
};

/* Between two steps; all 0: at rest. */
struct port_state {
    double potential;        /* CONTACT: ψ, √J */
    double awake;            /* CONTACT with a mass: 1 while it is near the body */
    double mass_now, before; /* CONTACT: h and h⁻, m */
    double velocity, sticks; /* BOW: relative speed in the last step, m/s; 1 if it stuck */
};

/* Constants of a step. */
struct port_coupling {
    struct sparse response; /* [place_count] rows over the points: A⁻¹e, m/N */
    double *gain;           /* [place_count][place_count] G, m/N */
};
int port_coupling_make(struct port_coupling *c, const struct body *body, const struct line_coupling *lines,
                       double time_step, struct error *e);
void port_coupling_free(struct port_coupling *c);

/* One step of the ports and the stretching of a body. */
struct ports_step {
    const struct body *body;
    const struct line_coupling *lines;
    const struct port_coupling *coupling;
    double time_step;
    const double *now, *old;  /* [points] displacements at n and n - 1 */
    double *next;             /* [points] at n + 1: ŵ in, w⁺ out */
    const double *inputs;     /* [PORT_INPUTS port_count] */
    double *outputs;          /* [PORT_INPUTS port_count] what the ports do, for taps */
    struct port_state *state; /* [port_count] */
    double *stretched;        /* [stretching_count] ψ, √J */
    double lost, given;       /* J, added to */
    double *scratch;          /* [ports_scratch(body)] */
};
void ports_step(struct ports_step *s);
size_t ports_scratch(const struct body *body);

/* J: what contacts, free masses and stretching store. */
double ports_energy(const struct body *body, const struct port_state *state, const double *stretched, double time_step);

#endif
