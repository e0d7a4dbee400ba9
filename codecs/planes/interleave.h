/* SPDX-License-Identifier: MIT */
/* U and V to UV, past the caches where the processor can: whoever reads the picture next is another
 * thread, later; the decoder's references stay in the cache instead.
 */
#ifndef RP_CODECS_PLANES_INTERLEAVE_H
#define RP_CODECS_PLANES_INTERLEAVE_H

#include <stdint.h>

/* One row: dst gets count pairs. */
void rp_interleave(const uint8_t *restrict u, const uint8_t *restrict v, uint8_t *restrict dst,
                   uint32_t count);

/* After the last row, before another thread is told of it. */
void rp_interleave_end(void);

/* interleave_sse2.c; as above, count a multiple of 16, dst of 16 bytes. */
void rp_interleave_sse2(const uint8_t *u, const uint8_t *v, uint8_t *dst, uint32_t count);
void rp_interleave_end_sse2(void);

/* interleave_neon.c; as above, count a multiple of 16. */
void rp_interleave_neon(const uint8_t *u, const uint8_t *v, uint8_t *dst, uint32_t count);

#endif
