/* SPDX-License-Identifier: MIT */
#include "room/layers/media.h"

#include <math.h>

static const double prandtl = 0.71, heat_ratio = 1.4;
static const double small_hole = 1e-3; /* m: below, a hole is a micro-perforation */

/* ---- Media ---- */

static struct medium miki(const struct layer *l, const struct layered_wall *w, double complex frequency)
{
    const double complex x = frequency / l->flow_resistivity, z = cpow(x, -0.632), k = cpow(x, -0.618);
    return (struct medium){w->density * w->sound_speed * (1.0 + 0.070 * z - 0.107 * I * z),
                           2.0 * M_PI * frequency / w->sound_speed * (1.0 + 0.109 * k - 0.160 * I * k)};
}

static struct medium described_pores(const struct layer *l, const struct layered_wall *w, double complex frequency)
{
    const double complex omega = 2.0 * M_PI * frequency;
    const double rho = w->density, eta = AIR_VISCOSITY, sigma = l->flow_resistivity;
    const double tortuosity = fmax(l->tortuosity, 1.0);
    const double viscous =
        l->viscous_length > 0.0 ? l->viscous_length : sqrt(8.0 * eta * tortuosity / (l->porosity * sigma));
    const double thermal = l->thermal_length > 0.0 ? l->thermal_length : 2.0 * viscous;
    const double flow = sigma * viscous * l->porosity;
    const double complex g = csqrt(1.0 + 4.0 * I * tortuosity * tortuosity * eta * rho * omega / (flow * flow));
    const double complex density =
        tortuosity * rho / l->porosity * (1.0 + sigma * l->porosity / (I * omega * rho * tortuosity) * g);
    const double complex heat = prandtl * rho * omega * thermal * thermal;
    const double complex h = 1.0 + 8.0 * eta / (I * heat) * csqrt(1.0 + I * heat / (16.0 * eta));
    const double pressure = rho * w->sound_speed * w->sound_speed / heat_ratio;
    const double complex modulus = heat_ratio * pressure / l->porosity / (heat_ratio - (heat_ratio - 1.0) / h);
    return (struct medium){csqrt(density * modulus), omega * csqrt(density / modulus)};
}

struct medium layer_medium(const struct layer *layer, const struct layered_wall *wall, double complex frequency)
{
    if (layer->kind == LAYER_POROUS)
        return layer->porosity > 0.0 ? described_pores(layer, wall, frequency) : miki(layer, wall, frequency);
    return (struct medium){wall->density * wall->sound_speed, 2.0 * M_PI * frequency / wall->sound_speed};
}

/* ---- Plates ---- */

/* 2 J1(q)/(q J0(q)) by its continued fraction, from the back: 2/(2 - q²/(4 - q²/(6 - ..))). */
static double complex bessel_ratio(double complex q_squared)
{
    const int terms = 40 + (int)sqrt(cabs(q_squared));
    double complex t = 2.0 * terms;
    for (int n = terms - 1; n > 0; n--)
        t = 2.0 * n - q_squared / t;
    return 2.0 / t;
}

/* Mass that moves along outside a plate, as a length of a hole or slot at one face. Holes: 0.85 times their radius,
 * reduced for neighbours (Fok's function, first terms); slots: (width/π) ln(1/sin(π ε/2)) (Kristiansen and Vigran, Applied
 * Acoustics 43, 39-48, 1994). */
static double end_length(const struct layer *l, double open)
{
    if (l->kind == LAYER_SLOTTED)
        return -l->slot / M_PI * log(sin(0.5 * M_PI * open));
    const double root = sqrt(open);
    return 0.85 * 0.5 * l->hole * (1.0 - 1.47 * root + 0.47 * root * root * root);
}

static double complex plate(const struct layer *l, const struct layered_wall *w, double complex frequency,
                            const struct layer *behind)
{
    const double complex omega = 2.0 * M_PI * frequency;
    const double rho = w->density, open = layer_open_area(l);
    const double width = l->kind == LAYER_SLOTTED ? l->slot : l->hole;
    const double complex s =
        0.25 * width * width * omega * rho / AIR_VISCOSITY; /* half the width over the boundary layer, ² */
    double complex inside, density_behind = rho;
    if (l->kind == LAYER_SLOTTED) {
        const double complex q = csqrt(I * s);
        inside = 1.0 - ctanh(q) / q;
    } else {
        inside = 1.0 - bessel_ratio(-I * s);
    }
    const double complex friction = 2.0 * (width < small_hole ? 0.25 : 1.0) * csqrt(2.0 * omega * rho * AIR_VISCOSITY);
    if (behind) {
        const struct medium m = layer_medium(behind, w, frequency);
        density_behind = m.impedance * m.wavenumber / omega;
    }
    return (I * omega * rho * l->thickness / inside + friction +
            I * omega * end_length(l, open) * (rho + density_behind)) /
           open;
}

double layer_open_area(const struct layer *layer)
{
    const double ratio = (layer->kind == LAYER_SLOTTED ? layer->slot : layer->hole) / layer->spacing;
    return layer->kind == LAYER_SLOTTED ? ratio : 0.25 * M_PI * ratio * ratio;
}

/* ---- Sheets ---- */

/* The resistance of a membrane is that of its mounting, given as the loss factor of its resonance. */
static double complex membrane(const struct layer *l, const struct layered_wall *w, double complex frequency,
                               double depth)
{
    const double stiffness = depth > 0.0 ? w->density * w->sound_speed * w->sound_speed / depth : 0.0;
    return l->loss * sqrt(stiffness * l->mass) + I * (2.0 * M_PI * frequency * l->mass);
}

/* The flow through a cloth drags its mass along. */
static double complex cloth(const struct layer *l, double complex frequency)
{
    const double complex inert = I * (2.0 * M_PI * frequency * l->cloth_mass);
    return l->cloth_mass > 0.0 ? l->flow_resistance * inert / (l->flow_resistance + inert) : l->flow_resistance;
}

double complex layer_series(const struct layer *layer, const struct layered_wall *wall, double complex frequency,
                            const struct layer *behind, double depth)
{
    switch (layer->kind) {
    case LAYER_PERFORATED:
    case LAYER_SLOTTED:
        return plate(layer, wall, frequency, behind);
    case LAYER_MEMBRANE:
        return membrane(layer, wall, frequency, depth);
    case LAYER_CLOTH:
        return cloth(layer, frequency);
    case LAYER_AIR:
    case LAYER_POROUS:
    case LAYER_TABLE:
    case LAYER_KINDS:
        break;
    }
    return 0.0;
}
