/* SPDX-License-Identifier: MIT */
/* The virtual buffer of a stream of several layers, as the decoder sees it: all their rates fill
 * it, each picture is taken from it at its time. Each layer has x264's beside it, of the same size
 * but for its own rate and pictures alone.
 */
#ifndef RP_CODECS_RATE_VIRTUAL_BUFFER_H
#define RP_CODECS_RATE_VIRTUAL_BUFFER_H

struct rp_rate_virtual_buffer {
    double picture_bits; /* what a picture's time brings; 0: not set yet */
    double size_bits;
    double fill_bits; /* before the next picture */
};

/* Sums of the layers' rates and pictures a second. Keeps the fullness, but for the first
 * time; whatever the settings say, there is room for a picture at the rate. */
void rp_rate_virtual_buffer_set(struct rp_rate_virtual_buffer *buffer, double bps, double fps,
                                double size_bits, double initial_bits);

/* Bits too many for the buffer when the next picture is due, if this one takes so much. */
double rp_rate_virtual_buffer_overflow(const struct rp_rate_virtual_buffer *buffer, double bits);

/* A picture took so much; for one that is too large the decoder waits. Filler comes in bytes, and
 * may be some bits too many: there are fewer of it the next time. */
void rp_rate_virtual_buffer_take(struct rp_rate_virtual_buffer *buffer, double bits,
                                 double filler_bits);

#endif
