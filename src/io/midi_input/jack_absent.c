/* SPDX-License-Identifier: MIT */
/* Stands in for JACK MIDI in a build without it. */
#include "io/midi_input/midi_system.h"

const struct midi_system jack_midi = {
    .name = "JACK", .missing = "this aula was built without JACK; install libjack-jackd2-dev and build it again"};
