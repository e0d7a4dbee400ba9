/* SPDX-License-Identifier: MIT */
/* Anonymous memory, page by page.
 */
#ifndef RP_PLATFORM_PAGES_H
#define RP_PLATFORM_PAGES_H

#include <stdbool.h>
#include <stdint.h>

#define RP_PAGE_B UINT64_C(4096)
#define RP_HUGE_PAGE_B (UINT64_C(2) << 20)

/* size_B (a multiple of RP_PAGE_B) zeros, aligned to a huge page when there is room for one; NULL
 * when the system refuses. is_shared: the pages may be mapped at a second address. */
void *rp_pages_map(uint64_t size_B, bool is_shared);

/* Says that all of a range will be written: the system may take huge pages for the whole ones that
 * lie in it, at once on the first touch. Where only a few bytes of each are used they would cost
 * memory, and time to clear them. */
void rp_pages_expect_dense(void *start, uint64_t size_B);

#endif
