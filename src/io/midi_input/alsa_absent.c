/* SPDX-License-Identifier: MIT */
/* Stands in for the sequencer of ALSA in a build without it. */
#include "io/midi_input/midi_system.h"

const struct midi_system alsa_midi = {
    .name = "ALSA", .missing = "this aula was built without ALSA; install libasound2-dev and build it again"};
