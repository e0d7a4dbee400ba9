/* SPDX-License-Identifier: MIT */
/* Where each result code that the specification lists for a command comes from.
 */
#ifndef RP_TESTS_RESULTS_RESULTS_H
#define RP_TESTS_RESULTS_RESULTS_H

#include "fixture.h"

/* Either produce, which makes the command return the code and requires it, or why it cannot be.
 * Command "*" stands for all commands that have no row of their own for the code. */
struct result_row {
    const char *command;
    VkResult code;
    void (*produce)(struct fixture *f);
    const char *reason;
};

struct result_table {
    const struct result_row *rows;
    size_t count;
};

extern const struct result_table result_reasons;
extern const struct result_table result_queries;
extern const struct result_table result_objects;
extern const struct result_table result_memory;
extern const struct result_table result_video;
extern const struct result_table result_out_of_memory;

/* The fixture's allocator fails while this is true. */
extern bool results_fail_allocations;

#endif
