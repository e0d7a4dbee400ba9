/* SPDX-License-Identifier: MIT */
/* The bits of a 32-bit float, and back.
 */
#ifndef RP_COMPUTE_FLOAT_BITS_H
#define RP_COMPUTE_FLOAT_BITS_H

#include <stdint.h>
#include <string.h>

static inline float
rp_bits_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static inline uint32_t
rp_float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

#endif
