/* SPDX-License-Identifier: MIT */
/* The control groups of Linux that the process runs in, of both generations: for the other files of
 * this folder.
 */
#ifndef RP_PLATFORM_CGROUP_H
#define RP_PLATFORM_CGROUP_H

#include "util/compiler.h"

#include <stdbool.h>
#include <stdint.h>

/* Calls visit for the process' group below root, and for each group above it up to root: every one
 * of them limits. In a container what is mounted as root may be the process' group already; folders
 * that are not there are visited too. controller is as in /proc/self/cgroup: "" is the unified
 * hierarchy. */
void rp_cgroup_visit(const char *root, const char *controller,
                     void (*visit)(const char *folder, void *arg), void *arg);

/* The first count numbers of a file, not negative; false when they are not there: "max" is none. */
bool rp_cgroup_read(const char *folder, const char *name, uint32_t count,
                    uint64_t *out) RP_MUST_CHECK;

/* The number that follows key in a file with a key on each line; 0 without it. */
uint64_t rp_cgroup_read_key(const char *folder, const char *name, const char *key);

#endif
