/* SPDX-License-Identifier: MIT */
/* Text inside XML: SVG files and the iXML chunk of sound files. */
#ifndef AULA_IO_XML_H
#define AULA_IO_XML_H

#include <stdio.h>

#include "base/text.h"
#include "io/text_stream.h"

/* Writes text so that the result is well-formed XML whatever the bytes: & < > " are escaped, control characters become
 * spaces, bytes that are not UTF-8 become '?'. NULL writes nothing. */
void xml_text(FILE *stream, const char *text);

/* As xml_text, into a text in memory. */
void xml_add(struct growing_text *t, const char *text);

#endif
