/* SPDX-License-Identifier: MIT */
/* Pictures of all layers come evenly.
 */
#include "virtual_buffer.h"

#include <math.h>

void
rp_x264_bucket_set(struct rp_x264_bucket *bucket, double bps, double fps, double size_bits,
                   double initial_bits)
{
    const double picture_bits = bps / fps;
    const double fill_bits =
        bucket->picture_bits > 0 ? bucket->fill_bits : fmax(initial_bits, picture_bits);

    bucket->picture_bits = picture_bits;
    bucket->size_bits = fmax(size_bits, picture_bits);
    bucket->fill_bits = fmin(fill_bits, bucket->size_bits);
}

double
rp_x264_bucket_overflow(const struct rp_x264_bucket *bucket, double bits)
{
    return fmax(0, bucket->fill_bits - bits + bucket->picture_bits - bucket->size_bits);
}

void
rp_x264_bucket_take(struct rp_x264_bucket *bucket, double bits, double filler_bits)
{
    const double left_bits = fmax(bucket->fill_bits - bits, 0) - filler_bits;
    bucket->fill_bits = fmin(left_bits + bucket->picture_bits, bucket->size_bits);
}
