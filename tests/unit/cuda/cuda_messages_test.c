/* SPDX-License-Identifier: MIT */
/* Errors of a GPU become sentences with a remedy, and the right kind of error. No GPU is needed. */
#include "cuda/engine/check.h" /* before cmocka, which has a fail of its own */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void expect(cudaError_t status, enum error_code code, const char *words)
{
    struct error e = {0};
    assert_int_not_equal(cuda_check(status, "grid", &e), 0);
    assert_int_equal(e.code, code);
    assert_non_null(strstr(e.message, "grid: "));
    assert_non_null(strstr(e.message, words));
    assert_non_null(strstr(e.message, "use --engine cpu"));
}

static void success_says_nothing(void **state)
{
    (void)state;
    struct error e = {0};
    assert_int_equal(cuda_check(cudaSuccess, "grid", &e), 0);
    assert_int_equal(e.code, 0);
}

static void a_full_gpu_is_told_from_a_lost_one_and_an_old_one(void **state)
{
    (void)state;
    expect(cudaErrorMemoryAllocation, ERROR_MEMORY, "the GPU is out of memory");
    expect(cudaErrorLaunchFailure, ERROR_DEVICE, "the GPU was lost");
    expect(cudaErrorIllegalAddress, ERROR_DEVICE, "the GPU was lost");
    expect(cudaErrorECCUncorrectable, ERROR_DEVICE, "the GPU was lost");
    expect(cudaErrorNoKernelImageForDevice, ERROR_DEVICE, "too old for this build");
    expect(cudaErrorUnsupportedPtxVersion, ERROR_DEVICE, "too old for this build");
    expect(cudaErrorInvalidConfiguration, ERROR_DEVICE, cudaGetErrorString(cudaErrorInvalidConfiguration));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(success_says_nothing),
        cmocka_unit_test(a_full_gpu_is_told_from_a_lost_one_and_an_old_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
