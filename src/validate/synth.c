/* The checks of instruments in the air. */
#include "validate/validate.h"

static const struct check line_check = {"lines", check_synth_lines};
static const struct check surface_check = {"surfaces", check_synth_surfaces};

const struct check *const synth_checks[] = {&line_check, &surface_check, NULL};
