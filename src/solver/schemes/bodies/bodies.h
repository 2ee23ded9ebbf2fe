/* SPDX-License-Identifier: MIT */
/* Vibrating bodies that are solved together with the air, step by step: surfaces (membranes and
 * thin plates) between two layers of air points, and lines (strings and bars) that drive them.
 *
 * With bodies the field is the velocity potential ψ (m²/s), p = ρ(ψ⁺ - ψ⁻)/(2k). The scheme and its
 * walls are linear, and therefore the same for both. Displacements w are in m, forces in N. Bodies
 * use double precision whatever the precision of the field.
 *
 * Surfaces: w⁺ at the nodes of a separate grid, where w is a node's displacement over its
 * lightness; J, drives, taps and connections contain the lightness, so that every node is stepped
 * with the same mass,
 *     D w⁺ = N w + B w⁻ + force_gain f + Iᵃ r,   D = 1 + σ0 k          (a)
 * where N and B are sparse (stencils; N = 2 - k²K - P, B = -(1 - σ0 k) + P, K stiffness over mass,
 * P = 2 σ1 k L for losses that grow with frequency). r is the reaction of the air. J (map) maps
 * displacements of the nodes to those of the surface's air cells; Iᵃ = (X²/hx hy) Jᵀ = area_ratio
 * Jᵀ maps pressures to the nodes, so that the coupling conserves energy. The links between the
 * cells below and above are cut (struct cut), then
 *     r = ε (Δψ̂ - Δψ⁻) - q J (w⁺ - w⁻),  Δψ = ψ_below - ψ_above,  ε = ρk/(2ρH),  q = ε λ²X/k
 *     ψ_below -= δ,  ψ_above += δ,  δ = (λ²X/2k) J (w⁺ - w⁻)
 * (theory (66), (70) and (71)), ψ̂ being the step of air with the links cut. w⁺ and r are solved
 * for together, to rounding error.
 *
 * Lines: modes, each an oscillator q⁺ = now q - before q⁻ + gain f of exact frequency and decay. A
 * connection to a surface is solved together with it (struct connection), which conserves energy,
 * too. */
#ifndef AULA_SOLVER_SCHEMES_BODIES_BODIES_H
#define AULA_SOLVER_SCHEMES_BODIES_BODIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* A kind of node: its neighbours with their entries in N and B; neighbours with B = 0 come last. */
enum { STENCIL_MAX = 35, STENCIL_KINDS_MAX = 65535 };
struct stencil {
    uint32_t count, lossy; /* number of neighbours; the first `lossy` of them have an entry in B */
    int32_t offset[STENCIL_MAX];
    double now[STENCIL_MAX], before[STENCIL_MAX];
};

/* A sparse matrix by rows. */
struct sparse {
    uint32_t *start; /* [rows + 1] */
    uint32_t *column;
    double *value;
};

struct surface {
    size_t nx, ny;  /* numbers of nodes, in rows of nx, including a fixed rim */
    uint16_t *kind; /* [ny][nx]: 0 for fixed nodes, otherwise the number of the node's stencil, from 1 */
    struct stencil *stencils;
    size_t stencil_count; /* stencils[0] is empty */
    double denominator;   /* D */
    double force_gain;    /* k²/(ρH hx hy), m/N */
    double *lightness;    /* [ny][nx] (ρH hx hy/mass of the node)^1/2; engines do not use it */

    size_t cells;            /* air cells on each side; 0: in vacuo */
    uint64_t *below, *above; /* [cells] points of the field */
    struct sparse map;       /* J: [cells] rows over nodes */
    struct sparse spread;    /* Jᵀ: [nx ny] rows over cells */
    struct sparse coupling;  /* J Jᵀ without its diagonal: [cells] rows over cells */
    double *diagonal;        /* [cells] diagonal of J Jᵀ */
    double area_ratio;       /* X²/(hx hy) */
    double pressure_gain;    /* ε */
    double load;             /* q */
    double flow_gain;        /* λ²X/(2k) */
    unsigned iterations;     /* number for which r is exact to rounding; 1 if J Jᵀ is diagonal */
};

/* Coupling of a line to a surface.
 *    END    the end at place 1 is the surface, with displacement w_c; the modes are those with that
 *           end fixed, and shape[m] = ∫ρA φ_m s, where s is the static shape for a movement of the
 *           end
 *    BRIDGE the same end is a bridge with a mass, connected to the surface by a spring
 *    POINT  a point of the line, shape[m] = φ_m there, connected to the surface by a spring
 *           (stiffness INFINITY: rigidly) */
enum connection_kind { CONNECTION_NONE, CONNECTION_END, CONNECTION_BRIDGE, CONNECTION_POINT };
enum { CONNECTION_NODES_MAX = 4 };
struct connection {
    enum connection_kind kind;
    uint32_t node[CONNECTION_NODES_MAX]; /* nodes of the surface */
    double weight[CONNECTION_NODES_MAX]; /* bilinear weights with sum 1, times lightness */
    double *shape;                       /* [modes] */
    double end_mass, end_stiffness;      /* END, BRIDGE: ∫ρA s² (kg), N/m */
    double bridge_mass;                  /* BRIDGE, kg */
    double stiffness, resistance;        /* BRIDGE, POINT: N/m, N s/m */
};

struct line_body {
    size_t modes;
    double *now, *before, *gain; /* [modes] */
    struct connection connection;
};

struct port;       /* ports.h */
struct stretching; /* stretching.h */
struct wind;       /* wind.h */

/* A surface with the lines that drive it, a single line, or a wind instrument. Its points are the nodes of the surface
 * and then the points of each line; its parts are the surface and the lines. */
