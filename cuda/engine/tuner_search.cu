/* SPDX-License-Identifier: MIT */
#include "cuda/engine/tuner_search.cuh"

#include <algorithm>
#include <cstring>

extern "C" {
#include "base/stop.h"
}

namespace
{

const double share_of_run = 0.1;

/* s that the search may take, when the fastest so far takes so long for a step */
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

/* Whether a search that is now allowed so much time would find more than the remembered one. */
bool is_worth_more(const tuner_question &q, const struct tuned &known)
{
    return known.searched > 0.0 && allowed(q, known.milliseconds) > 2.0 * known.searched;
}

/* *found: the remembered candidate was believed. */
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
