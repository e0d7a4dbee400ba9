/* SPDX-License-Identifier: MIT */
/* What libavcodec, called directly, makes of a VP9 stream.
 */
#ifndef RP_TESTS_CODEC_VP9_JUDGE_H
#define RP_TESTS_CODEC_VP9_JUDGE_H

#include "app.h"

struct judge {
    uint64_t *hashes; /* of the pictures that libavcodec shows, in order */
    uint32_t count;
    uint32_t compared;
    uint32_t wrong;
};

/* Decodes all of the IVF file. */
void judge_open(struct judge *judge, const char *name);
void judge_close(struct judge *judge);

/* An app_show_fn; context is the judge. */
void judge_compare(void *context, const struct rp_picture *picture);

#endif
