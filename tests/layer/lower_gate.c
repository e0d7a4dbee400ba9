/* SPDX-License-Identifier: MIT */
/* The gate of the tests' lower device.
 */
#include "lower.h"

#include <pthread.h>

static struct {
    pthread_mutex_t mutex; /* guards what follows */
    pthread_cond_t cond;   /* it has changed */
    enum gate_place place;
    bool is_reached;
} gate = {.mutex = PTHREAD_MUTEX_INITIALIZER, .cond = PTHREAD_COND_INITIALIZER};

void
lower_gate_pass(enum gate_place place)
{
    pthread_mutex_lock(&gate.mutex);
    const bool is_passed = place == GATE_SIGNAL_FIRST && gate.is_reached;
    while (gate.place == place && !is_passed) {
        gate.is_reached = true;
        pthread_cond_broadcast(&gate.cond);
        pthread_cond_wait(&gate.cond, &gate.mutex);
    }
    pthread_mutex_unlock(&gate.mutex);
}

/* For tests. */
EXPORT void lower_gate_set(enum gate_place place);
EXPORT void lower_gate_wait(void);

EXPORT void
lower_gate_set(enum gate_place place)
{
    pthread_mutex_lock(&gate.mutex);
    gate.place = place;
    gate.is_reached = false;
    pthread_cond_broadcast(&gate.cond);
    pthread_mutex_unlock(&gate.mutex);
}

EXPORT void
lower_gate_wait(void)
{
    pthread_mutex_lock(&gate.mutex);
    while (!gate.is_reached)
        pthread_cond_wait(&gate.cond, &gate.mutex);
    pthread_mutex_unlock(&gate.mutex);
}
