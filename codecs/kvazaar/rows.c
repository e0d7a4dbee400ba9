/* SPDX-License-Identifier: MIT */
#include "codecs/kvazaar/rows.h"

#include "codecs/planes/high_bits.h"
#include "codecs/planes/interleave.h"

#include <string.h>

#if KVZ_BIT_DEPTH == 8

void
rp_kvazaar_row_read(const uint8_t *src, kvz_pixel *dst, uint32_t count)
{
    memcpy(dst, src, count);
}

void
rp_kvazaar_uv_row_read(const uint8_t *src, kvz_pixel *u, kvz_pixel *v, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        u[i] = src[2 * i];
        v[i] = src[2 * i + 1];
    }
}

void
rp_kvazaar_row_write(const kvz_pixel *src, uint8_t *dst, uint32_t count)
{
    memcpy(dst, src, count);
}

void
rp_kvazaar_uv_row_write(const kvz_pixel *u, const kvz_pixel *v, uint8_t *dst, uint32_t count)
{
    rp_interleave(u, v, dst, count);
}

#else

void
rp_kvazaar_row_read(const uint8_t *src, kvz_pixel *dst, uint32_t count)
{
    rp_high_bits_read((const uint16_t *)src, dst, count, KVZ_BIT_DEPTH);
}

void
rp_kvazaar_uv_row_read(const uint8_t *src, kvz_pixel *u, kvz_pixel *v, uint32_t count)
{
    rp_high_bits_deinterleave((const uint16_t *)src, u, v, count, KVZ_BIT_DEPTH);
}

void
rp_kvazaar_row_write(const kvz_pixel *src, uint8_t *dst, uint32_t count)
{
    rp_high_bits_write(src, (uint16_t *)dst, count, KVZ_BIT_DEPTH);
}

void
rp_kvazaar_uv_row_write(const kvz_pixel *u, const kvz_pixel *v, uint8_t *dst, uint32_t count)
{
    rp_high_bits_interleave(u, v, (uint16_t *)dst, count, KVZ_BIT_DEPTH);
}

#endif
