/* SPDX-License-Identifier: MIT */
/* The windows of a constant rate, held for certain: nobody foresees what a picture takes, and one
 * that breaks a window is coded once more with what is known then.
 */
#ifndef RP_CODECS_RATE_RETRY_H
#define RP_CODECS_RATE_RETRY_H

#include "law.h"

struct rp_rate_retry {
    double bits;      /* that the picture should take */
    double most_bits; /* that it may take */
};

/* True when a picture of so many bits breaks a window; a B picture can do so only by being too
 * large. law: as it was before the picture. out is written when the answer is true. */
bool rp_rate_retry_is_due(const struct rp_rate_law *law, enum rp_rate_type type, double bits,
                          struct rp_rate_retry *out);

#endif
