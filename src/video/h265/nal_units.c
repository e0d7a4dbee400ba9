/* SPDX-License-Identifier: MIT */
/* Start codes and emulation prevention.
 */
#include "video/h265/nal_units.h"

#include <string.h>

/* Zeros, and the one that ends a start code. */
static size_t
start_code_size(const uint8_t *src, size_t size_B)
{
    size_t i = 0;
    while (i < size_B && src[i] == 0)
        i++;
    return i >= 2 && i < size_B && src[i] == 1 ? i + 1 : 0;
}

/* Bytes before 00 00 00 or 00 00 01, which do not occur inside a NAL unit. */
static size_t
unit_size(const uint8_t *src, size_t size_B)
{
    size_t i = 0;
    while (i + 2 < size_B) {
        const uint8_t *zero = memchr(src + i, 0, size_B - i - 2);
        if (!zero)
            break;
        i = (size_t)(zero - src);
        if (zero[1] == 0 && zero[2] <= 1)
            return i;
        i++;
    }
    return size_B;
}

bool
rp_h265_nal_next(const uint8_t *src, size_t src_B, size_t *position_B, struct rp_h265_nal *out)
{
    size_t i = *position_B;
    const size_t code_B = start_code_size(src + i, src_B - i);
    if (code_B == 0 && i > 0)
        return false;
    i += code_B;
    const size_t unit_B = unit_size(src + i, src_B - i);
    *position_B = i + unit_B;
    if (unit_B < RP_H265_NAL_HEADER_B)
        return false;
    *out = (struct rp_h265_nal){
        .nal_unit_type = src[i] >> 1 & 63,
        .nuh_layer_id = (uint32_t)(src[i] & 1) << 5 | src[i + 1] >> 3,
        .offset_B = i + RP_H265_NAL_HEADER_B,
        .size_B = unit_B - RP_H265_NAL_HEADER_B,
    };
    while (out->size_B > 0 && src[out->offset_B + out->size_B - 1] == 0)
        out->size_B--;
    return true;
}

size_t
rp_h265_unescape(uint8_t *dst, const uint8_t *src, size_t size_B)
{
    size_t count = 0;
    uint32_t zero_count = 0;
    for (size_t i = 0; i < size_B; i++) {
        if (zero_count >= 2 && src[i] == 3) {
            zero_count = 0;
            continue;
        }
        zero_count = src[i] ? 0 : zero_count + 1;
        dst[count++] = src[i];
    }
    return count;
}

size_t
rp_h265_escaped_size(const uint8_t *src, size_t size_B, size_t rbsp_B)
{
    size_t count = 0;
    uint32_t zero_count = 0;
    size_t i = 0;
    for (; i < size_B && count < rbsp_B; i++) {
        if (zero_count >= 2 && src[i] == 3) {
            zero_count = 0;
            continue;
        }
        zero_count = src[i] ? 0 : zero_count + 1;
        count++;
    }
    return i;
}
