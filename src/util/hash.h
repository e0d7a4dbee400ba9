/* SPDX-License-Identifier: MIT */
/* A fast 64-bit hash of memory, for telling whether it has changed: no protection against who means
 * it. Four lanes of multiply and xor; captures hold its values, so it never changes.
 */
#ifndef RP_UTIL_HASH_H
#define RP_UTIL_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t
rp_hash_mix(uint64_t state, uint64_t word)
{
    state = (state ^ word) * UINT64_C(0x9fb21c651e98df25);
    return state ^ state >> 29;
}

/* The hash of what was hashed to seed, followed by these bytes. */
static inline uint64_t
rp_hash(uint64_t seed, const void *data, size_t size_B)
{
    const uint8_t *next = data;
    size_t left_B = size_B;
    uint64_t lane[4] = {seed, seed ^ UINT64_C(0xa0761d6478bd642f),
                        seed ^ UINT64_C(0xe7037ed1a0b428db), seed ^ UINT64_C(0x8ebc6af09c88c6e3)};

    for (; left_B >= 32; left_B -= 32, next += 32) {
        uint64_t words[4];
        memcpy(words, next, sizeof(words));
        for (int i = 0; i < 4; i++)
            lane[i] = rp_hash_mix(lane[i], words[i]);
    }
    for (int i = 0; left_B; i++) {
        const size_t part_B = left_B < 8 ? left_B : 8;
        uint64_t word = 0;
        memcpy(&word, next, part_B);
        lane[i] = rp_hash_mix(lane[i], word);
        next += part_B;
        left_B -= part_B;
    }
    uint64_t hash = rp_hash_mix(size_B, lane[0]);
    for (int i = 1; i < 4; i++)
        hash = rp_hash_mix(hash, lane[i]);
    return hash;
}

#endif
