/* SPDX-License-Identifier: MIT */
/* idr_pic_id of IDR pictures that follow each other differs (7.4.3), whichever of them begins
 * first: nothing orders IDR pictures on several queues but the order in which they were submitted.
 */
#ifndef RP_VIDEO_H264_IDR_IDS_H
#define RP_VIDEO_H264_IDR_IDS_H

#include <stdbool.h>
#include <stdint.h>

#define RP_IDR_IDS_RECENT 32u /* more than pictures that are submitted and have not begun */

struct rp_idr_entry {
    uint64_t sequence; /* of the submission */
    bool is_idr;
    uint32_t id; /* of an IDR picture */
};

/* Zeroed: no picture yet. */
struct rp_idr_ids {
    struct rp_idr_entry recent[RP_IDR_IDS_RECENT]; /* by sequence */
    uint32_t count;
    struct rp_idr_entry last; /* begun */
};

/* The id of the IDR picture that begins now: wanted, unless a neighbour has it. */
uint32_t rp_idr_ids_choose(const struct rp_idr_ids *ids, uint64_t sequence, uint32_t wanted);

/* A picture has begun, with the id that was chosen. */
void rp_idr_ids_add(struct rp_idr_ids *ids, const struct rp_idr_entry *entry);

#endif
