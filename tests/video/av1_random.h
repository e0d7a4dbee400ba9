/* SPDX-License-Identifier: MIT */
/* AV1 streams in which much is random that an application may choose: types of pictures, what is
 * hidden and shown later, names, refresh flags, quantizers, filters, tiles.
 */
#ifndef RP_TESTS_VIDEO_AV1_RANDOM_H
#define RP_TESTS_VIDEO_AV1_RANDOM_H

#include "av1_application.h"

#include <stdio.h>

struct av1_random_options {
    uint64_t seed;
    uint64_t average_bps; /* 0: the quantizer is constant */
    VkFormat map_format;  /* of quantization maps, of some pictures; 0: of none */
    /* Or NULL: called after each picture. */
    void (*note)(void *ctx, const struct av1_picture *pic, const struct av1_result *result);
    void *ctx;
    FILE *out; /* for the stream, of OBUs; or NULL */
};

/* Encodes and judges. False when the device does not encode AV1. */
bool av1_random_run(struct vk *vk, const struct av1_random_options *options);

#endif
