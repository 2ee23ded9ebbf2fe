/* SPDX-License-Identifier: MIT */
/* src/present/report/room_3d.js as bytes, with its SHA-256; the build makes it (src/CMakeLists.txt). */
#ifndef AULA_PRESENT_REPORT_ROOM_SCRIPT_H
#define AULA_PRESENT_REPORT_ROOM_SCRIPT_H

#include <stddef.h>
#include <stdint.h>

extern const uint8_t room_script[];
extern const size_t room_script_length;
extern const uint8_t room_script_digest[32];

#endif
