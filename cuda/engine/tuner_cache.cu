/* SPDX-License-Identifier: MIT */
/* Results of the tuner, kept in a file of the user and keyed by a digest of the kernels, so that another build measures
 * again. */
#include "cuda/engine/tuner.cuh"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <sys/stat.h>
#include <unistd.h>

extern "C" {
#include "base/stop.h"
#include "solver/schemes/leapfrog/partition_links.h"
}
#include "cuda/engine/strategy.cuh"
#include "cuda/grid/view.cuh"
#include "cuda/step/branches.cuh"
#include "cuda_kernels_digest.h"

namespace
{

std::string cache_folder()
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache && *cache)
        return std::string(cache) + "/aula";
    return home && *home ? std::string(home) + "/.cache/aula" : std::string();
}

/* FNV-1a, 64 bits, of integers. */
struct fingerprint {
    uint64_t hash = 14695981039346656037u;

    void add(uint64_t value)
    {
        for (int byte = 0; byte < 8; byte++) {
            hash ^= value >> (8 * byte) & 0xffu;
            hash *= 1099511628211u;
        }
    }
};

uint64_t entries_of(const struct channel *channels, size_t count)
{
    uint64_t entries = 0;
    for (size_t i = 0; i < count; i++)
        entries += channels[i].count;
    return entries;
}

void add_walls(fingerprint *f, const struct layout *l, const struct rows *rows)
{
    const struct branches *b = &rows->branches;
    for (int axis = 0; axis < 3; axis++) {
        f->add(l->from[axis]);
        f->add(l->to[axis]);
    }
    f->add(l->missing);
    f->add(l->irregular_points);
    for (size_t i = 0; i < l->irregular_count; i++)
        f->add(l->irregular[i]);
    for (int i = 0; i < STATES; i++)
        f->add((uint64_t)l->states[i].updated << 1 | (uint64_t)(l->states[i].weight > 0.0));
    f->add(rows->wall_start[rows->count]);
    for (size_t i = 0; i < b->kind_count; i++)
        f->add((uint64_t)b->kinds[i].series << 32 | (uint64_t)b->kinds[i].count << 1 | (uint64_t)b->kinds[i].heavy);
    size_t row = 0;
    for (uint64_t i = 0; i < b->segment_count; i++) {
        const struct branch_segment *s = &b->segments[i];
        while (i >= b->segment_start[row + 1])
            row++;
        f->add(row);
        f->add((uint64_t)s->x << 32 | (uint64_t)s->kind << 16 | (uint64_t)s->length << 1 | (uint64_t)s->along_y);
    }
}

/* "6 x 12345, 11 x 678": points by number of branches. */
std::string branch_summary(const struct branches *b)
{
    std::map<uint32_t, uint64_t> points;
    std::string text;
    for (uint64_t i = 0; i < b->segment_count; i++)
        points[b->kinds[b->segments[i].kind].count] += b->segments[i].length;
    for (const auto &of : points)
        text += (text.empty() ? "" : ", ") + std::to_string(of.first) + " x " + std::to_string(of.second);
    return text;
}

/* Whether a field of a line consists only of characters allowed in names. */
bool is_name(const char *text)
{
    for (; *text; text++)
        if (!isalnum((unsigned char)*text) && *text != '-' && *text != '_')
            return false;
    return true;
}

} // namespace

std::string tuning_device_key()
{
    cudaDeviceProp properties;
    int device = 0, driver = 0;
    char text[400];
    if (cudaGetDevice(&device) != cudaSuccess || cudaGetDeviceProperties(&properties, device) != cudaSuccess ||
        cudaDriverGetVersion(&driver) != cudaSuccess)
        return std::string();
    snprintf(text, sizeof text, "%.16s|%d|%d|%s|%d|%zu|", AULA_KERNELS_DIGEST, CUDART_VERSION, driver, properties.name,
             properties.multiProcessorCount, properties.totalGlobalMem);
    return text;
}

std::string tuning_room_key(const struct problem *p, const struct layout *l, const struct rows *rows, bool audited)
{
    fingerprint f;
    char text[200];
    add_walls(&f, l, rows);
    f.add(entries_of(p->drives, p->drive_count));
    f.add(entries_of(p->taps, p->tap_count));
    snprintf(text, sizeof text, "%zu %zu %zu|%s%s%s%s%s%s|%zu irregular|%016llx", l->points[0], l->points[1],
             l->points[2], precision_names[p->precision], leapfrog_of(p)->viscosity > 0.0 ? " air" : "",
             leapfrog_of(p)->stencil == STENCIL_19_POINT ? " 19-point" : "",
             leapfrog_of(p)->bodies ? " instruments" : "", transmission_any(leapfrog_of(p)) ? " partitions" : "",
             audited ? " audited" : "", l->irregular_count, (unsigned long long)f.hash);
    const own_planes own(p);
    const std::string halos =
        own.has_halos() ? "|own " + std::to_string(own.first) + " to " + std::to_string(own.end) : std::string();
    return text + halos + std::string("|") + branch_summary(&rows->branches);
}

std::string tuning_steps_key(const std::string &device, const std::string &room)
{
    return device.empty() ? device : device + room + "|steps";
}

