/* SPDX-License-Identifier: MIT */
#include "base/acoustics/air.h"

#include <math.h>

static const double PI = 3.14159265358979323846;
static const double REFERENCE_PRESSURE = 101.325;   /* kPa */
static const double REFERENCE_TEMPERATURE = 293.15; /* K */
static const double TRIPLE_POINT = 273.16;          /* K, of water */

double sound_speed(double temperature)
{
    return 343.2 * sqrt((temperature + 273.15) / 293.15);
}

/* Molar concentration of water vapour, %. */
static double water_vapour(const struct air_conditions *air, double kelvin)
{
    const double saturation = pow(10.0, 4.6151 - 6.8346 * pow(TRIPLE_POINT / kelvin, 1.261)); /* of 101.325 kPa */
    return air->humidity * saturation * REFERENCE_PRESSURE / air->pressure;
}

double air_density(const struct air_conditions *air)
{
    return 1e3 * air->pressure / (287.05 * (air->temperature + 273.15));
}

double air_absorption(double frequency, const struct air_conditions *air)
{
    const double kelvin = air->temperature + 273.15;
    const double t = kelvin / REFERENCE_TEMPERATURE, p = air->pressure / REFERENCE_PRESSURE;
    const double h = water_vapour(air, kelvin);
    const double oxygen = p * (24.0 + 4.04e4 * h * (0.02 + h) / (0.391 + h));                      /* Hz */
    const double nitrogen = p / sqrt(t) * (9.0 + 280.0 * h * exp(-4.170 * (1.0 / cbrt(t) - 1.0))); /* Hz */
    const double squared = frequency * frequency;
    const double classical = 1.84e-11 / p * sqrt(t);
    const double relaxation = 0.01275 * exp(-2239.1 / kelvin) / (oxygen + squared / oxygen) +
                              0.1068 * exp(-3352.0 / kelvin) / (nitrogen + squared / nitrogen);
    return squared * (classical + relaxation / (t * t * sqrt(t)));
}

double air_absorption_level(double frequency, const struct air_conditions *air)
{
    return 1000.0 * 20.0 / log(10.0) * air_absorption(frequency, air);
}

double air_viscothermal_time(double frequency, const struct air_conditions *air, double sound_speed)
{
    const double omega = 2.0 * PI * frequency;
    return 2.0 * sound_speed * air_absorption(frequency, air) / (omega * omega);
}
