/* SPDX-License-Identifier: MIT */
#include "io/drawing/svg_axis.h"

#include <math.h>
#include <string.h>

#include "io/xml.h"

const char *svg_colour(size_t i)
{
    static const char *const colours[] = {"#0b6fb8", "#d1492b", "#1d8f5f", "#8a4fb5",
                                          "#b98500", "#c2397b", "#178f9c", "#616e7c"};
    return colours[i % (sizeof colours / sizeof *colours)];
}

double svg_text_width(const char *text, double size)
{
    size_t letters = 0;
    for (const char *c = text; c && *c; c++)
        letters += (*c & 0xC0) != 0x80; /* not the inner bytes of UTF-8 */
    return 0.56 * size * (double)letters;
}

void svg_begin(FILE *stream, const char *title, double height)
{
    fprintf(stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" "
            "font-family=\"system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif\">\n",
            SVG_WIDTH, height, SVG_WIDTH, height);
    if (title && *title) {
        fputs("<title>", stream);
        xml_text(stream, title);
        fputs("</title>\n", stream);
    }
    fputs("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n", stream);
    if (title && *title) {
        fprintf(stream, "<text x=\"24\" y=\"34\" font-size=\"18\" font-weight=\"600\" fill=\"" SVG_INK "\">");
        xml_text(stream, title);
        fputs("</text>\n", stream);
    }
}

void svg_end(FILE *stream)
{
    fputs("</svg>\n", stream);
}

void svg_text(FILE *stream, double x, double y, double size, const char *anchor, const char *colour, const char *text)
{
    if (!text || !*text)
        return;
    fprintf(stream, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.0f\" text-anchor=\"%s\" fill=\"%s\">", x, y, size,
            anchor, colour);
    xml_text(stream, text);
    fputs("</text>\n", stream);
}

static double round_step(double min)
{
    double power = pow(10.0, floor(log10(min)));
    double mantissa = min / power;
    return power * (mantissa <= 1.0 + 1e-9 ? 1.0 : mantissa <= 2.0 + 1e-9 ? 2.0 : mantissa <= 5.0 + 1e-9 ? 5.0 : 10.0);
}

struct svg_axis svg_axis_make(double min, double max, double from, double to, int ticks)
{
    struct svg_axis axis = {.min = min, .max = max, .from = from, .to = to};
    if (!isfinite(min) || !isfinite(max) || !(max > min) || !isfinite(max - min)) {
        axis.min = isfinite(min) && fabs(min) < 1e15 ? min : 0.0;
        axis.max = axis.min + 1.0;
    }
    /* limits closer together than doubles can count ticks between */
    double resolution = 1e-12 * fmax(fabs(axis.min), fabs(axis.max));
    if (axis.max - axis.min < fmax(resolution, 1e-290))
        axis.max = axis.min + fmax(1.0, 2.0 * resolution);
    axis.step = round_step((axis.max - axis.min) / ticks);
    double largest = fmax(fabs(axis.min), fabs(axis.max));
    int magnitude = (int)floor(log10(largest) + 1e-9);
    axis.exponent = magnitude >= 5 || magnitude < -2 ? magnitude : 0;
    int step_power = (int)floor(log10(axis.step) + 1e-9);
    axis.decimals = axis.exponent > step_power ? axis.exponent - step_power : 0;
    if (axis.decimals > 12)
        axis.decimals = 12;
    return axis;
}

double svg_axis_place(const struct svg_axis *axis, double value)
{
    double part = (value - axis->min) / (axis->max - axis->min);
    part = fmin(2.0, fmax(-1.0, part));
    return axis->from + part * (axis->to - axis->from);
}

int svg_axis_tick(const struct svg_axis *axis, int i, double *value, char label[32])
{
    double first = ceil(axis->min / axis->step - 1e-9);
    *value = (first + i) * axis->step;
    if (*value > axis->max + 1e-9 * axis->step || i > 100)
        return 0;
    double scaled = *value / pow(10.0, axis->exponent);
    double half_unit = 0.5 * pow(10.0, -axis->decimals);
    int negative = scaled <= -half_unit; /* no minus before a zero */
    snprintf(label, 32, "%s%.*f", negative ? "\u2212" : "", axis->decimals, fabs(scaled));
    return 1;
}

void svg_axis_power(const struct svg_axis *axis, char text[32])
{
    static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    char plain[16];
    text[0] = '\0';
    if (!axis->exponent)
        return;
    snprintf(plain, sizeof plain, "%d", axis->exponent);
    int length = snprintf(text, 32, "×10");
    for (const char *c = plain; *c && length > 0 && length < 28; c++)
        length += snprintf(text + length, 32 - (size_t)length, "%s", *c == '-' ? "⁻" : digits[*c - '0']);
}

static void x_tick(FILE *stream, const struct svg_axis *x, const struct svg_axis *y, double value, const char *label)
{
    const double at = svg_axis_place(x, value);
    fprintf(stream, "<path d=\"M%.1f %.1fV%.1f\" stroke=\"" SVG_GRID "\"/>\n", at, y->from, y->to);
    svg_text(stream, at, y->from + 18.0, 12.0, "middle", SVG_FAINT, label);
}

static void y_tick(FILE *stream, const struct svg_axis *x, const struct svg_axis *y, double value, const char *label)
{
    const double at = svg_axis_place(y, value);
    fprintf(stream, "<path d=\"M%.1f %.1fH%.1f\" stroke=\"" SVG_GRID "\"/>\n", x->from, at, x->to);
    svg_text(stream, x->from - 8.0, at + 4.0, 12.0, "end", SVG_FAINT, label);
}

void svg_frame(FILE *stream, const struct svg_frame *frame, const struct svg_axis *x, const struct svg_axis *y)
{
    char label[32];
    double value;
    for (size_t i = 0; i < frame->x_tick_count; i++)
        x_tick(stream, x, y, frame->x_ticks[i].at, frame->x_ticks[i].label);
    for (int i = 0; !frame->x_tick_count && svg_axis_tick(x, i, &value, label); i++)
        x_tick(stream, x, y, value, label);
    for (size_t i = 0; i < frame->y_tick_count; i++)
        y_tick(stream, x, y, frame->y_ticks[i].at, frame->y_ticks[i].label);
    for (int i = 0; !frame->y_tick_count && svg_axis_tick(y, i, &value, label); i++)
        y_tick(stream, x, y, value, label);
    fprintf(stream, "<path d=\"M%.1f %.1fV%.1fH%.1f\" fill=\"none\" stroke=\"#9aa5b1\"/>\n", x->from, y->to, y->from,
            x->to);
    *label = '\0';
    if (!frame->x_tick_count)
        svg_axis_power(x, label);
    svg_text(stream, x->to, y->from + 36.0, 12.0, "end", SVG_FAINT, label);
    *label = '\0';
    if (!frame->y_tick_count)
        svg_axis_power(y, label);
    svg_text(stream, x->from - 8.0, y->to - 8.0, 12.0, "end", SVG_FAINT, label);
    svg_text(stream, 0.5 * (x->from + x->to), y->from + 38.0, 13.0, "middle", SVG_INK, frame->x_label);
    if (frame->y_label && *frame->y_label) {
        double middle = 0.5 * (y->from + y->to);
        fprintf(stream, "<g transform=\"translate(22 %.1f) rotate(-90)\">", middle);
        svg_text(stream, 0.0, 0.0, 13.0, "middle", SVG_INK, frame->y_label);
        fputs("</g>\n", stream);
    }
}
