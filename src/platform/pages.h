/* SPDX-License-Identifier: MIT */
/* Memory of the process, page by page.
 */
#ifndef RP_PLATFORM_PAGES_H
#define RP_PLATFORM_PAGES_H

#include "util/compiler.h"

#include <stdbool.h>
#include <stdint.h>

#define RP_HUGE_PAGE_B (UINT64_C(2) << 20)

/* The size of this machine's pages, a power of two: 4096, on aarch64 16 or 64 KiB, too. */
uint64_t rp_page_B(void);

/* size_B rounded up to whole pages; at most INT64_MAX comes in. */
uint64_t rp_pages_B(uint64_t size_B);

/* Whether pages can be mapped at a second address. */
bool rp_pages_can_be_shared(void);

/* size_B (whole pages) zeros, aligned to a huge page when there is room for one and the system
 * gives them unasked; NULL when the system refuses. is_shared: the pages may be mapped at a second
 * address, where they can. */
void *rp_pages_map(uint64_t size_B, bool is_shared);

/* rp_pages_map() at an address (of a page); NULL when something is there already. */
void *rp_pages_map_at(uint64_t address, uint64_t size_B, bool is_shared);

/* Shared pages appear at an address (of a page), too, in the place of what was there. False when
 * the system refuses; what was there may be gone then. */
bool rp_pages_map_again(void *pages, uint64_t size_B, void *address) RP_MUST_CHECK;

/* Unmaps pages and keeps their addresses: nothing else is mapped there, and a touch is a fault.
 * False when the system refuses. */
bool rp_pages_reserve(void *start, uint64_t size_B) RP_MUST_CHECK;

/* Puts zeros of this process alone in the place of pages, in one step: others may be reading. False
 * when the system refuses; the pages stay then. */
bool rp_pages_replace(void *start, uint64_t size_B);

/* On Linux alone: written pages become code, which may be run and no longer be written. False when
 * the system does not allow it. */
bool rp_pages_execute(void *start, uint64_t size_B) RP_MUST_CHECK;

/* What was mapped, reserved or replaced. */
void rp_pages_unmap(void *start, uint64_t size_B);

/* Says that all of a range will be written: the system may take huge pages for the whole ones that
 * lie in it, at once on the first touch. Where only a few bytes of each are used they would cost
 * memory, and time to clear them. */
void rp_pages_expect_dense(void *start, uint64_t size_B);

#endif
