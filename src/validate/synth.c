/* The checks of instruments in the air. */
#include "validate/validate.h"

static const struct check line_check = {"lines", check_synth_lines};

const struct check *const synth_checks[] = {&line_check, NULL};
