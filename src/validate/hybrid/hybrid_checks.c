/* SPDX-License-Identifier: MIT */
/* The table of the checks of image sources and rays. */
#include "validate/hybrid/checks.h"

static const struct check oracle_check = {"oracle", check_band_oracle};
static const struct check factor_check = {"factor", check_band_factor};
static const struct check free_field_check = {"free-field", check_band_free_field};
static const struct check box_check = {"box", check_band_box};

static const struct check crossover_check = {"crossover", check_band_crossover};
static const struct check trend_check = {"trend", check_band_trend};
static const struct check rooms_check = {"rooms", check_band_rooms};
static const struct check halls_check = {"halls", check_band_halls};
static const struct check rays_check = {"rays", check_band_rays};
static const struct check decays_check = {"decays", check_band_decays};
static const struct check coupled_check = {"coupled", check_band_coupled};
static const struct check convergence_check = {"convergence", check_band_convergence};
static const struct check octaves_check = {"octaves", check_band_octaves};
static const struct check ears_check = {"ears", check_band_ears};
static const struct check near_walls_check = {"near-walls", check_band_near_walls};
static const struct check leaks_check = {"leaks", check_band_leaks};
static const struct check device_check = {"device", check_band_device};

const struct check *const hybrid_checks[] = {
    &oracle_check,     &factor_check, &free_field_check, &box_check,         &crossover_check, &trend_check,
    &rays_check,       &decays_check, &coupled_check,    &convergence_check, &octaves_check,   &ears_check,
    &near_walls_check, &leaks_check,  &device_check,     &rooms_check,       &halls_check,     NULL};
