/* SPDX-License-Identifier: MIT */
/* Calls that overflow, race or truncate silently are compile errors. Force-included into every file. */
#ifndef AULA_BASE_BANNED_H
#define AULA_BASE_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BANNED(function) use_of_##function##_is_banned
#undef strcpy
#define strcpy(a, b) BANNED(strcpy)
#undef strcat
#define strcat(a, b) BANNED(strcat)
#undef strncpy
#define strncpy(a, b, c) BANNED(strncpy)
#undef strncat
#define strncat(a, b, c) BANNED(strncat)
#undef sprintf
#define sprintf(...) BANNED(sprintf)
#undef vsprintf
#define vsprintf(a, b, c) BANNED(vsprintf)
#undef gets
#define gets(a) BANNED(gets)
#undef strtok
#define strtok(a, b) BANNED(strtok)
#undef atoi
#define atoi(a) BANNED(atoi)
#undef atof
#define atof(a) BANNED(atof)
#undef localtime
#define localtime(a) BANNED(localtime)
#undef rand
#define rand() BANNED(rand)
#undef tmpnam
#define tmpnam(a) BANNED(tmpnam)

#endif
