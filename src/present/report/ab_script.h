/* SPDX-License-Identifier: MIT */
/* src/present/report/ab_player.js as bytes, with its SHA-256; the build makes it (src/CMakeLists.txt). */
#ifndef AULA_PRESENT_REPORT_AB_SCRIPT_H
#define AULA_PRESENT_REPORT_AB_SCRIPT_H

#include <stddef.h>
#include <stdint.h>

extern const uint8_t ab_script[];
extern const size_t ab_script_length;
extern const uint8_t ab_script_digest[32];

#endif
