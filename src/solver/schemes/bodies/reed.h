/* SPDX-License-Identifier: MIT */
/* A reed or a player's lips: a valve that the pressure across it moves, and through which the player
 * blows. S. Bilbao, "Direct simulation of reed wind instruments", Computer Music Journal 33(4), 43-55,
 * 2009; theory (75c) and (75d). The contact with the lay as in contact.h.
 *
 * y is the opening, at rest H, Δp = p_m - p̄ the pressure across it, σ = 1 for a reed that Δp closes and -1
 * for lips that it opens:
 *     M (y⁺ - 2y + y⁻)/k² + M g (y⁺ - y⁻)/2k + K (y - H) = -σ S Δp + contact
 *     U_jet = w [y]₊ √(2|Δp|/ρ) sgn Δp,   U = U_jet - σ S (y⁺ - y⁻)/2k,   p̄ = p̂ + z U
 * p̂ is the mean pressure in the first cell of the bore for U = 0. y⁺ - y⁻ is linear in Δp, and √|Δp| the
 * positive root of a quadratic equation: exact, without iteration. The jet's kinetic energy is lost.
 *
 * The lay pushes back with K_l [-y]₊^(3/2). Once it lets go, what rounding leaves in its potential counts as lost:
 * taken back by a force, it would depend on Δp of the same step, and hold the reed. */
#ifndef AULA_SOLVER_SCHEMES_BODIES_REED_H
#define AULA_SOLVER_SCHEMES_BODIES_REED_H

#include <math.h>

#include "base/device.h"

struct reed {
    double sign;          /* σ */
    double mass;          /* M, kg */
    double frequency;     /* of its own, √(K/M)/2π, Hz */
    double damping;       /* g at that frequency, 1/s; in proportion to the frequency */
    double width;         /* w, m */
    double opening;       /* H, m */
    double area;          /* S, m² */
    double lay_stiffness; /* K_l, N/m^(3/2) */
};

/* All 0 at rest. */
struct reed_state {
    double now, before; /* y - H at n and n - 1, m */
    double potential;   /* of the lay, ψ, √J */
    double frequency;   /* of the last step, Hz; 0: the reed's own */
};

/* What happens around the reed within a step. */
struct reed_around {
    double blowing;   /* p_m, Pa */
    double frequency; /* of the lips, Hz; 0: their own */
    double pressure;  /* p̂, Pa */
    double impedance; /* z, Pa s/m³ */
    double density, time_step;
};

struct reed_flow {
    double flow, jet;   /* U, U_jet, m³/s */
    double across;      /* Δp, Pa */
    double given, lost; /* J: p_m U k and the work that changes K; jet, damping, contact */
};

/* A clarinet's reed: Schumacher, Acustica 48, 1981. Lips of a trombone player at a frequency, Hz: Cullen, Gilbert and
 * Campbell, Acta Acustica 86, 2000; the area is typical. */
struct reed reed_clarinet(void);
struct reed reed_lips(double frequency);

/* The pressure that closes a reed, K H/S, Pa. */
double reed_closing_pressure(const struct reed *r);

/* J, between two steps. */
double reed_energy(const struct reed *r, const struct reed_state *s, double time_step);

/* N/m at a frequency; 0: the reed's own. */
ON_BOTH double reed_stiffness(const struct reed *r, double frequency)
{
    const double omega = 2.0 * M_PI * (frequency > 0.0 ? frequency : r->frequency);
    return r->mass * omega * omega;
}

/* dψ/dy of the lay, √J/m; *lost: what it held when it let go. */
ON_BOTH double reed_contact(const struct reed *r, struct reed_state *s, double *lost)
{
    const double depth = -(s->now + r->opening);
    if (depth > 0.0) {
        const double slope = sqrt(1.25 * r->lay_stiffness * sqrt(depth));
        return s->potential < 0.0 ? -slope : slope;
    }
    *lost += 0.5 * s->potential * s->potential;
    s->potential = 0.0;
    return 0.0;
}

ON_BOTH struct reed_flow reed_step(const struct reed *r, struct reed_state *s, const struct reed_around *a)
{
    const double k = a->time_step, inert = r->mass / (k * k), stiffness = reed_stiffness(r, a->frequency);
    const double ratio = a->frequency > 0.0 ? a->frequency / r->frequency : 1.0;
    const double damping = 0.5 * r->mass * r->damping * ratio / k;
    struct reed_flow f;
    f.given = 0.5 * (stiffness - reed_stiffness(r, s->frequency)) * s->now * s->before;
    f.lost = 0.0;
    const double contact = reed_contact(r, s, &f.lost);

    /* y⁺ - y⁻ = still - sway Δp */
    const double resisting = inert + damping + 0.25 * contact * contact;
    const double still = (2.0 * inert * (s->now - s->before) - stiffness * s->now + contact * s->potential) / resisting;
    const double sway = r->sign * r->area / resisting, sweep = 0.5 * r->sign * r->area / k;

    /* |Δp| (1 + z sweep sway) + z jet √|Δp| = |push| */
    const double gap = s->now + r->opening, jet = r->width * (gap > 0.0 ? gap : 0.0) * sqrt(2.0 / a->density);
    const double push = a->blowing - a->pressure + a->impedance * sweep * still, size = fabs(push);
    const double linear = a->impedance * jet, square = 1.0 + a->impedance * sweep * sway;
    const double root = size > 0.0 ? 2.0 * size / (linear + sqrt(linear * linear + 4.0 * square * size)) : 0.0;

    f.across = push < 0.0 ? -root * root : root * root;
    f.jet = push < 0.0 ? -jet * root : jet * root;
    const double moved = still - sway * f.across;
    f.flow = f.jet - sweep * moved;
    f.given += k * a->blowing * f.flow;
    f.lost += k * f.across * f.jet + 0.5 * damping * moved * moved;
    const double next = s->before + moved;
    s->potential -= 0.5 * contact * moved;
    s->before = s->now;
    s->now = next;
    s->frequency = a->frequency;
    return f;
}

#endif
