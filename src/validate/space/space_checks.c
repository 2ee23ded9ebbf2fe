/* SPDX-License-Identifier: MIT */
/* The table of the checks of directional receivers and sources. */
#include "validate/space/checks.h"

static const struct check plane_wave_check = {"plane-waves", check_space_plane_waves};
static const struct check pattern_check = {"patterns", check_space_patterns};
static const struct check near_source_check = {"near-source", check_space_near_source};
static const struct check mode_check = {"modes", check_space_modes};
static const struct check reciprocity_check = {"reciprocity", check_space_reciprocity};
static const struct check source_check = {"sources", check_space_sources};
static const struct check directivity_check = {"directivity", check_space_directivity};
static const struct check rounding_check = {"rounding", check_space_rounding};
static const struct check reflection_check = {"reflection", check_space_reflection};
static const struct check file_check = {"files", check_space_files};
static const struct check ear_check = {"ears", check_space_ears};

const struct check *const space_checks[] = {
    &plane_wave_check,  &pattern_check,  &near_source_check, &mode_check, &reciprocity_check, &source_check,
    &directivity_check, &rounding_check, &reflection_check,  &ear_check,  &file_check,        NULL,
};
