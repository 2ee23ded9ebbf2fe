/* SPDX-License-Identifier: MIT */
/* Host work shared by threads. */
#ifndef AULA_CUDA_IN_PARALLEL_CUH
#define AULA_CUDA_IN_PARALLEL_CUH

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

/* Whether this thread works for in_parallel: calls within its work are not shared again. */
inline bool &works_in_parallel()
{
    static thread_local bool works = false;
    return works;
}

/* Calls work(own, i) for i = 0 .. count - 1, in any order; `grain` of them at a time are worth a thread's turn. Each
 * thread makes its own of `make`. What a call throws is thrown again after all threads have ended. */
template <typename MAKE, typename WORK> void in_parallel_with(size_t count, size_t grain, MAKE make, WORK work)
{
    const size_t turns = (count + grain - 1) / grain;
    const size_t most = works_in_parallel() ? 1 : std::max(1u, std::min(std::thread::hardware_concurrency(), 16u));
    std::atomic<size_t> next(0);
    std::exception_ptr thrown;
    std::mutex lock;
    const auto run = [&] {
        const bool worked = works_in_parallel();
        works_in_parallel() = true;
        try {
            auto own = make();
            for (size_t turn = next++; turn < turns; turn = next++)
                for (size_t i = turn * grain; i < std::min((turn + 1) * grain, count); i++)
                    work(own, i);
        } catch (...) {
            const std::lock_guard<std::mutex> guard(lock);
            thrown = std::current_exception();
            next = turns;
        }
        works_in_parallel() = worked;
    };
    std::vector<std::thread> threads;
    for (size_t i = 1; i < std::min(turns, most); i++)
        try {
            threads.emplace_back(run);
        } catch (...) { /* as many as there are */
            break;
        }
    run();
    for (std::thread &thread : threads)
        thread.join();
    if (thrown)
        std::rethrow_exception(thrown);
}

/* The same without anything of their own. */
template <typename WORK> void in_parallel(size_t count, size_t grain, WORK work)
{
    in_parallel_with(
        count, grain, [] { return 0; }, [&](int, size_t i) { work(i); });
}

#endif
