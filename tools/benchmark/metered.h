/* SPDX-License-Identifier: MIT */
/* The decoder behind its contract, with a clock that runs while it decodes; its pictures may stay
 * where they are, so that what the copy into the application's images costs can be seen.
 */
#ifndef RP_BENCHMARK_METERED_H
#define RP_BENCHMARK_METERED_H

#include "reelpipe/decode_h264.h"

#include <stdbool.h>
#include <stdint.h>

/* decode() and reset(); has_output: whether jobs keep their images. */
extern const struct rp_decode_codec metered_codec;
struct rp_decoder *metered_open(uint32_t thread_count, bool has_output);
void metered_close(struct rp_decoder *dec);

/* CPU seconds of the process in decode() until now, of all such decoders. */
double metered_s(void);

#endif
