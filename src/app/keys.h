/* SPDX-License-Identifier: MIT */
/* aula info --keys --json: the table of keys of a room file for programs. */
#ifndef AULA_APP_KEYS_H
#define AULA_APP_KEYS_H

#include "base/error.h"

int keys_print_json(struct error *e);

#endif
