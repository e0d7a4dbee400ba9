/* SPDX-License-Identifier: MIT */
/* libaom's allocations: it does not always say that one has failed when it fails for that.
 */
#include "codecs/aom/hooks.h"

#include "codecs/aom/libaom.h"

#include "aom_dsp/entenc.h"
#include "aom_mem/aom_mem.h"

void *__real_aom_memalign(size_t align_B, size_t size_B);
void *__wrap_aom_memalign(size_t align_B, size_t size_B);
void *__real_aom_malloc(size_t size_B);
void *__wrap_aom_malloc(size_t size_B);
void *__real_aom_calloc(size_t count, size_t size_B);
void *__wrap_aom_calloc(size_t count, size_t size_B);

unsigned char *__real_od_ec_enc_done(od_ec_enc *enc, uint32_t *size_B);
unsigned char *__wrap_od_ec_enc_done(od_ec_enc *enc, uint32_t *size_B);

static void *
note(void *memory)
{
    struct rp_aom_picture *picture = rp_aom_hooks_get();
    if (!memory && picture)
        atomic_store(&picture->is_out_of_memory, true);
    return memory;
}

void *
__wrap_aom_memalign(size_t align_B, size_t size_B)
{
    return note(__real_aom_memalign(align_B, size_B));
}

void *
__wrap_aom_malloc(size_t size_B)
{
    return note(__real_aom_malloc(size_B));
}

void *
__wrap_aom_calloc(size_t count, size_t size_B)
{
    return note(__real_aom_calloc(count, size_B));
}

/* The entropy encoder has an allocator of its own, and fails in the end when that did. */
unsigned char *
__wrap_od_ec_enc_done(od_ec_enc *enc, uint32_t *size_B)
{
    return note(__real_od_ec_enc_done(enc, size_B));
}
