/* SPDX-License-Identifier: MIT */
/* Sessions that are one of many: each codes pictures of its own and is judged by itself.
 */
#ifndef RP_TESTS_VIDEO_CROWD_H
#define RP_TESTS_VIDEO_CROWD_H

#include "vk.h"

#include <stdbool.h>
#include <stdint.h>

struct crowd_member;

enum crowd_kind {
    CROWD_H264,        /* several pictures in flight */
    CROWD_H264_DECODE, /* a second session decodes them on the device, too */
    CROWD_H265,
    CROWD_AV1,
};

struct crowd_options {
    enum crowd_kind kind;
    uint32_t width_px; /* even */
    uint32_t height_px;
    uint32_t seed; /* of the content, the quality level and others */
};

/* Those of one kind are opened and used by one thread at a time, and so are both of H.264. */
struct crowd_member *crowd_open(struct vk *vk, const struct crowd_options *options);

/* The next picture. */
void crowd_step(struct crowd_member *m);

/* Holds what decoders make of the stream against the reconstructions. Returns a hash of the
 * stream. */
uint64_t crowd_close(struct crowd_member *m);

#endif
