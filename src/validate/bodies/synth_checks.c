/* SPDX-License-Identifier: MIT */
/* The checks of instruments in the air. */
#include "validate/bodies/checks.h"

static const struct check line_check = {"lines", check_synth_lines};
static const struct check surface_check = {"surfaces", check_synth_surfaces};
static const struct check plate_check = {"plates", check_synth_plates};
static const struct check contacts_check = {"contacts", check_synth_contacts};
static const struct check bows_check = {"bows", check_synth_bows};
static const struct check stretching_check = {"stretching", check_synth_stretching};
static const struct check crash_check = {"crashes", check_synth_crashes};
static const struct check winds_check = {"winds", check_synth_winds};
static const struct check energy_check = {"energy", check_synth_energy};
static const struct check air_check = {"air", check_synth_air};
static const struct check loading_check = {"loading", check_synth_loading};
static const struct check guards_check = {"guards", check_synth_guards};
static const struct check presets_check = {"presets", check_synth_presets};
static const struct check engines_check = {"engines", check_synth_engines};
static const struct check synth_parts_check = {"parts", check_synth_parts};
static const struct check synth_resumed_check = {"resumed", check_synth_resumed};

const struct check *const synth_checks[] = {&line_check,
                                            &surface_check,
                                            &plate_check,
                                            &contacts_check,
                                            &bows_check,
                                            &stretching_check,
                                            &crash_check,
                                            &winds_check,
                                            &energy_check,
                                            &air_check,
                                            &loading_check,
                                            &guards_check,
                                            &presets_check,
                                            &engines_check,
                                            &synth_parts_check,
                                            &synth_resumed_check,
                                            NULL};
