/* SPDX-License-Identifier: MIT */
/* FFmpeg writes a delimiter, parameter sets and SEI into the buffer and encodes behind them, but
 * says that no bytes precede the picture. At low rates or many pictures a second they are a tenth
 * of the stream.
 */
#include "video/h264/preceding.h"

#include <stdbool.h>

#define MAX_PRECEDING_B 4096u /* captions are the largest of them */

/* 7.4.1.2.3: before the first slice of a picture. Buffers that hold several pictures have slices
 * there. */
static bool
opens_access_unit(uint8_t nal_header)
{
    const unsigned type = nal_header & 0x1f;

    return (type >= 6 && type <= 9) || type == 12 || (type >= 13 && type <= 18);
}

static bool
is_start_code(const uint8_t *bytes)
{
    return bytes[0] == 0 && bytes[1] == 0 && bytes[2] == 1;
}

uint32_t
rp_h264_preceding_B(const uint8_t *bytes, size_t size_B)
{
    if (size_B < 4 || size_B > MAX_PRECEDING_B)
        return 0;
    if (!is_start_code(bytes) && (bytes[0] != 0 || !is_start_code(bytes + 1)))
        return 0;

    for (size_t i = 0; i + 3 < size_B; i++) {
        if (is_start_code(bytes + i) && !opens_access_unit(bytes[i + 3]))
            return 0;
        const bool has_gap = bytes[i] == 0 && bytes[i + 1] == 0 && bytes[i + 2] == 0;
        if (has_gap && bytes[i + 3] != 1)
            return 0;
    }
    return bytes[size_B - 1] == 0 ? 0 : (uint32_t)size_B; /* no NAL unit ends with it (7.4.1) */
}
