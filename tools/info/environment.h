/* SPDX-License-Identifier: MIT */
/* The environment variables of Reelpipe.
 */
#ifndef RP_TOOLS_INFO_ENVIRONMENT_H
#define RP_TOOLS_INFO_ENVIRONMENT_H

#include <stdbool.h>
#include <stdint.h>

struct info_variable {
    const char *name;
    bool is_of_driver; /* else a tool or a test of the repository reads it */
    const char *meaning;
};

extern const struct info_variable info_variables[];
extern const uint32_t info_variable_count;

/* Prints them to the standard output, the meanings in a column. */
void info_print_variables(void);

#endif
