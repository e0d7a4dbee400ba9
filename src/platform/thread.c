/* SPDX-License-Identifier: MIT */
/* Starts threads that the application's signals never reach.
 */
#include "platform/thread.h"

#include "platform/signal_mask.h"

#define STACK_B ((size_t)1 << 20)

bool
rp_thread_create(pthread_t *out, const char *name, void *(*run)(void *), void *arg)
{
    pthread_attr_t attr;
    if (pthread_attr_init(&attr) != 0)
        return false;
    pthread_attr_setstacksize(&attr, STACK_B);

    /* A new thread inherits the mask, so that no handler of the application ever runs on it, and
     * the floating-point state. */
    const sigset_t before = rp_signals_block();
    const uint64_t float_state = rp_float_state_enter();
    const int failed = pthread_create(out, &attr, run, arg);
    rp_float_state_leave(float_state);
    rp_signals_restore(&before);
    pthread_attr_destroy(&attr);
    if (failed)
        return false;

    pthread_setname_np(*out, name);
    return true;
}
