/* SPDX-License-Identifier: MIT */
/* Windows tells nobody cheaply what another thread is doing: all but the caller are taken for gone.
 */
#include "platform/thread_state.h"

#include <pthread.h>
#include <windows.h>

rp_thread_id
rp_thread_own_id(void)
{
    return (rp_thread_id)GetCurrentThreadId();
}

void
rp_thread_own_name(char out[static RP_THREAD_NAME_B])
{
    out[0] = 0;
    (void)pthread_getname_np(pthread_self(), out, RP_THREAD_NAME_B);
}

bool
rp_thread_state_read(rp_thread_id id, struct rp_thread_state *out)
{
    (void)id;
    (void)out;
    return false;
}

void
rp_thread_states_visit(void (*visit)(void *ctx, const struct rp_thread_state *state), void *ctx)
{
    (void)visit;
    (void)ctx;
}
