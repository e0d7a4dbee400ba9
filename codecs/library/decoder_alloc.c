/* SPDX-License-Identifier: MIT */
#include "codecs/library/decoder_alloc.h"

#include "util/alloc.h"

void *
rp_library_decoder_zalloc(const void *lib, size_t size_B, enum rp_codec_status *status_out)
{
    if (!lib) {
        *status_out = RP_CODEC_FAILED;
        return NULL;
    }
    void *decoder =
        rp_zalloc(NULL, size_B, _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!decoder)
        *status_out = RP_CODEC_NO_MEMORY;
    return decoder;
}