std::string tuning_temporal_key(const std::string &device, const std::string &room, const struct strategy_offer *offer)
{
    return device.empty() ? device
                          : device + room + "|temporal " + std::to_string(offer->time_block) +
                                (offer->spare ? " in place " + std::to_string(offer->spare) : "") +
                                (offer->insisted    ? " asked"
                                 : offer->preferred ? " beside others"
                                                    : "");
}

bool tuning_recall(const std::string &key, struct tuned *answer)
{
    char line[2048];
    bool found = false;
    const std::string folder = cache_folder();
    FILE *f = folder.empty() || key.empty() ? nullptr : fopen((folder + "/cuda-tuning").c_str(), "r");
    while (f && fgets(line, sizeof line, f)) {
        struct tuned read = {};
        int used = 0;
        const char *tab = strchr(line, '\t');
        if (!tab || key.compare(0, std::string::npos, line, (size_t)(tab - line)))
            continue;
        found = sscanf(tab + 1, "%63s %d %d %d %lf %lf %d%n", read.kernel, &read.shape.x, &read.shape.y, &read.shape.z,
                       &read.milliseconds, &read.searched, &read.planes, &used) == 7 &&
                !strcmp(tab + 1 + used, "\n") && is_name(read.kernel) && std::isfinite(read.milliseconds) &&
                read.milliseconds > 0.0 && std::isfinite(read.searched);
        if (found)
            *answer = read;
    }
    if (f)
        fclose(f);
    return found;
}

void tuning_remember(const std::string &key, const struct tuned &answer)
{
    const std::string folder = cache_folder();
    char text[200];
    if (folder.empty() || key.empty() || !(answer.milliseconds > 0.0))
        return;
    mkdir(folder.substr(0, folder.rfind('/')).c_str(), 0777);
    mkdir(folder.c_str(), 0777);
    const int file = open((folder + "/cuda-tuning").c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
        return;
    snprintf(text, sizeof text, "\t%s %d %d %d %.6g %.6g %d\n", answer.kernel, answer.shape.x, answer.shape.y,
             answer.shape.z, answer.milliseconds, answer.searched, answer.planes);
    const std::string line = key + text;
    if (write(file, line.data(), line.size()) !=
        (ssize_t)line.size()) /* a single write, as other processes append too */
        (void)0;              /* an incomplete line is not read as an answer */
    close(file);
}

bool tuning_holds(const struct tuned &answer, double milliseconds)
{
    return milliseconds <= 1.25 * answer.milliseconds && milliseconds >= 0.8 * answer.milliseconds;
}

/* --- the search --- */

namespace
{

const double share_of_run = 0.1;

/* Time limit of the search in s, if the fastest step so far takes this long */
double allowed(const tuner_question &q, double milliseconds)
{
    if (!q.steps || milliseconds < 0.0)
        return q.seconds;
    return std::min(q.seconds, share_of_run * (double)q.steps * 1e-3 * milliseconds);
}

bool is_same(const struct tuned &a, const struct tuned &b)
{
    return !strcmp(a.kernel, b.kernel) && a.shape.x == b.shape.x && a.shape.y == b.shape.y && a.shape.z == b.shape.z &&
           a.planes == b.planes;
}

/* Whether a search with the current time limit would find more than the cached one. */
bool is_worth_more(const tuner_question &q, const struct tuned &known)
{
    return known.searched > 0.0 && allowed(q, known.milliseconds) > 2.0 * known.searched;
}

/* *found: the cached candidate is used. */
int try_remembered(const tuner_question &q, tuner_answer *answer, bool *found, struct error *e)
{
    struct tuned known;
    *found = false;
    if (q.anew || !tuning_recall(q.key, &known) || is_worth_more(q, known))
        return 0;
    for (size_t i = 0; i < q.candidates.size() && !*found; i++) {
        double milliseconds = -1.0;
        if (!is_same(q.candidates[i], known))
            continue;
        if (q.time(i, &milliseconds, e))
            return -1;
        *found = milliseconds > 0.0 && tuning_holds(known, milliseconds);
        *answer = {i, milliseconds, true};
    }
    return 0;
}

} // namespace

int tuner_ask(const tuner_question &q, tuner_answer *answer, struct error *e)
{
    bool found;
    if (try_remembered(q, answer, &found, e) || found)
        return found ? 0 : -1;
    *answer = {SIZE_MAX, -1.0, false};
    double start = q.now(), before = start, longest = 0.0;
    const size_t end = q.candidates.size();
    size_t tried = 0;
    for (; tried < end; tried++) {
        double milliseconds = -1.0;
        if (tried >= q.always && !q.anew && before - start + longest > allowed(q, answer->milliseconds))
            break;
        if (stop_check(e) || q.time(tried, &milliseconds, e))
            return -1;
        const bool better = milliseconds >= 0.0 && (answer->best == SIZE_MAX || milliseconds < answer->milliseconds);
        if (better)
            *answer = {tried, milliseconds, false};
        answer->timed_last = better;
        const double now = q.now();
        longest = tried < q.always ? now - before : std::max(longest, now - before);
        start = tried < q.always ? now : start;
        before = now;
    }
    if (answer->best == SIZE_MAX)
        return 0;
    struct tuned chosen = q.candidates[answer->best];
    chosen.milliseconds = answer->milliseconds;
    chosen.searched = tried < end ? std::max(allowed(q, answer->milliseconds), 1e-3) : 0.0;
    tuning_remember(q.key, chosen);
    return 0;
}
