/* SPDX-License-Identifier: MIT */
#include "geometry/gltf/uri.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/input_file.h"
#include "base/text.h"
#include "io/base64.h"

static int no_memory(const char *path, struct error *e)
{
    return fail(e, ERROR_MEMORY, "%s: out of memory", path);
}

int uri_read_file(struct gltf_bytes *bytes, const char *path, size_t max, struct error *e)
{
    struct stat status;
    FILE *f = input_file_stream(path, e);
    if (!f)
        return -1;
    const bool sized = !fstat(fileno(f), &status) && status.st_size >= 0;
    const size_t size = sized ? (size_t)status.st_size : 0;
    uint8_t *all = sized && size <= max ? malloc(size + 1) : NULL;
    const bool whole = all && fread(all, 1, size, f) == size;
    fclose(f);
    *bytes = (struct gltf_bytes){all, size};
    if (whole)
        return 0;
    free(all);
    if (size > max)
        return fail(e, ERROR_INPUT, "%s: is larger than %zu MB; simplify the model", path, max >> 20);
    return all ? fail(e, ERROR_INPUT, "%s: cannot be read", path) : no_memory(path, e);
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Fresh memory; NULL: out of memory. Anything other than %XX is copied unchanged. */
static char *percent_decoded(const char *text)
{
    char *decoded = malloc(strlen(text) + 1), *to = decoded;
    while (decoded && *text) {
        const int high = *text == '%' ? hex_digit(text[1]) : -1, low = high >= 0 ? hex_digit(text[2]) : -1;
        const bool is_code = low >= 0 && high + low > 0;
        *to++ = is_code ? (char)(16 * high + low) : *text;
        text += is_code ? 3 : 1;
    }
    if (decoded)
        *to = '\0';
    return decoded;
}

static int read_data(struct gltf_bytes *bytes, const char *path, const char *uri, struct error *e)
{
    static const char coding[] = ";base64,";
    const char *comma = strchr(uri, ',');
    const size_t before = comma ? (size_t)(comma - uri) + 1 : 0;
    size_t count;
    if (before < sizeof coding - 1 || strncasecmp(uri + before - (sizeof coding - 1), coding, sizeof coding - 1) != 0)
        return fail(e, ERROR_INPUT, "%s: embedded data are not in base64; export it as .glb", path);
    uint8_t *decoded = malloc(strlen(comma) + 1);
    if (!decoded)
        return no_memory(path, e);
    if (base64_read(decoded, &count, comma + 1))
        return fail(e, ERROR_INPUT, "%s: embedded base64 data are damaged; export it as .glb", path);
    *bytes = (struct gltf_bytes){decoded, count};
    return 0;
}

static bool has_scheme(const char *uri)
{
    const size_t letters = strspn(uri, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-");
    return letters > 1 && uri[letters] == ':' && isalpha((unsigned char)*uri);
}

int uri_read(struct gltf_bytes *bytes, const char *path, const char *uri, size_t max, struct error *e)
{
    char shown[QUOTED];
    if (!strncasecmp(uri, "data:", 5))
        return read_data(bytes, path, uri, e);
    if (has_scheme(uri))
        return fail(e, ERROR_INPUT, "%s: has its data at %s; store them beside it, or export it as .glb", path,
                    quoted(shown, uri));
    char *name = percent_decoded(uri), *folder = path_folder(path);
    char *file = name && folder ? path_join(folder, name) : NULL, *literal = folder ? path_join(folder, uri) : NULL;
    struct error why;
    int status = file && literal ? 0 : no_memory(path, e);
    if (!status && uri_read_file(bytes, access(file, F_OK) ? literal : file, max, &why))
        status = why.code == ERROR_INPUT ? fail(e, ERROR_INPUT, "%s: its data: %s", path, why.message)
                                         : fail(e, why.code, "%s", why.message);
    free(name);
    free(folder);
    free(file);
    free(literal);
    return status;
}
