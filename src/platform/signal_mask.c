/* SPDX-License-Identifier: MIT */
/* pthread_sigmask().
 */
#include "platform/signal_mask.h"

sigset_t
rp_signals_block(void)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    return before;
}

void
rp_signals_restore(const sigset_t *mask)
{
    pthread_sigmask(SIG_SETMASK, mask, NULL);
}
