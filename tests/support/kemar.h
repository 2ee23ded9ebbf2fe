/* SPDX-License-Identifier: MIT */
/* The HRTF of the tests: MIT's KEMAR with normal pinnae, as Debian's libmysofa1 has it. */
#ifndef AULA_TESTS_KEMAR_H
#define AULA_TESTS_KEMAR_H

#define KEMAR_PATH "/usr/share/libmysofa/MIT_KEMAR_normal_pinna.sofa"

/* Why it cannot be read here; NULL: it can. */
const char *kemar_missing(void);

#endif
