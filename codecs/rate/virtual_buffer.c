/* SPDX-License-Identifier: MIT */
/* Pictures of all layers come evenly.
 */
#include "virtual_buffer.h"

#include <math.h>

void
rp_rate_virtual_buffer_set(struct rp_rate_virtual_buffer *buffer, double bps, double fps,
                           double size_bits, double initial_bits)
{
    const double picture_bits = bps / fps;
    const double fill_bits =
        buffer->picture_bits > 0 ? buffer->fill_bits : fmax(initial_bits, picture_bits);

    buffer->picture_bits = picture_bits;
    buffer->size_bits = fmax(size_bits, picture_bits);
    buffer->fill_bits = fmin(fill_bits, buffer->size_bits);
}

double
rp_rate_virtual_buffer_overflow(const struct rp_rate_virtual_buffer *buffer, double bits)
{
    return fmax(0, buffer->fill_bits - bits + buffer->picture_bits - buffer->size_bits);
}

void
rp_rate_virtual_buffer_take(struct rp_rate_virtual_buffer *buffer, double bits, double filler_bits)
{
    const double left_bits = fmax(buffer->fill_bits - bits, 0) - filler_bits;
    buffer->fill_bits = fmin(left_bits + buffer->picture_bits, buffer->size_bits);
}
