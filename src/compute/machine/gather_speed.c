/* SPDX-License-Identifier: MIT */
#include "compute/machine/gather_speed.h"

#include <immintrin.h>
#include <stdatomic.h>
#include <stdint.h>

#define LANES 8
#define VECTORS 64
#define TRIES 24

enum speed {
    SPEED_UNKNOWN,
    SPEED_SLOW,
    SPEED_FAST,
};

struct sample {
    _Alignas(32) int32_t offsets[VECTORS * LANES];
    _Alignas(32) int32_t words[VECTORS * LANES];
};

static __m128i
word_at(const struct sample *s, const int32_t *offset)
{
    return _mm_cvtsi32_si128(s->words[*offset / 4]);
}

__attribute__((target("avx2"), noinline)) static uint64_t
time_instruction(const struct sample *s, __m256i *out)
{
    const __m256i *offsets = (const __m256i *)s->offsets;
    const uint64_t begin = __rdtsc();
    for (int k = 0; k < VECTORS; k++)
        out[k] = _mm256_i32gather_epi32(s->words, offsets[k], 1);
    return __rdtsc() - begin;
}

__attribute__((target("avx2"), noinline)) static uint64_t
time_loads(const struct sample *s, __m256i *out)
{
    const uint64_t begin = __rdtsc();
    for (int k = 0; k < VECTORS; k++) {
        const int32_t *at = s->offsets + k * LANES;
        __m128i halves[2];
        for (int h = 0; h < 2; h++, at += 4)
            halves[h] =
                _mm_unpacklo_epi64(_mm_unpacklo_epi32(word_at(s, at), word_at(s, at + 1)),
                                   _mm_unpacklo_epi32(word_at(s, at + 2), word_at(s, at + 3)));
        out[k] = _mm256_inserti128_si256(_mm256_castsi128_si256(halves[0]), halves[1], 1);
    }
    return __rdtsc() - begin;
}

/* The best of some tries: others may run at the same time. */
static enum speed
measure(void)
{
    struct sample s;
    _Alignas(32) __m256i out[VECTORS];
    uint64_t instruction = UINT64_MAX, loads = UINT64_MAX;
    for (uint32_t k = 0; k < VECTORS * LANES; k++) {
        s.offsets[k] = (int32_t)(k * 37 % (VECTORS * LANES) * 4);
        s.words[k] = (int32_t)k;
    }
    for (int k = 0; k < TRIES; k++) {
        const uint64_t first = time_instruction(&s, out), second = time_loads(&s, out);
        instruction = first < instruction ? first : instruction;
        loads = second < loads ? second : loads;
    }
    return instruction <= loads ? SPEED_FAST : SPEED_SLOW;
}

bool
machine_gathers_are_fast(void)
{
    static atomic_int speed;
    int known = atomic_load(&speed);
    if (known == SPEED_UNKNOWN) {
        const int measured = (int)measure();
        if (atomic_compare_exchange_strong(&speed, &known, measured)) /* else another thread's */
            known = measured;
    }
    return known == SPEED_FAST;
}
