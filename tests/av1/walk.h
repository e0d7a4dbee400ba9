/* SPDX-License-Identifier: MIT */
/* Goes through the headers of an AV1 stream (low overhead format, Annex B is another), and requires
 * that each one that is read is written again bit for bit.
 */
#ifndef RP_TESTS_AV1_WALK_H
#define RP_TESTS_AV1_WALK_H

#include "video/av1/obu.h"
#include "video/av1/state.h"

struct av1_walk {
    struct rp_av1_state state;
    bool has_sequence;
    struct rp_av1_frame frame; /* the last one */
    uint32_t sequence_count;
    uint32_t frame_count;
    uint32_t shown_count; /* headers that show an existing frame */
};

struct av1_obu {
    struct rp_av1_obu_header header;
    const uint8_t *payload;
    size_t size_B;         /* of the whole OBU */
    size_t frame_header_B; /* bytes of the payload that the frame header takes, aligned; or 0 */
};

/* The OBU at the start of data. RP_AV1_OK also for those that are passed over. */
enum rp_av1_status av1_walk_next(struct av1_walk *walk, const uint8_t *data, size_t size_B,
                                 struct av1_obu *out);

#endif
