/* SPDX-License-Identifier: MIT */
/* The decimal sign of the numbers in a page. */
#ifndef AULA_PRESENT_REPORT_DECIMALS_H
#define AULA_PRESENT_REPORT_DECIMALS_H

/* '.' or ',', by the language of a locale such as "de", "de-CH" or "pt_BR.UTF-8"; 0: the language is not known. (Unicode
 * CLDR, symbols of the Latin numbering system) */
char decimals_of_locale(const char *locale);

/* Replaces the point by `sign` in each word of the page's text that is a plain number. Tags, scripts, headings and cells
 * with names (h1 to h3, th scope="row", translate="no") stay as they are; in drawings only texts that are numbers, or
 * numbers with a unit, change. */
void decimals_set(char *page, char sign);

#endif
