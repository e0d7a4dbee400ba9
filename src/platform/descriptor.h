/* SPDX-License-Identifier: MIT */
/* File descriptors: memory and states that processes and devices share.
 */
#ifndef RP_PLATFORM_DESCRIPTOR_H
#define RP_PLATFORM_DESCRIPTOR_H

#include "util/compiler.h"

#include <stdbool.h>
#include <stdint.h>

/* Whether the system has them, and shares memory by them. Where it has none, the functions below
 * say that there is no such descriptor. */
bool rp_descriptors_exist(void);

/* An empty memfd, which /proc shows by its name; -1 when the system forbids it or files run out. */
int rp_memfd_create(const char *name) RP_MUST_CHECK;

/* Gives a new memfd size_B zeros and seals it: nobody, wherever it is imported, can take pages away
 * from under a mapping; with may_change, which lets it grow and be sealed further, or without. */
bool rp_memfd_seal(int memfd, uint64_t size_B, bool may_change) RP_MUST_CHECK;

/* Whether it is a memfd that nobody can shrink. */
bool rp_memfd_is_sealed(int fd);

/* The size of the file or memory behind it, in bytes; 0 when that has no size. */
uint64_t rp_descriptor_size_B(int fd);

/* A number of the file, whatever descriptor leads to it. False when there is none. */
bool rp_descriptor_identify(int fd, uint64_t *out) RP_MUST_CHECK;

/* Whether a read would not wait: a sync file is signalled then. */
bool rp_descriptor_is_readable(int fd);

/* The first size_B bytes as pages that are shared with all who map them, for rp_pages_unmap(); NULL
 * when the system refuses. */
void *rp_descriptor_map(int fd, uint64_t size_B) RP_MUST_CHECK;

/* Another one for the same file; -1 when there are too many. */
int rp_descriptor_duplicate(int fd) RP_MUST_CHECK;

void rp_descriptor_close(int fd); /* accepts -1 */

#endif
