/* SPDX-License-Identifier: MIT */
/* What the system says of the threads of this process: who is the caller, and who is at work.
 *
 * Where the system does not tell (Linux without /proc, Windows) every thread but the caller is
 * taken for gone.
 */
#ifndef RP_PLATFORM_THREAD_STATE_H
#define RP_PLATFORM_THREAD_STATE_H

#include <stdbool.h>
#include <stdint.h>

#define RP_THREAD_NAME_B 16 /* with the end */

/* Tells the threads of the process apart; never 0. A new thread may get the id of one that
 * ended. */
typedef int32_t rp_thread_id;

rp_thread_id rp_thread_own_id(void);
void rp_thread_own_name(char out[static RP_THREAD_NAME_B]);

struct rp_thread_state {
    char name[RP_THREAD_NAME_B];
    bool is_busy; /* runs, or would if there were a processor for it; else it sleeps */
};

/* False when there is no such thread. Takes some microseconds. */
bool rp_thread_state_read(rp_thread_id id, struct rp_thread_state *out);

/* Calls visit for each thread of the process. */
void rp_thread_states_visit(void (*visit)(void *ctx, const struct rp_thread_state *state),
                            void *ctx);

#endif
