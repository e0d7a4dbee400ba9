/* SPDX-License-Identifier: MIT */
/* kvazaar's encoderstate.c, unchanged: its coding of a picture is static. The search of a coding tree
 * block is ours, which knows of intra refresh.
 */
#define kvz_search_lcu rp_kvazaar_search_lcu
#include "encoderstate.c"
#undef kvz_search_lcu

#include "codecs/kvazaar/core.h"

void kvz_search_lcu(encoder_state_t *state, int x, int y, const yuv_t *hor_buf,
                    const yuv_t *ver_buf);

/* A block that is refreshed is searched as those of I slices are. */
void
rp_kvazaar_search_lcu(encoder_state_t *state, int x, int y, const yuv_t *hor_buf,
                      const yuv_t *ver_buf)
{
    const enum kvz_slice_type slice_type = state->frame->slicetype;
    if (rp_kvazaar_refresh_forces(state, x, y))
        state->frame->slicetype = KVZ_SLICE_I;
    kvz_search_lcu(state, x, y, hor_buf, ver_buf);
    state->frame->slicetype = slice_type;
}

void
rp_kvazaar_state_encode(encoder_state_t *state)
{
    encoder_state_init_children(state);
    encoder_state_encode(state);
}
