/* SPDX-License-Identifier: MIT */
/* Bit and NAL unit writing for H.264 and H.265.
 */
#include "reelpipe/bits.h"

void
rp_bits_init(struct rp_bits *bits, void *data, size_t capacity_B)
{
    *bits = (struct rp_bits){.data = data, .capacity_B = capacity_B};
}

void
rp_bits_put(struct rp_bits *bits, uint32_t count, uint32_t value)
{
    while (count--) {
        const size_t byte = bits->size_bits / 8;
        const uint32_t shift = 7 - bits->size_bits % 8;
        bits->size_bits++;
        if (byte >= bits->capacity_B) {
            bits->has_overflow = true;
            continue;
        }
        if (shift == 7)
            bits->data[byte] = 0;
        bits->data[byte] |= (uint8_t)((value >> count & 1) << shift);
    }
}

void
rp_bits_ue(struct rp_bits *bits, uint32_t value)
{
    const uint64_t code = (uint64_t)value + 1; /* of up to 33 bits */
    const uint32_t length = 63 - (uint32_t)__builtin_clzll(code);
    rp_bits_put(bits, length, 0);
    rp_bits_put(bits, 1, 1);
    rp_bits_put(bits, length, (uint32_t)code);
}

void
rp_bits_se(struct rp_bits *bits, int32_t value)
{
    /* 9.1.1: positive values are odd, others even. */
    rp_bits_ue(bits, value > 0 ? 2 * (uint32_t)value - 1 : 2 * (0 - (uint32_t)value));
}

void
rp_bits_trailing(struct rp_bits *bits)
{
    rp_bits_put(bits, 1, 1);
    while (bits->size_bits % 8)
        rp_bits_put(bits, 1, 0);
}

static size_t
nal_put(uint8_t *dst, size_t capacity_B, size_t size_B, uint8_t byte)
{
    if (size_B < capacity_B)
        dst[size_B] = byte;
    return size_B + 1;
}

size_t
rp_nal_write(uint8_t *dst, size_t capacity_B, const uint8_t *header, size_t header_B,
             const uint8_t *rbsp, size_t rbsp_B)
{
    size_t size_B = 0;
    for (size_t i = 0; i < 4; i++)
        size_B = nal_put(dst, capacity_B, size_B, i == 3);
    for (size_t i = 0; i < header_B; i++)
        size_B = nal_put(dst, capacity_B, size_B, header[i]);

    uint32_t zero_count = 0;
    for (size_t i = 0; i < rbsp_B; i++) {
        if (zero_count == 2 && rbsp[i] <= 3) {
            size_B = nal_put(dst, capacity_B, size_B, 3);
            zero_count = 0;
        }
        size_B = nal_put(dst, capacity_B, size_B, rbsp[i]);
        zero_count = rbsp[i] ? 0 : zero_count + 1;
    }
    return size_B;
}