struct body {
    const struct surface *surface; /* NULL: none */
    const struct line_body *lines; /* [line_count] */
    size_t line_count;
    const struct port *ports; /* [port_count] */
    size_t port_count;
    struct sparse places; /* rows over the points: displacement, and forces for 1 N, of each place that ports touch */
    size_t place_count;
    const struct stretching *stretching; /* [stretching_count] */
    size_t stretching_count;
    const struct wind *wind; /* NULL: none; it has no surface, lines or ports */
};

/* Air points that have lost links to a surface, the shell of a drum or a baffle. */
struct cut {
    uint64_t point;
    uint8_t faces; /* bit f: the link across face f (x_min x_max y_min y_max z_min z_max) is cut */
};

/* State arrays of the scheme after p and p_previous: w or q of each body's surface and then of
 * its lines, and with ports the array of their inputs, body by body; array_count in total. A drive
 * on w or q is a force in N, on a line a modal force; on inputs it is the value that a port reads in
 * this step. Taps have level 1; those on inputs read the forces of ports (ports.h). A wind
 * instrument has one array, of its inputs (wind.h). */
enum { BODY_ARRAYS = 2, PORT_INPUTS = 3 };
struct bodies {
    const struct body *body; /* [count] */
    size_t count, array_count;
    const struct cut *cuts; /* [cut_count], points ascending, none next to an absorbing face */
    size_t cut_count;
    double time_step;       /* k, s */
    double joules_to_field; /* one joule in the field's units of energy: c²k²/(ρX³) */
    bool unaudited;         /* cpu: nobody asks what bodies lose and receive, and audits are not balanced */
};

/* Coupling of a body's lines and its surface within a step, for every engine: theory (73). With F the forces of the
 * lines on the surface and w_c its displacements at the connections,
 *     F_i = force_i - slope_i w_c,i⁺,   w_c⁺ = free w_c⁺ + G F,   hence  w_c⁺ = C (free w_c⁺) + C G
 *     force,  C = (1 + G slope)⁻¹
 * where "free" is the step without these forces, which then adds answer_i F_i to every node. */
struct line_coupling {
    size_t lines;          /* number of lines of the body; 0 without a surface */
    double *slope;         /* [lines] */
    double *free, *forced; /* [lines][lines]: C and C G */
    struct sparse answer;  /* [lines] rows over nodes: m/N */
};
int line_coupling_make(struct line_coupling *j, const struct body *body, double time_step, struct error *e);
void line_coupling_free(struct line_coupling *j);

/* The slope of F = force - slope w⁺: for END from ∫ρA s² and the modes, otherwise from the
 * spring. */
double connection_slope(const struct line_body *line, double time_step);

/* N/m: factor of η⁺ in the force f = outward η⁺ + inward η⁻ of the spring and its dashpot, where η is
 * the elongation; BRIDGE: force on the bridge per its next displacement, with the surface at rest. */
double connection_outward(const struct connection *c, double time_step);
double connection_stiffness(const struct line_body *line, double time_step);

/* Smallest number of Jacobi iterations for which r is exact to rounding. 0: they do not
 * converge, as nodes wider than cells are too light for the air on them. */
unsigned surface_iterations(const struct surface *s);

/* r by `iterations` Jacobi iterations of (1 + c J Jᵀ) r = right, c = q X²/(hx hy D), theory (72); scratch: [cells]. */
void surface_solve(const struct surface *s, const double *right, double *r, double *scratch);

/* w⁺ of the nodes, m, of a surface at rest for the forces `force` [nodes], N, including the reaction of
 * the air within the step. scratch: [surface_response_scratch(s)]. */
void surface_response(double *w, const struct surface *s, const double *force, double *scratch);
size_t surface_response_scratch(const struct surface *s);

/* Row `row` of m times in. */
double sparse_row(const struct sparse *m, size_t row, const double *in);

/* out = m in. */
void sparse_apply(const struct sparse *m, size_t rows, const double *in, double *out);

/* out [nodes] = k²K w, the restoring force times force_gain; 0 at fixed nodes. */
void surface_stiffness(double *out, const struct surface *s, const double *w);

/* Displacement of a surface at a connection. */
double connection_at(const struct connection *c, const double *w);

/* At the connection of a line: Σ shape q, and Σ shape² gain. */
double connection_reach(const struct line_body *line, const double *q);
double connection_gain(const struct line_body *line);

/* Energies in J from the displacements of the last level [0] and the one before [1]. connection_energy: inertia and
 * stiffness of an end, its bridge and springs; q of the line, w of the surface; time_step in s. */
double surface_energy(const struct surface *s, const double *const w[2]);
double modes_energy(const struct line_body *line, const double *const q[2]);
double connection_energy(const struct line_body *line, const double *const q[2], const double *const w[2],
                         double time_step);

/* Number of modes, plus one for a bridge. */
size_t line_points(const struct line_body *line);

/* First point of a part of a body: part 0 is the surface, if there is one, followed by the lines. One past
 * the last part: the number of points. */
size_t body_offset(const struct body *body, size_t part);
size_t body_parts(const struct body *body);

/* Number of state arrays of a body: its parts, and the inputs of its ports. */
size_t body_arrays(const struct body *body);

/* Number of nodes, of modes and bridge, or of inputs, of a state array; 0: no such array. */
size_t bodies_points(const struct bodies *b, size_t array);

uint64_t bodies_bytes(const struct bodies *b);

/* Bytes of the state of a body between two steps, in the order of the last piece of every engine
 * (solver/state.h): energy lost and supplied; for a surface both levels of all nodes and of all
 * cells; for each line both levels of its points or modes; the state of each port; ψ of each
 * stretching; the state of a wind instrument. */
size_t body_state_bytes(const struct body *body);

#endif
