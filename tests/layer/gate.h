/* SPDX-License-Identifier: MIT */
/* A gate in the tests' lower device: calls of one kind stop there while it is closed, so that a
 * test does something else meanwhile. And what that device counts.
 */
#ifndef RP_TESTS_LAYER_GATE_H
#define RP_TESTS_LAYER_GATE_H

#include <stdbool.h>
#include <stdint.h>

struct fixture;

enum gate_place {
    GATE_NOWHERE,
    GATE_SUBMIT,       /* before a queue gets what is submitted to it */
    GATE_SIGNAL,       /* after a semaphore has been signalled by the host */
    GATE_SIGNAL_FIRST, /* before it, the first that comes */
};

void gate_close(enum gate_place place);

/* Waits until a call has come to the closed gate. */
void gate_wait(void);

void gate_open(void);

/* Another device of the lower driver, as in another process, signals the payload of the handle,
 * which it takes. */
void lower_signal_fd(int fd);

/* Likewise it waits for that payload. */
void lower_wait_fd(int fd);

/* What vkLatencySleepNV was told to signal, the lower device signals now. */
void lower_latency_wake(void);

/* What the lower device has counted, by the name of its function. */
uint32_t lower_count(const char *function);

/* What a case needs: for the tests' own lower device it has all of that; over another driver's
 * (REELPIPE_TEST_DEVICE) a line says that the case is left out, and the case returns. */
bool needs(bool is_there, const char *what);
bool needs_own_lower(void);
bool needs_extension(const struct fixture *f, const char *name);

/* Whether it is the tests' own. */
bool lower_is_own(void);

#endif
