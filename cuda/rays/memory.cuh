/* SPDX-License-Identifier: MIT */
/* Memory and streams of rays on a GPU. */
#ifndef AULA_CUDA_RAYS_MEMORY_CUH
#define AULA_CUDA_RAYS_MEMORY_CUH

#include <cstddef>
#include <cuda_runtime.h>
#include <mutex>
#include <vector>

/* Memory of the device, freed in the order of a stream. */
class arena
{
  public:
    explicit arena(cudaStream_t of) : stream(of)
    {
    }
    ~arena()
    {
        for (void *p : owned)
            cudaFreeAsync(p, stream);
    }
    arena(const arena &) = delete;
    arena &operator=(const arena &) = delete;

    /* Room for `count` values; 0 if `host` is NULL. NULL after an error, which `failed` then keeps. */
    template <typename T> T *make(const T *host, size_t count)
    {
        void *p = nullptr;
        const size_t bytes = (count ? count : 1) * sizeof(T);
        if (failed != cudaSuccess || (failed = cudaMallocAsync(&p, bytes, stream)) != cudaSuccess)
            return nullptr;
        owned.push_back(p);
        failed = host && count ? cudaMemcpyAsync(p, host, count * sizeof(T), cudaMemcpyHostToDevice, stream)
                               : cudaMemsetAsync(p, 0, bytes, stream);
        return (T *)p;
    }
    template <typename T> T *empty(size_t count)
    {
        return make((const T *)nullptr, count);
    }

    cudaError_t failed = cudaSuccess;
    cudaStream_t stream;

  private:
    std::vector<void *> owned;
};

/* Streams that callers take and give back, since making one may wait for the device. */
class stream_pool
{
  public:
    ~stream_pool()
    {
        for (cudaStream_t s : idle)
            cudaStreamDestroy(s);
    }
    cudaError_t take(cudaStream_t *stream)
    {
        const std::lock_guard<std::mutex> alone(lock);
        if (idle.empty())
            return cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking);
        *stream = idle.back();
        idle.pop_back();
        return cudaSuccess;
    }
    void give_back(cudaStream_t stream)
    {
        const std::lock_guard<std::mutex> alone(lock);
        idle.push_back(stream);
    }

  private:
    std::vector<cudaStream_t> idle;
    std::mutex lock;
};

#endif
