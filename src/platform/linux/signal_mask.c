/* SPDX-License-Identifier: MIT */
/* pthread_sigmask().
 */
#include "platform/signal_mask.h"

#include <assert.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>

static_assert(sizeof(sigset_t) <= sizeof(struct rp_signal_mask), "a mask does not fit");

struct rp_signal_mask
rp_signals_block(void)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    struct rp_signal_mask mask = {0};
    memcpy(&mask, &before, sizeof(before));
    return mask;
}

void
rp_signals_restore(const struct rp_signal_mask *mask)
{
    sigset_t before;
    memcpy(&before, mask, sizeof(before));
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}
