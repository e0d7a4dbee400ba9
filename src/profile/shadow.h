/* SPDX-License-Identifier: MIT */
/* Who touched each word of memory last, during one dispatch: what finds races.
 *
 * Two invocations race for a word when one of them writes it, not both are atomic, and nothing
 * orders the two: inside of a workgroup a barrier between them does (one of a subgroup: for
 * invocations of that), and everywhere memory barriers with an atomic between them. Invocations
 * that write what is there already disturb nobody. Pages of marks are kept from dispatch to
 * dispatch: their time goes on.
 */
#ifndef RP_PROFILE_SHADOW_H
#define RP_PROFILE_SHADOW_H

#include <stdbool.h>
#include <stdint.h>

/* Time goes on with each access of a workgroup, each barrier and each workgroup. */
struct rp_shadow_mark {
    uint32_t time; /* 0: nobody was there */
    uint16_t lane;
    uint16_t site; /* with the bits below */
};

#define RP_SHADOW_ATOMIC 0x8000u
#define RP_SHADOW_SILENT 0x4000u /* wrote what was there */
#define RP_SHADOW_MAX_SITES 0x4000u
#define RP_SHADOW_SITE 0x3fffu

struct rp_shadow_page;

struct rp_shadow {
    struct rp_shadow_page **slots; /* owned, as the pages; by hash of their number */
    uint32_t slot_count;           /* a power of two, or 0 */
    uint32_t page_count;
    struct rp_shadow_page *last;
    bool is_short; /* memory is, or there are too many pages: some accesses are not looked at */
};

/* Since when something orders. */
struct rp_shadow_times {
    uint32_t begin;    /* marks before it do not count */
    uint32_t group;    /* the workgroup's beginning */
    uint32_t barrier;  /* the last one */
    uint32_t subgroup; /* the last one of a subgroup */
    uint32_t synced;   /* what came before was released, and acquired, around an atomic */
    uint32_t epoch;    /* the latest thing that may order: a barrier of any kind, the beginning */
};

struct rp_shadow_touch {
    const uint8_t *at;
    uint32_t size_B;
    struct rp_shadow_mark mark; /* of this access, without bits */
    struct rp_shadow_times times;
    uint32_t subgroup_size; /* lanes */
    bool is_read;
    bool is_write;
    bool is_atomic;
    bool is_silent;    /* writes what is there */
    bool is_undefined; /* what is there at the beginning may be anything */
    /* Another lane of the same access that wrote there wrote the same. */
    bool (*is_same)(const void *ctx, uint16_t lane, uint16_t other);
    /* What an earlier workgroup did then was released later; NULL: this one has acquired
     * nothing. */
    bool (*is_released)(const void *ctx, uint32_t time);
    const void *ctx;
};

struct rp_shadow_verdict {
    bool is_race;
    bool is_unwritten;           /* since the workgroup began */
    struct rp_shadow_mark other; /* of the race */
};

void rp_shadow_touch(struct rp_shadow *shadow, const struct rp_shadow_touch *touch,
                     struct rp_shadow_verdict *out);

/* rp_shadow_touch() by several lanes, each step_B - its size - behind the one before, or all at one
 * place (0): touch has the place of the first one; mark.lane is written. is_silent: by lane of
 * these; NULL: none is. Returns how many of the first ones are done with, of which there is nothing
 * to say; the next is for rp_shadow_touch(). */
uint32_t rp_shadow_touch_run(struct rp_shadow *shadow, struct rp_shadow_touch *touch,
                             const uint16_t *lanes, const bool *is_silent, uint32_t count,
                             uint32_t step_B);
void rp_shadow_finish(struct rp_shadow *shadow); /* empty, to begin anew */

#endif
