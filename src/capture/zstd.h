/* SPDX-License-Identifier: MIT */
/* libzstd, which makes blobs smaller where the system has it: opened at run time, without its
 * headers, as codecs are.
 */
#ifndef RP_CAPTURE_ZSTD_H
#define RP_CAPTURE_ZSTD_H

#include <stddef.h>

struct rp_zstd {
    size_t (*ZSTD_compressBound)(size_t size_B);
    void *(*ZSTD_createCCtx)(void);
    size_t (*ZSTD_freeCCtx)(void *context);
    size_t (*ZSTD_compressCCtx)(void *context, void *out, size_t capacity_B, const void *data,
                                size_t size_B, int level);
    unsigned (*ZSTD_isError)(size_t result);
};

/* NULL where it cannot be had. It stays open until the process ends. Any thread. */
const struct rp_zstd *rp_zstd_open(void);

#endif
