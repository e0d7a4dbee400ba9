/* SPDX-License-Identifier: MIT */
/* No signal of Windows comes to a thread that did not ask for it.
 */
#include "platform/signal_mask.h"

struct rp_signal_mask
rp_signals_block(void)
{
    return (struct rp_signal_mask){0};
}

void
rp_signals_restore(const struct rp_signal_mask *mask)
{
    (void)mask;
}
